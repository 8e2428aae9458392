import { formatUtcShort, type UtcMs } from "../time/utc.ts";
import type { JobSpec } from "./job.ts";
import type { VerdictState } from "./verdict.ts";

/** A job that sent nothing. */
export interface SilentJob {
  readonly spec: Pick<JobSpec, "range" | "intervalSeconds">;
  /** The service's clock when it began. */
  readonly untilMs: UtcMs;
  readonly states: ReadonlySet<VerdictState>;
  /** Whether some of its range can hold data, as far as the catalogue knows. */
  readonly isPossible: boolean;
  /** Whether it came to its end, so that something is known of what is missing. */
  readonly isFinished: boolean;
}

/** Why a job sent nothing, as a sentence without its full stop. */
export function whyNothingWasSent({ spec, untilMs, states, isPossible, isFinished }: SilentJob): string {
  const { range, intervalSeconds } = spec;
  if (range.startMs >= untilMs) return futureWords(range.startMs);
  if (!isFinished) return "Nothing was downloaded";
  if (states.has("missing") || states.has("failed") || states.has("forbidden")) return "No more data can be requested";
  if (!isPossible) return "Nothing can be there: the first observation is later than this range, or never came";
  // The interval that is running is asked for as a whole.
  const isOver = range.endMs - untilMs <= 1_000 * (intervalSeconds ?? 1);
  return isOver ? "Everything was cached" : `Everything up to now was cached; ${restWords(untilMs)}`;
}

/** Of a range that begins after now. */
export function futureWords(startMs: UtcMs): string {
  return `The range is in the future: data can exist from ${formatUtcShort(startMs)} on`;
}

/** Of the part of a range that is still to come. */
export function restWords(untilMs: UtcMs): string {
  return `everything after ${formatUtcShort(untilMs - (untilMs % 1_000))} lies in the future`;
}
