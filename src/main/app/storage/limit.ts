import { z } from "zod";
import type { CacheLimit, CacheTrim } from "#shared/bridge/methods/cache.ts";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";
import type { Events } from "../events.ts";
import { hasEnded } from "../jobs/run.ts";
import { createThrottle, type Throttle } from "../pacing.ts";
import { setImmediate as otherTurns } from "node:timers/promises";
import type { StationSize } from "#shared/series/cache.ts";
import type { Cache } from "../../store/index.ts";

/** Size limits of caches, stored in the caches, and eviction in the background. */
export interface CacheBounds {
  read(connection: OpenConnection): CacheLimit;
  /** Sets a limit, null for none, and evicts data at once. */
  set(connection: OpenConnection, limitBytes: number | null): Promise<CacheLimit>;
  /** Checks the size after a short delay, because data was written. */
  note(connectionId: string): void;
  stop(): Promise<void>;
}

interface BoundsContext {
  readonly connections: Pick<Connections, "find" | "open">;
  /** Downloads, whose stations are not evicted while they run or keep up to date. */
  readonly jobs: () => readonly Job[];
  readonly events: Events;
  readonly clock: Clock;
}

/** The setting of a cache that says how large it may become. */
const LIMIT = "limitBytes";
const LAST_EVICTION = "lastMadeRoom";
const PAUSE_MS = 5_000;

const lastEvictionSchema = z.object({
  atMs: z.number(),
  stationIds: z.array(z.string()),
  freedBytes: z.number(),
});

export function createCacheBounds({ connections, jobs, events, clock }: BoundsContext): CacheBounds {
  const throttles = new Map<string, Throttle>();
  let work: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  async function evictToLimit({ record, cache }: OpenConnection): Promise<void> {
    const limitBytes = limitOf(cache.setting(LIMIT));
    if (limitBytes === null || isStopped || cache.usedBytes() <= limitBytes) return;
    const isInUse = (stationId: string): boolean =>
      isStopped ||
      jobs().some(
        (job) =>
          job.connectionId === record.id && (job.keepUp || !hasEnded(job)) && job.spec.stationIds.includes(stationId),
      );
    const { stationIds, freedBytes, isStillOver } = await evict(cache, limitBytes, isInUse);
    if (isStopped) return;
    if (stationIds.length > 0) {
      const last: CacheTrim = { atMs: clock.wallMs(), stationIds, freedBytes };
      cache.setSetting(LAST_EVICTION, JSON.stringify(last));
      events.emit("cacheChanged", { connectionId: record.id, stationIds });
      events.emit("cacheTrimmed", { connectionId: record.id, stationIds, freedBytes, limitBytes, isStillOver });
    }
  }

  /** One after the other, because two evictions at once would delete too much. */
  function inTurn(act: () => Promise<void>): Promise<void> {
    const next = work.then(act);
    work = next.catch(() => undefined);
    return next;
  }

  async function checkLimit(connectionId: string): Promise<void> {
    const record = connections.find(connectionId);
    if (!record || isStopped) return;
    await evictToLimit(await connections.open(record));
  }

  function note(connectionId: string): void {
    const known = throttles.get(connectionId);
    // After a failure, the next response triggers another check.
    const throttle =
      known ??
      createThrottle(clock, PAUSE_MS, () => void inTurn(() => checkLimit(connectionId)).catch(() => undefined));
    throttles.set(connectionId, throttle);
    throttle.schedule();
  }

  // The end of a job makes its stations evictable.
  const unsubscribe = events.subscribe(({ name, data }) => {
    if (name === "jobChanged" && hasEnded(data)) note(data.connectionId);
    if (name === "jobRemoved") for (const connectionId of throttles.keys()) note(connectionId);
  });

  return {
    read,
    async set(connection, limitBytes) {
      connection.cache.assertWritable();
      connection.cache.setSetting(LIMIT, limitBytes === null ? null : String(limitBytes));
      await inTurn(() => evictToLimit(connection));
      return read(connection);
    },
    note,
    async stop() {
      isStopped = true;
      unsubscribe();
      for (const throttle of throttles.values()) throttle.stop();
      await work;
    },
  };
}

function read({ cache }: OpenConnection): CacheLimit {
  const limitBytes = limitOf(cache.setting(LIMIT));
  return {
    limitBytes,
    usedBytes: cache.usedBytes(),
    last: parseStored(lastEvictionSchema, cache.setting(LAST_EVICTION)),
  };
}

function limitOf(text: string | null): number | null {
  const bytes = text === null ? Number.NaN : Number(text);
  return Number.isFinite(bytes) && bytes > 0 ? bytes : null;
}

/** Result of an eviction. */
interface Eviction {
  readonly stationIds: readonly string[];
  readonly freedBytes: number;
  /** Whether the remaining data, all pinned or in use, exceeds the limit. */
  readonly isStillOver: boolean;
}

/** Evictable stations, least recently used first, then larger ones first. */
export function evictionOrder(
  stations: readonly StationSize[],
  isInUse: (stationId: string) => boolean,
): readonly StationSize[] {
  return stations
    .filter((s) => !s.isPinned && s.asked !== null && !isInUse(s.stationId))
    .toSorted((a, b) => (a.usedAtMs ?? 0) - (b.usedAtMs ?? 0) || b.totalBytes - a.totalBytes);
}

/**
 * Deletes the data of stations until the file is within the limit, except pinned ones and those in use. Yields to other
 * work after each station.
 *
 * @param isInUse whether a download uses the station; called right before its data is deleted
 * @throws StoreError
 */
export async function evict(
  cache: Pick<Cache, "usedBytes" | "sizes" | "forget">,
  limitBytes: number,
  isInUse: (stationId: string) => boolean,
): Promise<Eviction> {
  const before = cache.usedBytes();
  const stationIds: string[] = [];
  if (before > limitBytes) {
    for (const { stationId } of evictionOrder(cache.sizes(), isInUse)) {
      if (cache.usedBytes() <= limitBytes) break;
      const isEvictable = cache.sizes().some((s) => s.stationId === stationId && !s.isPinned) && !isInUse(stationId);
      if (!isEvictable) continue;
      cache.forget([stationId], null);
      stationIds.push(stationId);
      await otherTurns();
    }
  }
  const after = cache.usedBytes();
  return { stationIds, freedBytes: Math.max(0, before - after), isStillOver: after > limitBytes };
}
