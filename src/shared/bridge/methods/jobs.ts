import { z } from "zod";
import type { Estimate, JobProgress, JobSpec } from "#shared/job/job.ts";
import type { Verdict, VerdictState } from "#shared/job/verdict.ts";
import type { LedgerRange } from "../../schedule/ledger.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { type Schedule, schedule } from "#shared/schedule/schedule.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";
import { connectionId, intervalSeconds, range, stationId, stationIds, variables } from "./schemas.ts";

const jobId = z.string().min(1).max(100);

/** The window's text for `withForbidden`, which the fault of a refused job names. */
export const REQUEST_FORBIDDEN = "Request stations again that this key had no access to";
/** Whether to request stations again that the service refused last time; default false. */
const withForbidden = z.boolean().optional();

const stationRanges = z.object({ stationId, ranges: z.array(range).max(20_000).readonly() });

/** `only` limits the job to parts of its range, such as gaps; `refresh` requests everything again. */
const jobSpec = z.object({
  stationIds,
  variables,
  range,
  intervalSeconds,
  raw: z.boolean(),
  only: z.array(stationRanges).max(500).readonly().optional(),
  refresh: z.boolean().optional(),
});

/**
 * - queued: waits for its turn
 * - running: has active or queued requests
 * - paused: stopped by the user; can be resumed
 * - waitingForNetwork: running, but the service is unreachable; resumes by itself when the service responds
 * - needsKey: resumes when the connection gets a key that the service accepts
 * - finished: every cell has a verdict, possibly failures
 * - cancelled: cancelled by the user; downloaded data is kept, and the job can be started again
 * - broken: the service cannot be used at all (certificate, proxy, another program behind the address)
 */
export const JOB_VIEW_STATES = [
  "queued",
  "running",
  "paused",
  "waitingForNetwork",
  "needsKey",
  "finished",
  "cancelled",
  "broken",
] as const;
export type JobViewState = (typeof JOB_VIEW_STATES)[number];

/** A download job. */
export interface Job {
  readonly id: string;
  readonly connectionId: string;
  readonly spec: JobSpec;
  readonly state: JobViewState;
  /** A sentence for the user if the state needs one. */
  readonly reason: string | null;
  /** Progress of the current or last run; null before the first. */
  readonly progress: JobProgress | null;
  /** Number of cells (station × variable × range) by verdict; null before the first run ends. */
  readonly verdictCounts: Partial<Record<VerdictState, number>> | null;
  readonly createdAtMs: UtcMs;
  readonly updatedAtMs: UtcMs;
  /** Whether the job runs again periodically with an end that moves with the clock, to keep its stations up to date. */
  readonly keepUp: boolean;
  /** null if the job does not keep up to date. */
  readonly nextRunMs: UtcMs | null;
}

/** Downloads into the cache. Jobs are stored and outlive windows and the program. */
export const jobs = {
  /**
   * Estimates the cost of a job from the cache; sends nothing. Stations that the service refused last time are left out,
   * unless `withForbidden`. Faults: usage, disk.
   */
  estimate: method<Estimate>()(z.object({ connectionId, spec: jobSpec, withForbidden })),
  /**
   * Starts a job for the stations that `estimate` counts. It is stored, so that it resumes after a stop, a kill or a
   * power failure. Faults: usage (the key has access to none of the stations), disk.
   */
  start: method<Job>()(z.object({ connectionId, spec: jobSpec, keepUp: z.boolean(), withForbidden })),
  /** All stored jobs, newest first. Faults: disk. */
  list: method<Job[]>()(z.object({})),
  pause: method<Job>()(z.object({ jobId })),
  /** Resumes a paused, cancelled, finished, broken or waiting job: requests only data that the cache lacks. */
  resume: method<Job>()(z.object({ jobId })),
  cancel: method<Job>()(z.object({ jobId })),
  setKeepUp: method<Job>()(z.object({ jobId, keepUp: z.boolean() })),
  /** Stops a job if it runs and removes it from the list; downloaded data stays. */
  remove: method<null>()(z.object({ jobId })),
  /** Verdicts of all cells at the end of the last run; empty before. */
  verdicts: method<Verdict[]>()(z.object({ jobId })),
};

const scheduleId = z.string().min(1).max(100);

/** A stored schedule with its state. */
export interface KeptSchedule {
  readonly id: string;
  readonly schedule: Schedule;
  /** null while it is paused. */
  readonly nextRunMs: UtcMs | null;
  /** The latest run, which may be in progress; null before the first. */
  readonly lastRun: ScheduleRun | null;
  /** Stage of a run in progress in this program, or null. */
  readonly stage: ScheduleStage | null;
  /** The last download of that run in the list of jobs; null before it. */
  readonly jobId: string | null;
  /** Folder of its files. */
  readonly folder: string;
}

export type ScheduleStage = "download" | "export" | "forget";

/** Downloads and exports of all connections that repeat while the program runs. `schedulesChanged` reports changes. */
export const schedules = {
  /** By name. Faults: disk. */
  list: method<KeptSchedule[]>()(z.object({})),
  /**
   * Stores a new schedule, or changes the one with this `id`. With `before`, the settings when the edit began, settings
   * that somebody else changed in the meantime are kept. The folder has to be chosen with `system.chooseFolder`.
   * Faults: usage (the name is taken, the folder was not chosen, data would be deleted that the next run needs), disk.
   */
  save: method<KeptSchedule>()(z.object({ id: scheduleId.nullable(), schedule, before: schedule.optional() })),
  /**
   * Deletes it with its history, and stops a run in progress. Its files stay. With `before`, one that was changed since is
   * kept. Faults: usage (it was changed), disk.
   */
  remove: method<null>()(z.object({ id: scheduleId, before: schedule.optional() })),
  /** Ranges that become due during a pause are skipped. */
  setPaused: method<null>()(z.object({ id: scheduleId, isPaused: z.boolean() })),
  /** Delivers all open ranges now, and the range of the present time; events report its end. Faults: usage (it runs already, here or in another program), disk. */
  run: method<null>()(z.object({ id: scheduleId })),
  /** Stops a run in progress in this program; downloaded data is kept. */
  stop: method<null>()(z.object({ id: scheduleId })),
  /** Its ranges, first due first. */
  ledger: method<LedgerRange[]>()(z.object({ id: scheduleId })),
  /** The last runs, newest first. */
  history: method<ScheduleRun[]>()(z.object({ id: scheduleId })),
};
