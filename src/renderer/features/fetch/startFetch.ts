import type { JobSpec } from "#shared/job/job.ts";
import { bridge } from "../../bridge/index.ts";
import { showFault } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";

/**
 * Starts a download and shows it in the drawer.
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
  if (answer.ok) useWorkspace.setState({ isDrawerOpen: true });
  else showFault(answer.error);
  return answer.ok;
}
