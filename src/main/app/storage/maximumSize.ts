import { setImmediate as otherTurns } from "node:timers/promises";
import { z } from "zod";
import type { CacheMaximumSize, CacheTrim } from "#shared/bridge/methods/cache.ts";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";
import type { Events } from "../events.ts";
import { hasEnded } from "#shared/job/job.ts";
import { stationsInUse } from "../jobs/records.ts";
import { Throttle } from "../throttle.ts";
import type { StationSize } from "#shared/series/cache.ts";
import type { Cache } from "../../store/index.ts";

interface MaximumSizesContext {
  readonly connections: Pick<Connections, "find" | "open">;
  /** Downloads, whose stations are not evicted while they run or keep up to date. */
  readonly jobs: () => readonly Job[];
  readonly events: Events;
  readonly clock: Clock;
}

/** The setting of a cache that says how large it may become. */
const MAXIMUM = "maximumBytes";
const LAST_EVICTION = "lastEviction";
const PAUSE_MS = 5_000;

const lastEvictionSchema = z.object({
  atMs: z.number(),
  stationIds: z.array(z.string()),
  freedBytes: z.number(),
});

/** Maximum sizes of caches, stored in the caches, and eviction in the background. */
export class MaximumSizes {
  readonly #context: MaximumSizesContext;
  readonly #throttles = new Map<string, Throttle>();
  #work: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  // The end of a job makes its stations evictable.
  readonly #unsubscribe;

  constructor(context: MaximumSizesContext) {
    this.#context = context;
    this.#unsubscribe = context.events.subscribe(({ name, data }) => {
      if (name === "jobChanged" && hasEnded(data)) this.note(data.connectionId);
      if (name === "jobRemoved") for (const connectionId of this.#throttles.keys()) this.note(connectionId);
    });
  }

  read(connection: OpenConnection): CacheMaximumSize {
    return readMaximum(connection);
  }

  /** Sets a maximum size, null for none, and evicts data at once. */
  async set(connection: OpenConnection, maximumBytes: number | null): Promise<CacheMaximumSize> {
    connection.cache.assertWritable();
    connection.cache.setSetting(MAXIMUM, maximumBytes === null ? null : String(maximumBytes));
    await this.#inTurn(() => this.#evictToMaximum(connection));
    return readMaximum(connection);
  }

  /** Checks the size after a short delay, because data was written. */
  note(connectionId: string): void {
    const known = this.#throttles.get(connectionId);
    // After a failure, the next response triggers another check.
    const throttle =
      known ??
      new Throttle(
        this.#context.clock,
        PAUSE_MS,
        () => void this.#inTurn(() => this.#checkSize(connectionId)).catch(() => undefined),
      );
    this.#throttles.set(connectionId, throttle);
    throttle.schedule();
  }

  /** Checks caches that were written once more: a command mostly ends before the delay, and its stations were in use. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    for (const [connectionId, throttle] of this.#throttles) {
      throttle.stop();
      void this.#inTurn(() => this.#checkSize(connectionId)).catch(() => undefined);
    }
    await this.#work;
    this.#isStopped = true;
  }

  async #evictToMaximum({ record, cache }: OpenConnection): Promise<void> {
    const maximumBytes = parsedBytes(cache.setting(MAXIMUM));
    if (maximumBytes === null || this.#isStopped || cache.usedBytes() <= maximumBytes) return;
    const evictable = (): StationSize[] => {
      const inUse = stationsInUse(this.#context.jobs(), record.id);
      return this.#isStopped ? [] : cache.sizes().filter((s) => !s.isPinned && !inUse.has(s.stationId));
    };
    const { stationIds, freedBytes, isStillOver } = await evict(cache, maximumBytes, evictable);
    if (this.#isStopped) return;
    if (stationIds.length > 0) {
      const last: CacheTrim = { atMs: this.#context.clock.wallMs(), stationIds, freedBytes };
      cache.setSetting(LAST_EVICTION, JSON.stringify(last));
      this.#context.events.emit("cacheChanged", { connectionId: record.id, stationIds });
      this.#context.events.emit("cacheTrimmed", {
        connectionId: record.id,
        stationIds,
        freedBytes,
        maximumBytes,
        isStillOver,
      });
    }
  }

  /** One after the other, because two evictions at once would delete too much. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    const next = this.#work.then(act);
    this.#work = next.catch(() => undefined);
    return next;
  }

  async #checkSize(connectionId: string): Promise<void> {
    const record = this.#context.connections.find(connectionId);
    if (!record || this.#isStopped) return;
    await this.#evictToMaximum(await this.#context.connections.open(record));
  }
}

function readMaximum({ cache }: OpenConnection): CacheMaximumSize {
  const maximumBytes = parsedBytes(cache.setting(MAXIMUM));
  return {
    maximumBytes,
    usedBytes: cache.usedBytes(),
    last: parseStored(lastEvictionSchema, cache.setting(LAST_EVICTION)),
  };
}

function parsedBytes(text: string | null): number | null {
  const bytes = text === null ? Number.NaN : Number(text);
  return Number.isFinite(bytes) && bytes > 0 ? bytes : null;
}

/** Result of an eviction. */
interface Eviction {
  readonly stationIds: readonly string[];
  readonly freedBytes: number;
  /** Whether the remaining data, all pinned or in use, exceeds the maximum. */
  readonly isStillOver: boolean;
}

/** Milliseconds of work before other work gets its turn. */
const SLICE_MS = 8;

/**
 * Deletes the data of stations until the file is no larger than its maximum size: least recently used first, then larger
 * ones first.
 *
 * @param evictable lists the stations that may be evicted now; called again after other work, which may pin or use some
 * @throws StoreError
 */
export async function evict(
  cache: Pick<Cache, "usedBytes" | "forget">,
  maximumBytes: number,
  evictable: () => readonly StationSize[],
): Promise<Eviction> {
  const before = cache.usedBytes();
  const stationIds: string[] = [];
  const isOver = (): boolean => cache.usedBytes() > maximumBytes;
  while (isOver()) {
    const inOrder = evictable()
      .filter(({ asked }) => asked !== null)
      .toSorted((a, b) => (a.usedAtMs ?? 0) - (b.usedAtMs ?? 0) || b.totalBytes - a.totalBytes);
    if (inOrder.length === 0) break;
    const endMs = performance.now() + SLICE_MS;
    for (const { stationId } of inOrder) {
      cache.forget([stationId], null);
      stationIds.push(stationId);
      if (!isOver() || performance.now() >= endMs) break;
    }
    await otherTurns();
  }
  const after = cache.usedBytes();
  return { stationIds, freedBytes: Math.max(0, before - after), isStillOver: after > maximumBytes };
}
