import type { CacheDamage } from "#shared/series/cache.ts";
import { adoptCache, type AdoptOverrides, orphanedCaches } from "../connections/adopt.ts";
import { CacheChanges } from "../cacheChanges.ts";
import { Connections } from "../connections/connections.ts";
import type { Base } from "./base.ts";

/** Damaged data that was removed from the cache of a connection. */
export interface RepairedCache {
  readonly connectionId: string;
  readonly damages: readonly CacheDamage[];
}

interface ConnectionEvents {
  /** Called when rows of a connection were stored. */
  readonly onCommit: (connectionId: string) => void;
  /** Ends all work with a connection that is about to be removed. */
  readonly beforeRemove: (connectionId: string) => Promise<void>;
}

/** Creates the connections, and reports what happens to their caches. */
export function createConnections({ ports, users, events, clock, dataFolder }: Base, listener: ConnectionEvents) {
  const changes = new CacheChanges(events, clock);
  const repairs: RepairedCache[] = [];
  const connections = new Connections(ports, users, {
    onConnectivity: (connectivity) => events.emit("connectivity", connectivity),
    onCommit(connectionId, stationIds) {
      changes.note(connectionId, stationIds);
      listener.onCommit(connectionId);
    },
    onCatalogue: (connectionId) => events.emit("catalogueChanged", { connectionId }),
    onClocks: (connectionId, disagreement) => events.emit("clocksChanged", { connectionId, disagreement }),
    onDamage: (connectionId, message) => events.emit("cacheDamaged", { connectionId, message }),
    onRepaired(connectionId, damages) {
      repairs.push({ connectionId, damages });
      events.emit("cacheRepaired", { connectionId, damages });
      changes.note(connectionId, [...new Set(damages.map(({ stationId }) => stationId))]);
    },
    beforeRemove: listener.beforeRemove,
  });
  return {
    connections,
    changes,
    /** Damaged data that was found and removed since the application started. */
    repairs: (): readonly RepairedCache[] => repairs,
    /** Caches in the data folder that belong to no connection. */
    orphanedCaches: () => orphanedCaches(users, dataFolder),
    /** Creates a connection for a cache without one. @throws StoreError */
    adoptCache: (path: string, overrides: AdoptOverrides) => adoptCache(users, dataFolder, path, overrides),
  };
}
