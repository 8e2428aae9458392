import { create } from "zustand";
import { bridge } from "../../bridge/index.ts";
import type { KnownRecovery } from "./words.ts";

/** What has to be recovered before anything can be shown; null where nothing has. */
export const useRecovery = create<{ readonly recovery: KnownRecovery | null }>(() => ({ recovery: null }));

/** Asked where the connections cannot be had. @returns whether something has to be recovered */
export async function lookForRecovery(): Promise<boolean> {
  const answer = await bridge.recovery.state({});
  if (!answer.ok || answer.value.reason === null) return false;
  useRecovery.setState({ recovery: { ...answer.value, reason: answer.value.reason } });
  return true;
}

/** When the file is open again, in whichever window it was chosen, everything is new. */
export function followRecovery(): void {
  bridge.on("recovered", () => location.reload());
}
