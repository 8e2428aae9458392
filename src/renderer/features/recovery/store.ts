import { create } from "zustand";
import { bridge } from "../../bridge/index.ts";
import type { KnownRecovery } from "./words.ts";

/** The state of a user.db that cannot be opened; null if it can. */
export const useRecovery = create<{ readonly recovery: KnownRecovery | null }>(() => ({ recovery: null }));

/** Checks for a damaged user.db after the connections could not be loaded. @returns whether it must be recovered */
export async function lookForRecovery(): Promise<boolean> {
  const answer = await bridge.recovery.state({});
  if (!answer.ok || answer.value.reason === null) return false;
  useRecovery.setState({ recovery: { ...answer.value, reason: answer.value.reason } });
  return true;
}

/** Reloads the page when any window has recovered user.db. */
export function followRecovery(): void {
  bridge.on("recovered", () => location.reload());
}
