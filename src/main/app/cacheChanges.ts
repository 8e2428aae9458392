import type { Clock } from "../sync/clock.ts";
import type { Events } from "./events.ts";
import { createThrottle, type Throttle } from "./throttle.ts";

const PAUSE_MS = 500;

/** Tells windows, at most twice a second, which stations have new data. */
interface CacheChanges {
  note(connectionId: string, stationIds: readonly string[]): void;
  stop(): void;
}

export function createCacheChanges(events: Events, clock: Clock): CacheChanges {
  const changed = new Map<string, { readonly stationIds: Set<string>; readonly throttle: Throttle }>();

  function begin(connectionId: string) {
    const stationIds = new Set<string>();
    const throttle = createThrottle(clock, PAUSE_MS, () => {
      events.emit("cacheChanged", { connectionId, stationIds: [...stationIds] });
      stationIds.clear();
    });
    const entry = { stationIds, throttle };
    changed.set(connectionId, entry);
    return entry;
  }

  return {
    note(connectionId, stationIds) {
      const entry = changed.get(connectionId) ?? begin(connectionId);
      for (const id of stationIds) entry.stationIds.add(id);
      entry.throttle.schedule();
    },
    stop() {
      for (const { throttle } of changed.values()) throttle.stop();
    },
  };
}
