import type { AppFault } from "#shared/fault.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { Events } from "../events.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { type JobQueue, runInQueue } from "../jobs/queue.ts";
import { hasEnded } from "#shared/job/job.ts";

/** Whether a download would send no request: all data are in the cache, or the connection is a file. */
export function isComplete(jobs: Jobs, connection: OpenConnection, spec: JobSpec): boolean {
  if (connection.record.kind === "file") return true;
  const known = new Set(connection.cache.catalogue().stations.map((s) => s.id));
  // `missing` ignores stations that are not in the cached catalogue, as after the cache was rebuilt.
  return spec.stationIds.every((id) => known.has(id)) && jobs.missing(connection, spec).length === 0;
}

interface FetchFirstContext {
  readonly jobs: Jobs;
  readonly queue: JobQueue;
  readonly events: Events;
}

/**
 * Downloads missing data through the queue and waits for the end, however long it waits there for its turn, the network
 * or a key. Parts that the service refused are not failures here, because they do not fail the job either.
 *
 * @param signal as that of `runInQueue`
 */
export async function fetchFirst(
  context: FetchFirstContext,
  connection: OpenConnection,
  spec: JobSpec,
  signal: AbortSignal,
): Promise<Result<null, AppFault>> {
  if (isComplete(context.jobs, connection, spec)) return success(null);
  const ended = await runInQueue(context, { connectionId: connection.record.id, spec }, hasEnded, signal);
  if (!ended.ok) return ended.error.kind === "cancelled" ? CANCELLED : ended;
  const { state, reason } = ended.value;
  if (state === "cancelled") return CANCELLED;
  if (state === "finished") return success(null);
  const message = `${reason ?? "The service cannot be used."} Nothing was exported.`;
  return failure({ kind: "service", message, cause: null });
}

const CANCELLED = failure<AppFault>({
  kind: "cancelled",
  message: "The download was stopped, so nothing was exported.",
  cause: null,
});
