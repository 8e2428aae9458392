import type { Job } from "#shared/bridge/jobs.ts";
import type { AppFault } from "#shared/fault.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { OpenConnection } from "../connections.ts";
import type { Events } from "../events.ts";
import type { Jobs } from "../jobs.ts";
import type { JobQueue } from "../queue/queue.ts";
import { isComplete } from "./complete.ts";

export interface FetchFirst {
  readonly jobs: Jobs;
  readonly queue: JobQueue;
  readonly events: Events;
}

/**
 * Brings what the cache lacks through the queue of downloads, and waits for as long as that takes: for its turn, for the
 * network, for a key. What the service withheld is no failure here, as it is none of the job.
 */
export async function fetchFirst(
  { jobs, queue, events }: FetchFirst,
  connection: OpenConnection,
  spec: JobSpec,
): Promise<Result<null, AppFault>> {
  if (isComplete(jobs, connection, spec)) return success(null);
  return new Promise((resolve) => {
    let jobId: string | null = null;
    const settle = (answer: Result<null, AppFault>): void => {
      unsubscribe();
      resolve(answer);
    };
    const look = (job: Job): void => {
      if (job.id !== jobId) return;
      if (job.state === "finished") settle(success(null));
      else if (job.state === "cancelled") settle(STOPPED);
      else if (job.state === "broken") settle(failure({ kind: "service", message: brokenWords(job), cause: null }));
    };
    const unsubscribe = events.subscribe((event) => {
      if (event.name === "jobChanged") look(event.data);
      else if (event.name === "jobRemoved" && event.data.jobId === jobId) settle(STOPPED);
    });
    const started = queue.start(connection.record.id, spec, false);
    if (!started.ok) return settle(started);
    jobId = started.value.id;
    look(started.value);
  });
}

const STOPPED = failure<AppFault>({
  kind: "cancelled",
  message: "The download was stopped, and so nothing was exported.",
  cause: null,
});

function brokenWords({ reason }: Job): string {
  return `${reason ?? "The service cannot be used."} Nothing was exported.`;
}
