import * as fc from "fast-check";
import type { PlanStation } from "#main/planner/types.ts";
import { VARIABLE_NAMES, type Variable } from "#shared/service/variables.ts";
import { alignOutward } from "#shared/time/range.ts";
import { rangeSet, type RangeSet } from "#shared/time/rangeset.ts";
import { HOUR_MS } from "#shared/time/utc.ts";

/** Around the epoch, to include negative times and the change of sign. */
const moment = fc.integer({ min: -60 * HOUR_MS, max: 60 * HOUR_MS });

/** A range set of up to five ranges in milliseconds, or of whole intervals. */
export function rangeSets(intervalSeconds: number | null): fc.Arbitrary<RangeSet> {
  return fc
    .array(fc.tuple(moment, fc.integer({ min: 1, max: 30 * HOUR_MS })), { maxLength: 5 })
    .map((pairs) =>
      rangeSet(
        pairs
          .map(([startMs, length]) => ({ startMs, endMs: startMs + length }))
          .map((r) => (intervalSeconds === null ? r : alignOutward(r, intervalSeconds))),
      ),
    );
}

/** Native, intervals that divide a day, and two that do not. */
export const intervals = fc.constantFrom(null, 30, 900, 3_600, 7_000, 100_000);
const epochs = fc.constantFrom(1, 5, 30, 60);

/** Stations, some of which have the same missing data. */
export function planStations(intervalSeconds: number | null): fc.Arbitrary<PlanStation[]> {
  const variables = fc.subarray([...VARIABLE_NAMES], { minLength: 1 });
  const lack = fc
    .tuple(variables, rangeSets(intervalSeconds), rangeSets(intervalSeconds))
    .map(([names, one, other]) =>
      Object.fromEntries(names.map((name, i): [Variable, RangeSet] => [name, i % 2 === 0 ? one : other])),
    );
  return fc
    .tuple(fc.array(lack, { minLength: 1, maxLength: 3 }), fc.array(fc.tuple(fc.nat(2), epochs), { maxLength: 12 }))
    .map(([lacks, picks]) =>
      picks.map(([pick, epochSeconds], i) => ({
        id: `station-${i}`,
        epochSeconds,
        missing: lacks[pick % lacks.length]!,
      })),
    );
}
