import type { UtcMs } from "#shared/time/utc.ts";
import type { Clock } from "../sync/clock.ts";
import type { OpenConnection } from "./connections/connections.ts";
import type { Events } from "./events.ts";
import { Throttle } from "./throttle.ts";
import { Timers } from "./timers.ts";
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
const EVENTS = {
  connection: "connectionsChanged",
  view: "viewsChanged",
  savedExport: "savedExportsChanged",
  schedule: "schedulesChanged",
  run: "schedulesChanged",
} as const;

/** Tells windows, at most twice a second, which stations have new data. */
export class CacheChanges {
  readonly #events: Events;
  readonly #clock: Clock;
  readonly #changed = new Map<string, { readonly stationIds: Set<string>; readonly throttle: Throttle }>();
  readonly #seen = new WeakMap<OpenConnection, Seen>();
  readonly #timers;
  #isFollowing = false;

  constructor(events: Events, clock: Clock) {
    this.#events = events;
    this.#clock = clock;
    this.#timers = new Timers(clock);
  }

  /** From now on, reports changes to records, and changes to these caches by other processes, such as a command. */
  follow(connections: () => Promise<readonly OpenConnection[]>, users: Pick<UserStore, "follow">): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const kinds = Object.keys(EVENTS) as (keyof typeof EVENTS)[];
    const look = users.follow(kinds, (kind) => this.#events.emit(EVENTS[kind], null));
    const lookAtAll = async (): Promise<void> => {
      try {
        look();
      } catch {
        // The disk does not answer: the next look finds out.
      }
      for (const connection of await connections()) this.#look(connection);
      // It may have been stopped while a connection was being opened.
      if (this.#isFollowing) this.#timers.set("look", LOOK_MS, () => void lookAtAll());
    };
    void lookAtAll();
  }

  note(connectionId: string, stationIds: readonly string[]): void {
    const entry = this.#changed.get(connectionId) ?? this.#begin(connectionId);
    for (const id of stationIds) entry.stationIds.add(id);
    entry.throttle.schedule();
  }

  stop(): void {
    this.#isFollowing = false;
    this.#timers.clearAll();
    for (const { throttle } of this.#changed.values()) throttle.stop();
  }

  #begin(connectionId: string) {
    const stationIds = new Set<string>();
    const throttle = new Throttle(this.#clock, PAUSE_MS, () => {
      this.#events.emit("cacheChanged", { connectionId, stationIds: [...stationIds] });
      stationIds.clear();
    });
    const entry = { stationIds, throttle };
    this.#changed.set(connectionId, entry);
    return entry;
  }

  #look(connection: OpenConnection): void {
    const { record, cache } = connection;
    try {
      const before = this.#seen.get(connection);
      const foreignCommits = cache.foreignCommits();
      if (before?.foreignCommits === foreignCommits) return;
      const { fetchedAtMs } = cache.catalogue();
      this.#seen.set(connection, { foreignCommits, fetchedAtMs });
      if (before === undefined) return;
      this.#events.emit("cacheChanged", { connectionId: record.id, stationIds: null });
      if (before.fetchedAtMs !== fetchedAtMs) this.#events.emit("catalogueChanged", { connectionId: record.id });
    } catch {
      // The cache is being closed or moved, or its disk does not answer: the next look finds out.
    }
  }
}
