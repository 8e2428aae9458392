import type { Gap } from "#shared/series/gap.ts";
import { intersectRange, isEmpty, type TimeRange } from "#shared/time/range.ts";
import type { GapPlace } from "../gaps/rejected.ts";

/** Gaps of a station within a range of which only the raw series can tell whether anything was sent. */
export function placesOf(
  stations: readonly { readonly stationId: string; readonly gaps: readonly Gap[] }[],
  within: TimeRange,
): GapPlace[] {
  return stations.flatMap(({ stationId, gaps }) =>
    gaps
      .filter((gap) => gap.cause === "nothingOrFiltered")
      .map((gap) => ({ stationId, range: intersectRange(gap.range, within) }))
      .filter((place) => !isEmpty(place.range)),
  );
}
