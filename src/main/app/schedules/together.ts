// Ranges of a schedule that are downloaded together.
import type { JobSpec } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import type { LedgerRange } from "#shared/schedule/ledger.ts";
import { DAY_MS } from "#shared/time/utc.ts";

/** Ranges that touch are downloaded together, up to this span. */
const MAX_TOGETHER_MS = 31 * DAY_MS;

/** Groups ranges that touch, so that what several share is requested once. */
export function batches<Planned extends { readonly range: LedgerRange }>(all: readonly Planned[]): Planned[][] {
  const found: Planned[][] = [];
  let span = { startMs: 0, endMs: 0 };
  for (const one of all) {
    const { startMs, endMs } = one.range;
    const joined = { startMs: Math.min(span.startMs, startMs), endMs: Math.max(span.endMs, endMs) };
    const touches = startMs <= span.endMs && endMs >= span.startMs;
    if (found.length > 0 && touches && joined.endMs - joined.startMs <= MAX_TOGETHER_MS) {
      found.at(-1)?.push(one);
      span = joined;
    } else {
      found.push([one]);
      span = { startMs, endMs };
    }
  }
  return found;
}

/** The downloads of ranges that touch: one for the schedule's own data, and those of saved exports, each once. */
export function specsOf(together: readonly (readonly JobSpec[])[]): JobSpec[] {
  const own = together.map(([spec]) => spec).filter((spec) => spec !== undefined);
  const [first] = own;
  if (first === undefined) return [];
  const range = {
    startMs: Math.min(...own.map((spec) => spec.range.startMs)),
    endMs: Math.max(...own.map((spec) => spec.range.endMs)),
  };
  const others = together.flatMap((specs) => specs.slice(1));
  return [{ ...first, range }, ...new Map(others.map((spec) => [JSON.stringify(spec), spec])).values()];
}

/** Verdicts of a station that the service refused before: scheduled runs do not request it again, but it is missing. */
export function refusedBefore(stationId: string, { variables, range }: JobSpec): Verdict[] {
  const reason = "The service refused this station recently. Press “Run now” to request it again.";
  return variables.map((variable) => ({ stationId, variable, range, state: "forbidden", rows: 0, reason }));
}
