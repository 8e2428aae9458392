import type { JobSpec } from "#shared/job/job.ts";
import { bridge } from "../../bridge/index.ts";
import { showFault } from "../../stores/toasts.ts";

/**
 * Starts a download. The status bar tells how far it is, and opens the list of downloads: nothing opens over the plots.
 *
 * @param withForbidden whether stations that the service refused the last time are asked for too
 * @returns whether it started
 */
export async function startFetch(
  connectionId: string,
  spec: JobSpec,
  keepUp: boolean,
  withForbidden = false,
): Promise<boolean> {
  const answer = await bridge.jobs.start({ connectionId, spec, keepUp, withForbidden });
  if (!answer.ok) showFault(answer.error);
  return answer.ok;
}
