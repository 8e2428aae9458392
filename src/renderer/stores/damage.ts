import { create } from "zustand";
import type { CacheDamage } from "#shared/series/cache.ts";
import { bridge } from "../bridge/index.ts";

interface DamageStore {
  /** Connections whose cache file was found damaged since they were opened. */
  readonly connectionIds: readonly string[];
  /** By connection: damaged data that was left out, until the user has acknowledged it. */
  readonly leftOut: Readonly<Record<string, readonly CacheDamage[]>>;
}

export const useDamage = create<DamageStore>(() => ({ connectionIds: [], leftOut: {} }));

export function followDamage(): void {
  bridge.on("cacheDamaged", ({ connectionId }) => {
    useDamage.setState(({ connectionIds }) => ({ connectionIds: [...new Set([...connectionIds, connectionId])] }));
  });
  bridge.on("cacheRepaired", ({ connectionId, damages }) => {
    useDamage.setState(({ leftOut }) => ({
      leftOut: { ...leftOut, [connectionId]: [...(leftOut[connectionId] ?? []), ...damages] },
    }));
  });
  // A restarted core reopens the cache and moves a damaged one to quarantine.
  bridge.on("coreRestarted", () => useDamage.setState({ connectionIds: [] }));
}

export function forgetDamage(connectionId: string): void {
  useDamage.setState(({ connectionIds }) => ({ connectionIds: connectionIds.filter((id) => id !== connectionId) }));
}

/** Clears the list of data that was left out, once the user has acknowledged it. */
export function forgetLeftOut(connectionId: string): void {
  useDamage.setState(({ leftOut }) => ({ leftOut: { ...leftOut, [connectionId]: [] } }));
}
