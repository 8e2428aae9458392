import { timeRange, type TimeRange } from "#shared/time/range.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import type { Site } from "./site.ts";
import { isLost, segmentAt, segmentsOf, type State } from "./timeline.ts";
import type { BlockRequest, Observed } from "./types.ts";

/** The part of a request in which the station has observed and the observations have arrived. */
export function visibleRange(
  site: Pick<Site, "firstDataMs" | "lastDataMs">,
  latencyMs: number,
  request: Pick<BlockRequest, "startMs" | "endMs" | "nowMs">,
): TimeRange {
  if (site.firstDataMs === null) return timeRange(0, 0);
  const lastMs = Math.min(site.lastDataMs ?? Infinity, request.nowMs - latencyMs);
  const startMs = Math.max(request.startMs, site.firstDataMs);
  return timeRange(startMs, Math.max(startMs, Math.min(request.endMs, lastMs + 1)));
}

/** Long enough that the lookup of episodes costs little, short enough that there are few of them. */
const STRETCH_MS = 30 * DAY_MS;

/** The parts of a request in which the station has observations that have arrived. */
export function* observedIn(
  site: Site,
  latencyMs: number,
  request: Pick<BlockRequest, "startMs" | "endMs" | "nowMs">,
): IterableIterator<Observed> {
  const range = visibleRange(site, latencyMs, request);
  for (let startMs = range.startMs; startMs < range.endMs; startMs += STRETCH_MS) {
    for (const segment of segmentsOf(site, startMs, Math.min(range.endMs, startMs + STRETCH_MS))) {
      if (segment.state !== "gap") yield { quality: segment.state, startMs: segment.startMs, endMs: segment.endMs };
    }
  }
}

/** The state at a moment: `gap` also if it is not an epoch of the station, or if the single epoch was lost. */
export function stateAt(site: Site, timeMs: UtcMs): State {
  const isOutside = site.firstDataMs === null || timeMs < site.firstDataMs || timeMs > (site.lastDataMs ?? Infinity);
  if (isOutside || timeMs % site.stepMs !== 0 || isLost(site.keys.missing, timeMs)) return "gap";
  return segmentAt(site, timeMs).state;
}

/** @returns the last epoch with an observation at or before the moment; null if it lies before `floorMs` */
export function lastEpoch(site: Site, timeMs: UtcMs, floorMs: UtcMs): UtcMs | null {
  for (let endMs = timeMs + 1; endMs > floorMs;) {
    const startMs = Math.max(floorMs, Math.floor((endMs - 1) / DAY_MS) * DAY_MS);
    for (const segment of segmentsOf(site, startMs, endMs).toReversed()) {
      if (segment.state === "gap") continue;
      const from = Math.floor((segment.endMs - 1) / site.stepMs) * site.stepMs;
      for (let epoch = from; epoch >= segment.startMs; epoch -= site.stepMs) {
        if (!isLost(site.keys.missing, epoch)) return epoch;
      }
    }
    endMs = startMs;
  }
  return null;
}

/** @returns the first epoch with an observation at or after the moment; outages end, so there always is one */
export function firstEpoch(site: Site, timeMs: UtcMs): UtcMs {
  for (let startMs = timeMs; ; startMs = (Math.floor(startMs / DAY_MS) + 1) * DAY_MS) {
    const endMs = (Math.floor(startMs / DAY_MS) + 1) * DAY_MS;
    for (const segment of segmentsOf(site, startMs, endMs)) {
      if (segment.state === "gap") continue;
      const from = Math.ceil(segment.startMs / site.stepMs) * site.stepMs;
      for (let epoch = from; epoch < segment.endMs; epoch += site.stepMs) {
        if (!isLost(site.keys.missing, epoch)) return epoch;
      }
    }
  }
}
