import type { Connectivity } from "#shared/bridge/methods/connections.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { AppFault } from "#shared/fault.ts";
import { serviceFault } from "../../fault.ts";
import { withServerTime } from "../../sync/catalogue.ts";
import type { OpenConnection } from "./connections.ts";
import { type ConnectivityWatch, reachOf } from "./connectivity.ts";

/** Checks with the smallest possible request whether the service is reachable. A refused key is a fault. */
export async function probe(
  { record, session }: OpenConnection,
  watch: ConnectivityWatch,
  signal: AbortSignal,
): Promise<Result<Connectivity, AppFault>> {
  // A service that requested a pause is reachable.
  if (session.limiter.pausedUntilMs() === null) {
    const answer = await withServerTime(session, () => session.client.stationsPage({}, 1, 1, signal));
    const error = answer.ok ? null : answer.error;
    watch.noteProbe(record.id, error);
    // Tells jobs that wait for the service.
    const reach = reachOf(error);
    if (reach === "answered") session.limiter.recordResult(null);
    else if (reach === "lost") session.limiter.recordResult(error);
    if (!answer.ok && ["unauthorized", "cancelled"].includes(answer.error.kind))
      return failure(serviceFault(answer.error));
  }
  return success(watch.of(record.id));
}
