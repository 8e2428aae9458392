import type { UtcMs } from "#shared/time/utc.ts";
import type { Clock } from "../sync/clock.ts";
import type { OpenConnection } from "./connections/connections.ts";
import type { Events } from "./events.ts";
import { createTimers } from "./jobs/timers.ts";
import { createThrottle, type Throttle } from "./pacing.ts";
import type { UserStore } from "../store/index.ts";

const PAUSE_MS = 500;
/** Wait between looks for commits of other processes. */
const LOOK_MS = 2_000;

/** The state of a cache at the last look. */
interface Seen {
  readonly foreignCommits: number;
  readonly fetchedAtMs: UtcMs | null;
}

/** The records that windows list, and the events that tell of their changes. */
type Records = Pick<UserStore, "connections" | "views" | "savedExports" | "schedules">;
const EVENTS = [
  ["connections", "connectionsChanged"],
  ["views", "viewsChanged"],
  ["savedExports", "savedExportsChanged"],
  ["schedules", "schedulesChanged"],
] as const;

/** Tells windows, at most twice a second, which stations have new data. */
interface CacheChanges {
  note(connectionId: string, stationIds: readonly string[]): void;
  /** From now on, looks for changes by other processes, such as a command, to these caches and records. */
  follow(connections: () => Promise<readonly OpenConnection[]>, records: Records): void;
  stop(): void;
}

export function createCacheChanges(events: Events, clock: Clock): CacheChanges {
  const changed = new Map<string, { readonly stationIds: Set<string>; readonly throttle: Throttle }>();
  const seen = new WeakMap<OpenConnection, Seen>();
  const seenRecords = new Map<string, string>();
  const timers = createTimers(clock);
  let isFollowing = false;

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

  function look(connection: OpenConnection): void {
    const { record, cache } = connection;
    try {
      const before = seen.get(connection);
      const foreignCommits = cache.foreignCommits();
      if (before?.foreignCommits === foreignCommits) return;
      const { fetchedAtMs } = cache.catalogue();
      seen.set(connection, { foreignCommits, fetchedAtMs });
      if (before === undefined) return;
      events.emit("cacheChanged", { connectionId: record.id, stationIds: null });
      if (before.fetchedAtMs !== fetchedAtMs) events.emit("catalogueChanged", { connectionId: record.id });
    } catch {
      // The cache is being closed or moved, or its disk does not answer: the next look finds out.
    }
  }

  function lookAtRecords(records: Records): void {
    try {
      for (const [list, event] of EVENTS) {
        const before = seenRecords.get(list);
        const now = JSON.stringify(records[list]());
        seenRecords.set(list, now);
        if (before !== undefined && before !== now) events.emit(event, null);
      }
    } catch {
      // As above.
    }
  }

  return {
    follow(connections, records) {
      if (isFollowing) return;
      isFollowing = true;
      const lookAtAll = async (): Promise<void> => {
        lookAtRecords(records);
        for (const connection of await connections()) look(connection);
        // It may have been stopped while a connection was being opened.
        if (isFollowing) timers.set("look", LOOK_MS, () => void lookAtAll());
      };
      void lookAtAll();
    },
    note(connectionId, stationIds) {
      const entry = changed.get(connectionId) ?? begin(connectionId);
      for (const id of stationIds) entry.stationIds.add(id);
      entry.throttle.schedule();
    },
    stop() {
      isFollowing = false;
      timers.clearAll();
      for (const { throttle } of changed.values()) throttle.stop();
    },
  };
}
