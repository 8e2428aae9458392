import type { JobProgress } from "#shared/job/job.ts";
import type { Cache, CacheReader } from "../../store/index.ts";

/** Cache setting: points per second of the last job with enough points, for the next estimate. */
const POINT_RATE = "pointsPerSecond";
const MIN_RATED_POINTS = 10_000;
/** Cache setting: requests per second of the last job with many small requests, whose points take negligible time. */
const REQUEST_RATE = "requestsPerSecond";
const MIN_RATED_REQUESTS = 20;
const MAX_SMALL_REQUEST_POINTS = 2_000;

/** Speed of the service in earlier jobs; null if unknown. */
export function savedSpeed(cache: Pick<CacheReader, "setting">): {
  readonly pointsPerSecond: number | null;
  readonly requestsPerSecond: number | null;
} {
  const points = cache.setting(POINT_RATE);
  const requests = Number(cache.setting(REQUEST_RATE));
  return {
    pointsPerSecond: points === null ? null : Number(points),
    requestsPerSecond: requests > 0 ? requests : null,
  };
}

/** Saves the speed of the service, if the job was long enough. */
export function saveSpeed(
  cache: Pick<Cache, "setSetting">,
  { pointsTotal, pointsPerSecond, requestsSent, requestsPerSecond = null }: JobProgress,
): void {
  const hasSmallRequests = requestsSent >= MIN_RATED_REQUESTS && pointsTotal <= MAX_SMALL_REQUEST_POINTS * requestsSent;
  if (hasSmallRequests && requestsPerSecond !== null) cache.setSetting(REQUEST_RATE, String(requestsPerSecond));
  if (pointsTotal >= MIN_RATED_POINTS && pointsPerSecond !== null)
    cache.setSetting(POINT_RATE, String(pointsPerSecond));
}
