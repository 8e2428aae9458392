import type { JobSpec } from "#shared/job/job.ts";
import { bridge } from "../../bridge/index.ts";
import { orShowFault } from "../../stores/toasts.ts";
import { openConnectionId } from "../../stores/connection.ts";

/**
 * Starts a download without opening the list of downloads; the status bar shows its progress.
 *
 * @param withForbidden whether to request stations again to which the service refused access
 * @returns whether it started
 */
export async function startFetch(spec: JobSpec, keepUp = false, withForbidden = false): Promise<boolean> {
  const connectionId = openConnectionId();
  return (await orShowFault(bridge.jobs.start({ connectionId, spec, keepUp, withForbidden }))).ok;
}
