import { MINUTE_MS } from "#shared/time/utc.ts";
import { bell, smoothNoise, unit } from "./random.ts";
import type { Episode, Segment } from "./timeline.ts";

/** Excess uncertainty of a solution that has just restarted. */
const UNSETTLED_MM = 30;

/** The effect of a bad episode on the solution of one epoch; both 0 in normal operation. */
export interface SolutionError {
  ztdMm: number;
  sigmaMm: number;
}

/** A pure function of the segment and the moment within it. */
export function solutionError(segment: Segment, timeMs: number, error: SolutionError): void {
  error.ztdMm = 0;
  error.sigmaMm = 0;
  const episode = segment.episode;
  if (!episode) return;
  if (segment.state === "convergence") {
    // Decays to exactly zero at the end of the episode, so the first good epoch follows without a step.
    const left = 1 - (timeMs - episode.startMs) / (episode.endMs - episode.startMs);
    const size = UNSETTLED_MM * left ** 3;
    const direction = unit(episode.key, 8) < 0.5 ? -0.6 : 0.6;
    error.sigmaMm = size;
    error.ztdMm = size * (direction + 0.4 * smoothNoise(episode.key, timeMs, 4 * MINUTE_MS));
  } else if (segment.state === "jamming") {
    const power = jammingPower(episode, timeMs);
    error.sigmaMm = 3 + 6 * power;
    error.ztdMm = (4 * smoothNoise(episode.key, timeMs, 2 * MINUTE_MS) + 6 * bell(episode.key, timeMs / 1000)) * power;
  }
}

/** Strength of the interference: half at the ends of an episode, 1 in its middle. */
export function jammingPower(episode: Episode, timeMs: number): number {
  const passed = (timeMs - episode.startMs) / (episode.endMs - episode.startMs);
  return 0.5 + 0.5 * Math.sin(Math.PI * passed);
}
