import type { AppFault } from "#shared/fault.ts";
import type { SavedView } from "#shared/views/view.ts";
import { bridge } from "../../bridge/index.ts";

/** @returns why not, or null */
export async function renameView({ name }: SavedView, to: string): Promise<AppFault | null> {
  const answer = await bridge.views.rename({ name, to: to.trim() });
  return answer.ok ? null : answer.error;
}
