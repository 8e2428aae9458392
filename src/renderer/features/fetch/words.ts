import type { Estimate } from "#shared/job/job.ts";
import { count, duration, many } from "../../ui/text.ts";

/** Label of a download button, with the cost: "Fetch 86,400 points · 9 requests · about 12 s". */
export function fetchWords({ pointsToFetch, requests, seconds }: Estimate, isOffline: boolean): string {
  const parts = [
    `${isOffline ? "Fetch when online:" : "Fetch"} ${many(pointsToFetch, "point")}`,
    many(requests, "request"),
    ...(seconds === null ? [] : [`about ${duration(seconds)}`]),
  ];
  return parts.join(" · ");
}

/** Counts the stations that the key is not authorized for; null if there are none. */
export function forbiddenWords({ forbiddenStationIds }: Estimate): string | null {
  const forbidden = forbiddenStationIds.length;
  return forbidden === 0 ? null : `${many(forbidden, "station")} not authorized for this key`;
}

/** Describes a selection with nothing to fetch. */
export function completeWords({ forbiddenStationIds }: Estimate): string {
  return forbiddenStationIds.length === 0 ? "Everything is cached" : "Everything else is cached";
}

/** Describes the cached share of the selection. */
export function cachedWords({ pointsAsked, pointsCached }: Estimate): string {
  if (pointsAsked === 0) return "No data can exist in this range";
  return `${count(pointsCached)} of ${many(pointsAsked, "point")} cached`;
}
