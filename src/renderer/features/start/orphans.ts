import { create } from "zustand";
import type { OrphanedCache } from "#shared/bridge/methods/connections.ts";
import { bridge } from "../../bridge/index.ts";

/** Caches in the data folder that no connection has. */
export const useOrphans = create<{ readonly caches: readonly OrphanedCache[] }>(() => ({ caches: [] }));

export async function loadOrphans(): Promise<void> {
  const answer = await bridge.connections.orphans({});
  if (answer.ok) useOrphans.setState({ caches: answer.value });
}

/** What a cache is called where it does not say whose it was: the file itself. */
export function orphanName({ name, path }: OrphanedCache): string {
  return name ?? path.split(/[\\/]/).at(-1) ?? path;
}
