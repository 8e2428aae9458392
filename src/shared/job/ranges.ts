import { alignOutward } from "../time/interval.ts";
import { intersect, type RangeSet, rangeSet } from "../time/rangeset.ts";
import type { JobSpec } from "./job.ts";

/** What a job is about of one of its stations: the whole range, or the parts that it names; in whole intervals. */
export function rangesOf(spec: Pick<JobSpec, "range" | "only" | "intervalSeconds">, stationId: string): RangeSet {
  const { range, only, intervalSeconds } = spec;
  const whole = (ranges: RangeSet): RangeSet =>
    rangeSet(intervalSeconds === null ? ranges : ranges.map((each) => alignOutward(each, intervalSeconds)));
  if (only === undefined) return whole([range]);
  return intersect(whole(only.find((each) => each.stationId === stationId)?.ranges ?? []), whole([range]));
}
