import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Events } from "../events.ts";
import { type JobQueue, runInQueue } from "../jobs/queue.ts";
import { hasEnded } from "#shared/job/job.ts";
import type { ScheduleRunOptions } from "./delivery.ts";
import type { UserStore } from "../../store/index.ts";

function isOver(job: Job): boolean {
  return hasEnded(job) || job.state === "needsKey";
}

/**
 * Downloads for scheduled runs as visible jobs of the queue, which wait for their turn and for the network. A job that
 * needs a key ends the run.
 */
export function downloadInQueue(context: {
  readonly queue: JobQueue;
  readonly events: Events;
  readonly users: Pick<UserStore, "verdicts">;
}): (signal: AbortSignal, onJob: (jobId: string) => void) => ScheduleRunOptions["download"] {
  return (signal, onJob) => async (connection, spec) => {
    const order = { connectionId: connection.record.id, spec, onStart: onJob };
    const ended = await runInQueue(context, order, isOver, signal);
    if (!ended.ok) return { jobId: null, fault: ended.error, rows: 0, requests: 0, verdicts: [] };
    const { id, state, reason, progress } = ended.value;
    const { rows = 0, requestsSent: requests = 0 } = progress ?? {};
    const fault = endFault(state, reason);
    return { jobId: id, rows, requests, verdicts: context.users.verdicts(id) ?? [], fault };
  };
}

/** Returns why a download of a run ended in this state; null if it finished. */
export function endFault(state: Job["state"], reason: string | null): AppFault | null {
  if (state === "finished") return null;
  const kind = state === "needsKey" ? "key" : state === "cancelled" ? "cancelled" : "service";
  const why = state === "cancelled" ? "The download was cancelled." : "The service cannot be used.";
  return { kind, message: reason ?? why, cause: null };
}
