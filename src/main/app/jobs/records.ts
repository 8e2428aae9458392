import { randomUUID } from "node:crypto";
import { hasEnded, type JobSpec } from "#shared/job/job.ts";
import { alignOutward } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { JobRecord, UserStore } from "../../store/index.ts";
import { sweepRefreshes } from "./refresh.ts";

/** Creates a job that has not run yet. */
export function newJob(connectionId: string, spec: JobSpec, keepUp: boolean, nowMs: UtcMs): JobRecord {
  return {
    id: randomUUID(),
    connectionId,
    spec: aligned(spec),
    state: "queued",
    reason: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    counters: null,
    verdictCounts: null,
    keepUp,
    nextRunMs: null,
  };
}

/** Extends the range to whole intervals, because the mean of a part of an interval must not be cached. */
export function aligned(spec: JobSpec): JobSpec {
  return spec.intervalSeconds === null ? spec : { ...spec, range: alignOutward(spec.range, spec.intervalSeconds) };
}

const PENDING_STATES: ReadonlySet<string> = new Set(["queued", "running"]);

/** Whether a job is waiting to run, or running. */
export function isPending({ state }: Pick<JobRecord, "state">): boolean {
  return PENDING_STATES.has(state);
}

/** A command that a timer starts every few minutes would otherwise fill `user.db`, and slow every start. */
const MAX_ENDED_JOBS = 200;

/** Deletes the oldest downloads of a connection that have ended, beyond this number. Returns their ids. */
export function removeOldJobs(users: UserStore, connectionId: string): readonly string[] {
  const own = users.jobs().filter((job) => job.connectionId === connectionId && job.damage === undefined);
  const ended = own.filter((job) => hasEnded(job) && job.nextRunMs === null);
  const old = ended.toSorted((a, b) => a.updatedAtMs - b.updatedAtMs).slice(0, -MAX_ENDED_JOBS);
  const ids = old.map(({ id }) => id);
  if (ids.length === 0) return [];
  users.deleteJobs(ids);
  // One that broke off left its file for a retry.
  sweepRefreshes(users);
  return ids;
}

/** Stations of a connection whose data must stay: a download that has not ended, or keeps up, uses them. */
export function stationsInUse(
  jobs: readonly Pick<JobRecord, "connectionId" | "keepUp" | "state" | "spec">[],
  connectionId: string,
): Set<string> {
  const own = jobs.filter((job) => job.connectionId === connectionId && (job.keepUp || !hasEnded(job)));
  return new Set(own.flatMap((job) => job.spec.stationIds));
}
