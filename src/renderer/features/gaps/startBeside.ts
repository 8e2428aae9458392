import type { JobSpec } from "#shared/job/job.ts";
import { bridge } from "../../bridge/index.ts";
import { showFault } from "../../stores/toasts.ts";

/**
 * Starts a download that may be over before a look at it, without opening the drawer; what it was asked from tells what
 * came of it. @returns whether it started
 */
export async function startBeside(connectionId: string, spec: JobSpec): Promise<boolean> {
  const answer = await bridge.jobs.start({ connectionId, spec, keepUp: false });
  if (!answer.ok) showFault(answer.error);
  return answer.ok;
}
