import { z } from "zod";
import type { Estimate, JobProgress, JobSpec } from "#shared/job/job.ts";
import type { Verdict, VerdictState } from "#shared/job/verdict.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";
import { connectionId, intervalSeconds, range, stationId, stationIds, variables } from "./words.ts";

const jobId = z.string().min(1).max(100);

/** Whether stations that the service refused the last time are asked again; they are not where it is left out. */
const withForbidden = z.boolean().optional();

const stationRanges = z.object({ stationId, ranges: z.array(range).max(20_000).readonly() });

/** `only` makes it a job about parts of its range, such as its gaps. */
export const jobSpec = z.object({
  stationIds,
  variables,
  range,
  intervalSeconds,
  raw: z.boolean(),
  only: z.array(stationRanges).max(500).readonly().optional(),
});

/**
 * - queued: waits for its turn
 * - running: requests are under way, or waiting for their turn
 * - paused: stopped by the user, goes on where it was
 * - waitingForNetwork: it runs, but the service is out of reach; goes on by itself when the service answers again
 * - needsKey: goes on when the connection gets a key that the service takes
 * - finished: every cell has a verdict; some of them may be failures
 * - cancelled: given up by the user; what arrived is kept, and it may be started again
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

/** A download job as the jobs drawer shows it. */
export interface Job {
  readonly id: string;
  readonly connectionId: string;
  readonly spec: JobSpec;
  readonly state: JobViewState;
  /** A sentence for the user where the state needs one. */
  readonly reason: string | null;
  /** Figures of the run under way, or of the last one; null before the first. */
  readonly progress: JobProgress | null;
  /** How many cells (station × variable × range) came to which verdict; null before the first end. */
  readonly verdictCounts: Partial<Record<VerdictState, number>> | null;
  readonly createdAtMs: UtcMs;
  readonly updatedAtMs: UtcMs;
  /** Whether it keeps its stations up to date: asked again with every age of newest data, its end moving with the clock. */
  readonly keepUp: boolean;
  /** When it asks again; null where it does not keep up. */
  readonly nextRunMs: UtcMs | null;
}

/** Downloads into the cache. They outlive the window, and the program. */
export const jobs = {
  /**
   * The cost of a job, from the cache alone: nothing is sent. Stations that the service refused the last time are left
   * out, unless `withForbidden`. Faults: usage, disk.
   */
  estimate: method<Estimate>()(z.object({ connectionId, spec: jobSpec, withForbidden })),
  /**
   * Starts a job, of the stations that `estimate` counts. It is kept, so that it resumes after a stop, a kill or a power
   * failure. Faults: usage (none of the stations is open to the key), disk.
   */
  start: method<Job>()(z.object({ connectionId, spec: jobSpec, keepUp: z.boolean(), withForbidden })),
  /** All kept jobs, newest first. Faults: disk. */
  list: method<Job[]>()(z.object({})),
  pause: method<Job>()(z.object({ jobId })),
  /** Goes on with a paused, cancelled, finished, broken or waiting job: only what the cache still lacks is asked. */
  resume: method<Job>()(z.object({ jobId })),
  cancel: method<Job>()(z.object({ jobId })),
  setKeepUp: method<Job>()(z.object({ jobId, keepUp: z.boolean() })),
  /** Takes a job off the list, stopping it where it runs; the cache keeps what arrived. */
  remove: method<null>()(z.object({ jobId })),
  /** What became of every cell at the last end of the job; empty before. */
  verdicts: method<Verdict[]>()(z.object({ jobId })),
};
