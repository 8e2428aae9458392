import { create } from "zustand";
import { bridge } from "../bridge/index.ts";

/** Connections in whose cache damage was found since they were opened. */
export const useDamage = create<{ readonly connectionIds: readonly string[] }>(() => ({ connectionIds: [] }));

export function followDamage(): void {
  bridge.on("cacheDamaged", ({ connectionId }) => {
    useDamage.setState(({ connectionIds }) => ({ connectionIds: [...new Set([...connectionIds, connectionId])] }));
  });
  // A core that was started again opens the cache anew, and puts a damaged one aside by itself.
  bridge.on("engineRestarted", () => useDamage.setState({ connectionIds: [] }));
}

export function forgetDamage(connectionId: string): void {
  useDamage.setState(({ connectionIds }) => ({ connectionIds: connectionIds.filter((id) => id !== connectionId) }));
}
