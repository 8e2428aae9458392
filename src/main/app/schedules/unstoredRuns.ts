import { RETRY_MINUTES, nextTime } from "#shared/schedule/when.ts";
import { MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import { faultOf } from "../../fault.ts";
import { log } from "../../log/index.ts";
import { announce } from "./announce.ts";
import { failedBy, newRun } from "./delivery.ts";
import type { StoredSchedule } from "./ledger.ts";

interface Unstored {
  readonly thrown: unknown;
  readonly onlyDue: boolean;
  readonly nowMs: UtcMs;
  readonly signal: AbortSignal;
}

/** Tells of runs that could not be stored, because the disk is full for example: no history has them. */
export class UnstoredRuns {
  /** The last planned time that was told, by the id of the schedule. */
  readonly #told = new Map<string, UtcMs>();

  /** Timers and this process try often; each planned time is told once. */
  async tell({ id, schedule }: StoredSchedule, { thrown, onlyDue, nowMs, signal }: Unstored): Promise<void> {
    if (onlyDue) {
      const plannedMs = nextTime(schedule.when, nowMs - RETRY_MINUTES * MINUTE_MS);
      if (schedule.isPaused || plannedMs > nowMs || this.#told.get(id) === plannedMs) return;
      this.#told.set(id, plannedMs);
    }
    const run = { ...newRun(id, "time", nowMs), ...failedBy(faultOf(thrown)), endedMs: nowMs };
    for (const problem of await announce(schedule, run, signal)) log.warn("a failed run was not announced", problem);
  }
}
