import type { Coverage } from "#shared/series/rows.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { epochsIn, floorToInterval } from "#shared/time/interval.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { intersect, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** Assumed of a station that is not in the catalogue. */
export function hasEverSent(station: CatalogueStation | null): boolean {
  return station === null || station.historicDataFromMs !== null || station.dataLastUpdatedMs !== null;
}

/** Returns the part of a range in which a station could have sent: from its first observation to now. */
export function sendingTime(
  station: CatalogueStation | null,
  range: TimeRange,
  stepSeconds: number,
  nowMs: UtcMs,
): RangeSet {
  if (!hasEverSent(station)) return [];
  const firstMs = station?.historicDataFromMs ?? null;
  const startMs = firstMs === null ? range.startMs : floorToInterval(firstMs, stepSeconds);
  return intersect(rangeSet([range]), rangeSet([{ startMs, endMs: nowMs }]));
}

/** Returns the time that was requested and answered, whether it is final or not. */
export function answeredTime({ final, provisional }: Coverage): RangeSet {
  return rangeSet([...final, ...provisional.map((p) => p.range)]);
}

/** Returns the number of epochs in a set of ranges. */
export function epochsOf(where: RangeSet, stepSeconds: number): number {
  return where.reduce((sum, range) => sum + epochsIn(range, stepSeconds), 0);
}
