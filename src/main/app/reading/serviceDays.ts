import type { Variable } from "#shared/service/variables.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { DAY_SECONDS, innerIntervals, meanIntervals } from "#shared/time/intervals.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { difference, intersect, rangeSet, type RangeSet, union } from "#shared/time/rangeset.ts";
import { momentsOf } from "#shared/time/runs.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import { answeredTime } from "../../analysis/requestedTimes.ts";
import { requestableRange } from "../../planner/missing.ts";
import type { CacheReader } from "../../store/index.ts";

interface ServiceDaysQuery {
  readonly variable: Variable;
  /** Whole UTC days. */
  readonly range: TimeRange;
  readonly raw: boolean;
  readonly nowMs: UtcMs;
}

/** The days of a variable of a station, each in one of the first four sets. */
export interface ServiceDays {
  /** With data at the service. */
  readonly data: RangeSet;
  /** Without, as two responses said. */
  readonly none: RangeSet;
  /** Without, as one response said: data may still arrive. */
  readonly mayStillArrive: RangeSet;
  /** Not asked about. Days before the first observation and in the future are in no set. */
  readonly unknown: RangeSet;
  /** With observations in the cache. */
  readonly cached: RangeSet;
}

/** Returns what is known of the data at the service, from the cache alone. */
export function readServiceDays(
  cache: CacheReader,
  station: CatalogueStation,
  { variable, range, raw, nowMs }: ServiceDaysQuery,
): ServiceDays {
  const { id: stationId, historicDataFromMs, hasNeverSent } = station;
  // Daily means: a day without a row has no observation of the variable (section 4.4 of the specification).
  const mode = { intervalSeconds: DAY_SECONDS, raw };
  const facts = { ...mode, nowMs, historicDataFromMs, hasNeverSent };
  const possible = rangeSet([requestableRange(range, facts)]);
  const coverage = cache.coverage(stationId, variable, mode);
  const native = cache.coverage(stationId, variable, { intervalSeconds: null, raw });
  const selection = { stationId, variables: [variable], range, raw };
  const means = momentsOf(cache.valueTimes({ ...selection, ...mode }));
  const { values } = cache.countBins({ ...selection, intervalSeconds: null }, DAY_MS);
  const cached = rangeSet(Array.from(values, (n, k) => (n > 0 ? [dayFrom(range.startMs + k * DAY_MS)] : [])).flat());
  // Observations tell as much of a day as its mean.
  const data = union(rangeSet(Array.from(means, dayFrom)), cached);
  const confirmed = union(rangeSet(coverage.final), wholeDays(rangeSet(native.final)));
  const answered = union(answeredTime(coverage), wholeDays(answeredTime(native)));
  return {
    data,
    none: difference(intersect(possible, confirmed), data),
    mayStillArrive: difference(intersect(possible, difference(answered, confirmed)), data),
    unknown: difference(difference(possible, answered), data),
    cached,
  };
}

/** The UTC days that lie completely in some ranges. */
function wholeDays(ranges: RangeSet): RangeSet {
  return rangeSet(ranges.map((range) => innerIntervals(range, meanIntervals(DAY_SECONDS))));
}

function dayFrom(startMs: UtcMs): TimeRange {
  return { startMs, endMs: startMs + DAY_MS };
}
