import { create } from "zustand";
import type { CacheDamage } from "#shared/series/damage.ts";
import { bridge } from "../bridge/index.ts";

interface DamageStore {
  /** Connections whose cache file is broken, found since they were opened. */
  readonly connectionIds: readonly string[];
  /** By connection: what was damaged and left out, until the user has seen it. */
  readonly leftOut: Readonly<Record<string, readonly CacheDamage[]>>;
}

export const useDamage = create<DamageStore>(() => ({ connectionIds: [], leftOut: {} }));

export function followDamage(): void {
  bridge.on("cacheDamaged", ({ connectionId }) => {
    useDamage.setState(({ connectionIds }) => ({ connectionIds: [...new Set([...connectionIds, connectionId])] }));
  });
  bridge.on("cacheMended", ({ connectionId, damages }) => {
    // Summaries are made anew from the rows: nothing is missing then.
    const lost = damages.filter(({ what }) => what !== "summary");
    if (lost.length === 0) return;
    useDamage.setState(({ leftOut }) => ({
      leftOut: { ...leftOut, [connectionId]: [...(leftOut[connectionId] ?? []), ...lost] },
    }));
  });
  // A core that was started again opens the cache anew, and puts a damaged one aside by itself.
  bridge.on("engineRestarted", () => useDamage.setState({ connectionIds: [] }));
}

export function forgetDamage(connectionId: string): void {
  useDamage.setState(({ connectionIds }) => ({ connectionIds: connectionIds.filter((id) => id !== connectionId) }));
}

/** Once the user has seen what was left out. */
export function forgetLeftOut(connectionId: string): void {
  useDamage.setState(({ leftOut }) => ({ leftOut: { ...leftOut, [connectionId]: [] } }));
}
