import { bridge } from "../../bridge/index.ts";
import { showFault } from "../../stores/toasts.ts";

/** Shows a written file in the system's file manager. */
export async function showFile(path: string): Promise<void> {
  const answer = await bridge.system.showInFolder({ path });
  if (!answer.ok) showFault(answer.error);
}
