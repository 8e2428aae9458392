import type { Estimate } from "#shared/job/job.ts";
import { count, duration, many } from "../../ui/text.ts";

/** "Fetch 86,400 points · 9 requests · about 12 s": the cost, on the button that causes it. */
export function fetchWords({ pointsToFetch, requests, seconds }: Estimate, isOffline: boolean): string {
  const parts = [
    `${isOffline ? "Fetch when online:" : "Fetch"} ${many(pointsToFetch, "point")}`,
    many(requests, "request"),
    ...(seconds === null ? [] : [`about ${duration(seconds)}`]),
  ];
  return parts.join(" · ");
}

/** "1 station is not open to this key"; null where all of them are. */
export function forbiddenWords({ forbiddenStationIds }: Estimate): string | null {
  const n = forbiddenStationIds.length;
  return n === 0 ? null : `${many(n, "station")} ${n === 1 ? "is" : "are"} not open to this key`;
}

/** Where nothing is to be fetched of what is open to the key. */
export function completeWords({ forbiddenStationIds }: Estimate): string {
  return forbiddenStationIds.length === 0 ? "Everything is cached" : "Everything else is cached";
}

/** What is cached of what the selection asks for. */
export function cachedWords({ pointsAsked, pointsCached }: Estimate): string {
  if (pointsAsked === 0) return "No data can exist in this range";
  return `${count(pointsCached)} of ${many(pointsAsked, "point")} cached`;
}
