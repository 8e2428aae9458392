import type { Estimate } from "#shared/job/job.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { stationPoints } from "#shared/service/points.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import { countPlan } from "./plan.ts";
import type { PlanStation } from "./types.ts";

interface EstimateStation extends PlanStation {
  /** The part of the requested ranges that can be requested at all; see `requestableRange`. */
  readonly requestable: RangeSet;
}

interface EstimateInput {
  readonly stations: readonly EstimateStation[];
  readonly mode: SeriesMode;
  readonly maxPoints: number;
  /** Points per second of earlier downloads; null if none was measured. */
  readonly pointsPerSecond: number | null;
  /** Small requests per second of earlier downloads; null if none was measured. */
  readonly requestsPerSecond: number | null;
}

/**
 * Assumed for services that were never measured with small requests: a few at a time, each a few tenths of a second.
 */
const USUAL_REQUESTS_PER_SECOND = 20;

export function estimate(input: EstimateInput): Omit<Estimate, "forbiddenStationIds"> {
  const { mode, stations } = input;
  const plan = countPlan({ stations, mode, maxPoints: () => input.maxPoints });
  const pointsAsked = stations
    .flatMap((s) => s.requestable.map((range) => stationPoints(range, s.epochSeconds, mode.intervalSeconds)))
    .reduce((sum, points) => sum + points, 0);
  return {
    pointsAsked,
    pointsCached: Math.max(0, pointsAsked - plan.points),
    pointsToFetch: plan.points,
    requests: plan.requests,
    bodyBytes: plan.bodyBytes,
    seconds: secondsOf(input, plan),
  };
}

/** The duration of large requests depends on their points; small ones all take about the same time. */
function secondsOf(
  { pointsPerSecond, requestsPerSecond }: EstimateInput,
  { points, requests }: { readonly points: number; readonly requests: number },
): number | null {
  if (pointsPerSecond === null || pointsPerSecond <= 0) return null;
  return Math.max(points / pointsPerSecond, requests / (requestsPerSecond ?? USUAL_REQUESTS_PER_SECOND));
}
