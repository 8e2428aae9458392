import type { Verdict, VerdictState } from "#shared/job/verdict.ts";
import type { Coverage } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { isEmpty, type TimeRange } from "#shared/time/range.ts";
import { difference, intersect, rangeSet, type RangeSet } from "#shared/time/rangeset.ts";

export interface VerdictInput {
  readonly stationId: string;
  readonly variable: Variable;
  /** The range of the job, extended to whole intervals. */
  readonly range: TimeRange;
  /** The part of it that could be requested: `requestableRange` of the planner, at the time of the job. */
  readonly requestable: TimeRange;
  readonly coverage: Coverage;
  readonly isForbidden: boolean;
  /** False for a station without a first and a last measurement in the catalogue. */
  readonly hasEverSent: boolean;
  /** Ranges whose requests failed, with the sentence for the user; covered parts have been answered since. */
  readonly failures: readonly { readonly range: TimeRange; readonly reason: string }[];
  /** Rows in the cache in which the variable has a value. */
  readonly countRows: (range: TimeRange) => number;
}

/** Returns the verdicts of one station and variable, in order of time; together they cover exactly the range. */
export function verdicts(input: VerdictInput): Verdict[] {
  const { stationId, variable, range, requestable, coverage } = input;
  if (isEmpty(range)) return [];
  const found: Verdict[] = [];
  let left: RangeSet = [range];
  const take = (where: RangeSet, state: VerdictState | "byRows", reason: string | null): void => {
    for (const part of intersect(left, where)) {
      const rows = input.countRows(part);
      const judged = state === "byRows" ? (rows > 0 ? "ok" : "empty") : state;
      found.push({ stationId, variable, range: part, state: judged, rows, reason });
    }
    left = difference(left, where);
  };

  const provisional = rangeSet(coverage.provisional.map((p) => p.range));
  take(rangeSet(coverage.final), "byRows", null);
  if (input.isForbidden) take(left, "forbidden", "The service refuses this station for the key in use.");
  for (const { range: failed, reason } of input.failures) take(rangeSet([failed]), "failed", reason);
  take(provisional, "stale", null);
  if (!input.hasEverSent) take(left, "empty", "The station has never sent any measurement.");
  take(
    rangeSet([{ startMs: range.startMs, endMs: requestable.startMs }]),
    "empty",
    "Before the station's first measurement.",
  );
  take(rangeSet([{ startMs: requestable.endMs, endMs: range.endMs }]), "stale", "Not measured yet.");
  take(left, "notRequested", null);
  return found.toSorted((a, b) => a.range.startMs - b.range.startMs);
}
