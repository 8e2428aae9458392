import { formatUtcShort, type UtcMs } from "../time/utc.ts";
import type { JobSpec } from "./job.ts";
import type { VerdictState } from "./verdict.ts";

/** A job that sent nothing. */
interface SilentJob {
  readonly spec: Pick<JobSpec, "range" | "intervalSeconds">;
  /** The service's time when it started. */
  readonly untilMs: UtcMs;
  readonly states: ReadonlySet<VerdictState>;
  /** Whether its range can contain data, by the catalogue. */
  readonly isPossible: boolean;
  /** Whether it finished; otherwise `states` says nothing about missing data. */
  readonly isFinished: boolean;
}

/** Explains why a job sent nothing, as a sentence without its full stop. */
export function whyNothingWasSent({ spec, untilMs, states, isPossible, isFinished }: SilentJob): string {
  const { range, intervalSeconds } = spec;
  if (range.startMs >= untilMs) return futureWords(range.startMs);
  if (!isFinished) return "Nothing was downloaded";
  if (states.has("missing") || states.has("failed") || states.has("forbidden")) return "No more data can be requested";
  if (!isPossible) return "Nothing can be there: the first observation is later than this range, or never came";
  // The current interval is requested as a whole.
  const isOver = range.endMs - untilMs <= 1_000 * (intervalSeconds ?? 1);
  return isOver ? "Everything was cached" : `Everything up to now was cached; ${restWords(untilMs)}`;
}

/** Describes a range that starts after the present time. */
export function futureWords(startMs: UtcMs): string {
  return `The range is in the future: data can exist from ${formatUtcShort(startMs)} on`;
}

/** Describes the future part of a range. */
export function restWords(untilMs: UtcMs): string {
  return `everything after ${formatUtcShort(untilMs - (untilMs % 1_000))} lies in the future`;
}
