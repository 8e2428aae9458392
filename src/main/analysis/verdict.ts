import type { Verdict, VerdictState } from "#shared/job/verdict.ts";
import type { Coverage } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { many } from "#shared/text.ts";
import { durationMs, formatRange, isEmpty, type TimeRange } from "#shared/time/range.ts";
import { difference, intersect, rangeSet, type RangeSet, totalMs } from "#shared/time/rangeset.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { gapsOver, type TimesIn } from "./gaps.ts";

export interface VerdictInput {
  readonly stationId: string;
  readonly variable: Variable;
  /** The range of the job, extended to whole intervals. */
  readonly range: TimeRange;
  /** The part of it that could be requested: `requestableRange` of the planner, at the time of the job. */
  readonly requestable: TimeRange;
  readonly coverage: Coverage;
  /** Why the service refuses the station, as a sentence; null if it does not. */
  readonly refusal: string | null;
  /** False for a station without a first and a last measurement in the catalogue. */
  readonly hasEverSent: boolean;
  /** Ranges whose requests failed, with the sentence for the user; covered parts have been answered since. */
  readonly failures: readonly { readonly range: TimeRange; readonly reason: string }[];
  /** Seconds between two values without a gap. */
  readonly stepSeconds: number;
  /** Whether values are means, which may change while they are provisional. */
  readonly areMeans: boolean;
  /** Times of the cached rows in which the variable has a value. */
  readonly timesIn: TimesIn;
}

/** Shorter absences are single epochs, which are missing everywhere. */
const LONG_MS = HOUR_MS;
/** Share of a range from which even single epochs are a lack. */
const LACK = 0.1;

/** Returns the verdicts of one station and variable, in order of time; together they cover exactly the range. */
export function verdicts(input: VerdictInput): Verdict[] {
  const { stationId, variable, range, requestable, coverage, stepSeconds } = input;
  if (isEmpty(range)) return [];
  const found: (Verdict & { readonly hasEpochs: boolean })[] = [];
  let left: RangeSet = [range];
  const take = (where: RangeSet, judge: (rows: number, gaps: RangeSet, part: TimeRange) => Judged): void => {
    for (const part of intersect(left, where)) {
      const { rows, gaps } = gapsOver(input.timesIn, part, stepSeconds);
      const hasEpochs = rows > 0 || gaps.length > 0;
      found.push({ stationId, variable, range: part, rows, hasEpochs, ...judge(rows, gaps, part) });
    }
    left = difference(left, where);
  };
  const provisional = rangeSet(coverage.provisional.map((p) => p.range));
  take(rangeSet(coverage.final), judgeFinal);
  if (input.refusal !== null) take(left, is("forbidden", input.refusal));
  for (const { range: failed, reason } of input.failures) take(rangeSet([failed]), is("failed", reason));
  take(provisional, (_, gaps) => {
    if (gaps.length > 0) return { state: "stale", reason: null };
    return input.areMeans ? { state: "stale", reason: "The means may still change." } : { state: "ok", reason: null };
  });
  if (!input.hasEverSent) take(left, is("empty", "The station has never sent any measurement."));
  const before = { startMs: range.startMs, endMs: requestable.startMs };
  take(rangeSet([before]), is("empty", "Before the station's first measurement."));
  take(rangeSet([{ startMs: requestable.endMs, endMs: range.endMs }]), is("stale", "Not measured yet."));
  take(left, is("notRequested", null));
  const joined: Verdict[] = [];
  for (const { hasEpochs, ...next } of found.toSorted((a, b) => a.range.startMs - b.range.startMs)) {
    const last = joined.at(-1);
    // Downloads end between two epochs: the time between their ends is not a separate range.
    const isSame = !hasEpochs || (last?.state === next.state && last.reason === null && next.reason === null);
    if (!last || !isSame) joined.push(next);
    else {
      const range = { startMs: last.range.startMs, endMs: next.range.endMs };
      joined.splice(-1, 1, { ...last, range, rows: last.rows + next.rows });
    }
  }
  return joined;
}

type Judged = Pick<Verdict, "state" | "reason">;

function is(state: VerdictState, reason: string | null): () => Judged {
  return () => ({ state, reason });
}

function judgeFinal(rows: number, gaps: RangeSet, part: TimeRange): Judged {
  const ok = { state: "ok", reason: null } as const;
  // A part between two epochs lacks nothing.
  if (rows === 0) return gaps.length > 0 ? { state: "empty", reason: null } : ok;
  const isLack = totalMs(gaps) > LACK * durationMs(part) || gaps.some((gap) => durationMs(gap) >= LONG_MS);
  return isLack ? { state: "partial", reason: lackWords(gaps) } : ok;
}

/** “2026-10-10T06:00:00Z → 2026-10-11T12:00:00Z is missing.” */
function lackWords(gaps: RangeSet): string {
  const longest = gaps.reduce((a, b) => (durationMs(b) > durationMs(a) ? b : a));
  if (gaps.length === 1) return `${formatRange(longest)} is missing.`;
  const hours = (totalMs(gaps) / HOUR_MS).toFixed(1);
  return `${hours} h in ${many(gaps.length, "gap")} are missing, the longest ${formatRange(longest)}.`;
}
