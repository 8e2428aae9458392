import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { AppFault } from "#shared/fault.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { Events } from "../events.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { runInQueue } from "../jobs/ended.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { isComplete } from "./complete.ts";

export interface FetchFirst {
  readonly jobs: Jobs;
  readonly queue: JobQueue;
  readonly events: Events;
}

const ENDS: ReadonlySet<Job["state"]> = new Set(["finished", "cancelled", "broken"]);

/**
 * Brings what the cache lacks through the queue of downloads, and waits for as long as that takes: for its turn, for the
 * network, for a key. What the service withheld is no failure here, as it is none of the job.
 */
export async function fetchFirst(
  context: FetchFirst,
  connection: OpenConnection,
  spec: JobSpec,
): Promise<Result<null, AppFault>> {
  if (isComplete(context.jobs, connection, spec)) return success(null);
  const ended = await runInQueue(context, connection.record.id, spec, ({ state }) => ENDS.has(state));
  if (!ended.ok) return ended.error.kind === "cancelled" ? STOPPED : ended;
  const { state, reason } = ended.value;
  if (state === "cancelled") return STOPPED;
  if (state === "finished") return success(null);
  const message = `${reason ?? "The service cannot be used."} Nothing was exported.`;
  return failure({ kind: "service", message, cause: null });
}

const STOPPED = failure<AppFault>({
  kind: "cancelled",
  message: "The download was stopped, and so nothing was exported.",
  cause: null,
});
