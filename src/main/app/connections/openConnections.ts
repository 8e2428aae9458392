import type { CacheDamage } from "#shared/series/damage.ts";
import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { ClockDisagreement } from "#shared/clocks.ts";
import type { StationGroup } from "#shared/station/group.ts";
import type { ServiceError } from "#shared/service/error.ts";
import { createClient, createRefusingClient } from "../../client/index.ts";
import type { ServiceClient } from "../../client/types.ts";
import type { DemoService, Ports } from "../../ports.ts";
import {
  type ClaimStore,
  lockFile,
  isCacheFile,
  openCache,
  openClaimStore,
  removeDatabase,
  StoreError,
} from "../../store/index.ts";
import type { Cache, ConnectionRecord, UserStore } from "../../store/types.ts";
import { type Claims, createClaims } from "../../sync/claims.ts";
import { systemClock } from "../../sync/clock.ts";
import { createSession, type Session } from "../../sync/session.ts";
import { createSharedClaims } from "../../sync/sharedClaims.ts";
import { claimCache, demandOwn, originOf, ownerOf } from "./belonging.ts";
import { log } from "../../log/index.ts";
import { watchedClient } from "./connectivity.ts";
import { readOnlyCache } from "../storage/readOnly.ts";
import { fromFileSentence } from "./connectionRecords.ts";
import type { Keyring } from "./keyring.ts";
import { createSettings } from "../settings.ts";

/** A connection in use: its cache is open, its requests share one limiter. */
export interface OpenConnection {
  readonly record: ConnectionRecord;
  readonly session: Session;
  readonly cache: Cache;
  /** Groups of its stations that the user keeps. */
  groups?(): readonly StationGroup[];
}

/** The connections in use: what they need is opened when it is first wanted, and once. */
export interface OpenConnections {
  open(record: ConnectionRecord): Promise<OpenConnection>;
  /**
   * Works with another file from now on, which holds what the cache of the connection holds, and deletes the old one.
   * What is under way with the old one is answered with a fault.
   *
   * @returns the old file where it could not be deleted, else null
   */
  relocate(connection: OpenConnection, cachePath: string): string | null;
  /**
   * Closes the cache of a connection and opens it anew, which puts a damaged one aside. What is under way with it is
   * answered with a fault.
   */
  reopen(connection: OpenConnection): Promise<OpenConnection>;
  /**
   * Keeps every other process away from the cache of a connection while `work` runs, which is told where the cache lies.
   *
   * @param doing as "remove the connection", for the sentence of the error
   * @throws StoreError `busy` where another process has the cache open, before `work` begins
   */
  alone(record: ConnectionRecord, doing: string, work: (cachePath: string) => Promise<void>): Promise<void>;
  /** A client for a connection that is not kept yet, or with another key. The caller closes it. */
  clientFor(baseUrl: string, apiKey: () => string | null): ServiceClient;
  closeOne(id: string): Promise<void>;
  closeAll(): Promise<void>;
}

/** Who wants to know what happens to connections in use. */
export interface UseWatch {
  onRequest(connectionId: string, error: ServiceError | null): void;
  onCommit(connectionId: string, stationIds: readonly string[]): void;
  /** The clocks of the service and of this computer came to disagree, or agree again. */
  onClocks(connectionId: string, disagreement: ClockDisagreement | null): void;
  onDamage(connectionId: string, message: string): void;
  /** Damage was found while the cache was used, and left out. */
  onRepaired(connectionId: string, damages: readonly CacheDamage[]): void;
  /** A cache that the program did not close last time is being checked: how far that is, 0 to 1. */
  onCheck(connectionId: string, share: number): void;
}

/** What tells apart, in a sentence of another process, who has a cache open. */
const WINDOW = "a window of Zenith Desk";
const COMMAND = "the command line";
/** Of a connection whose cache is moved again and again while it is opened. */
const MOST_TRIES = 3;

export function createOpenConnections(
  ports: Ports,
  users: UserStore,
  keyring: Keyring,
  watch: UseWatch,
): OpenConnections {
  const opened = new Map<string, Promise<OpenConnection>>();
  let demo: Promise<DemoService> | null = null;
  let claimStore: ClaimStore | null = null;
  let isWithoutStore = false;

  function clientFor(
    baseUrl: string,
    apiKey: () => string | null,
    whyNoKey: () => string | null = () => null,
  ): ServiceClient {
    return createClient({ baseUrl, apiKey, whyNoKey, ...(ports.transport ? { transport: ports.transport } : {}) });
  }

  async function start(record: ConnectionRecord): Promise<OpenConnection> {
    if (record.damage !== undefined) throw new StoreError("corrupt", record.name, `“${record.name}”: ${record.damage}`);
    const { id } = record;
    let baseUrl = record.baseUrl;
    if (record.kind === "demo") {
      demo ??= ports.startDemo();
      // One that could not be started is not kept: the next try starts anew.
      demo.catch(() => (demo = null));
      const running = await demo;
      baseUrl = running.url;
      keyring.useOwn(id, running.apiKey, originOf(baseUrl));
    }
    const origin = originOf(baseUrl);
    const plain =
      record.kind === "file"
        ? createRefusingClient(baseUrl, fromFileSentence(record))
        : clientFor(
            baseUrl,
            () => keyring.now(id, origin),
            () => keyring.whyNot(id, origin),
          );
    const client = watchedClient(plain, (error) => watch.onRequest(id, error));
    const cache = openCacheOf(record);
    try {
      if (record.kind === "service") await settleKey(record, cache, origin);
    } catch (thrown) {
      cache.close();
      throw thrown;
    }
    const session = createSession({
      client,
      cache,
      onCommit: (stationIds) => watch.onCommit(id, stationIds),
      onClocks: (disagreement) => watch.onClocks(id, disagreement),
      claims: claimsOf(id),
      ...(ports.clock ? { clock: ports.clock } : {}),
      ...(ports.patience ? { patience: ports.patience } : {}),
    });
    const groups = (): readonly StationGroup[] =>
      createSettings(users)
        .read()
        .stationGroups.filter(({ connectionId }) => connectionId === id);
    return { record, session, cache, groups };
  }

  /** Makes sure that the cache is the connection's own, and that its key goes where it was entered for. */
  async function settleKey(record: ConnectionRecord, cache: Cache, origin: string): Promise<void> {
    demandOwn(cache, record);
    const owner = ownerOf(cache);
    const known = [...users.backedUpAddresses(record.id), ...(owner ? [owner.baseUrl] : [])];
    await keyring.load(record.id, origin, known.map(originOf));
    if (owner !== null) return;
    try {
      claimCache(cache, record);
    } catch {
      // A disk that may not be written keeps nobody from reading.
    }
  }

  /** Another process may have moved the cache, or removed the connection, just before it was known here as being in use. */
  function openCacheOf(asked: ConnectionRecord, tries = 1): Cache {
    const record = stillKept(asked);
    const kept = cachePathOf(record);
    const copy = ports.copyOfCache?.(kept) ?? null;
    const path = copy?.copy ?? kept;
    // A whole path may have been written into user.db by another hand: a file that is no cache is not put aside as damaged.
    if (isAbsolute(record.cacheFile) && existsSync(path) && statSync(path).size > 0 && !isCacheFile(path))
      throw new StoreError("foreign", path, `${path}: This file is no cache of Zenith Desk; it was left as it is.`);
    const leave = storeOrNull()?.registerUse(path, ports.desktop ? WINDOW : COMMAND);
    let isMoved = false;
    try {
      const opened = openCache(path, {
        others: () => otherUsersOf(path),
        confirm() {
          isMoved = stillKept(record).cacheFile !== record.cacheFile;
          if (isMoved) throw new StoreError("busy", path, `${path}: The cache is being moved. Try again in a moment.`);
        },
        onDamage: (message) => watch.onDamage(record.id, message),
        onRepaired: (damages) => watch.onRepaired(record.id, damages),
        onCheck: (share) => watch.onCheck(record.id, share),
      });
      const cache = copy === null ? opened : readOnlyCache(opened, copy.original);
      return {
        ...cache,
        close() {
          leave?.();
          cache.close();
        },
      };
    } catch (thrown) {
      leave?.();
      if (isMoved && tries < MOST_TRIES) return openCacheOf(record, tries + 1);
      throw thrown;
    }
  }

  function otherUsersOf(path: string): readonly string[] {
    return storeOrNull()?.otherUsersOf(path) ?? [];
  }

  function storeOrNull(): ClaimStore | null {
    try {
      return (claimStore ??= openClaimStore(join(ports.dataFolder, "claims.db"), ports.isOnlyCore));
    } catch (thrown) {
      if (!isWithoutStore) log.warn("downloads of other programs are unknown", thrown);
      isWithoutStore = true;
      return null;
    }
  }

  /** @throws StoreError where it was removed */
  function stillKept(record: ConnectionRecord): ConnectionRecord {
    const kept = users.connections().find(({ id }) => id === record.id);
    if (kept) return kept;
    throw new StoreError("cannotOpen", record.name, `“${record.name}” has been removed. Choose another connection.`);
  }

  /** Held among all processes of the data folder; where they cannot be told, in this one alone. */
  function claimsOf(id: string): Claims {
    const open = storeOrNull();
    if (open === null) return createClaims();
    const board = {
      take: (claim: string, isFree: (others: readonly string[]) => boolean) => open.take(id, claim, isFree),
      version: () => open.version(),
    };
    return createSharedClaims(board, ports.clock ?? systemClock);
  }

  /** @throws StoreError where a cache that was moved is not there: an empty one in its place would hide that */
  function cachePathOf({ cacheFile }: ConnectionRecord): string {
    const path = resolve(ports.dataFolder, cacheFile);
    if (!isAbsolute(cacheFile) || existsSync(dirname(path))) return path;
    throw new StoreError(
      "cannotOpen",
      path,
      `${path}: The cache of this connection was moved to a folder that is not there now. Attach its disk, then try ` +
        "again; or remove the connection and connect anew, with an empty cache.",
    );
  }

  async function open(record: ConnectionRecord): Promise<OpenConnection> {
    const known = opened.get(record.id);
    const connection = await (known ?? begin(record));
    // Deleted or replaced under us: what is at its place now is the cache.
    if (connection.cache.isInPlace() || opened.get(record.id) !== known || !known) return connection;
    await closeOne(record.id).catch(() => undefined);
    return opened.get(record.id) ?? begin(kept(record));
  }

  function begin(record: ConnectionRecord): Promise<OpenConnection> {
    const running = start(record);
    opened.set(record.id, running);
    // A failed start is not kept: the next try may find the service, or the disk, in better shape.
    running.catch(() => opened.delete(record.id));
    return running;
  }

  async function closeOne(id: string): Promise<void> {
    const running = opened.get(id);
    opened.delete(id);
    if (!running) return;
    const { session, cache } = await running;
    await session.client.close();
    await cache.endChecks();
    cache.close();
  }

  return {
    open,
    async alone(record, doing, work) {
      const running = await opened.get(record.id)?.catch(() => null);
      if (running) return running.cache.exclusively(doing, () => work(running.cache.path));
      const path = resolve(ports.dataFolder, record.cacheFile);
      // Where its folder is gone, so is whoever would use it.
      if (!existsSync(dirname(path))) return work(path);
      const release = lockFile(path, doing, { others: () => otherUsersOf(path) });
      try {
        return await work(path);
      } finally {
        release();
      }
    },
    clientFor,
    closeOne,
    relocate({ record, cache, session }, cachePath) {
      // In one go: nothing may be written to the old file after the copy was taken.
      users.putConnection({ ...kept(record), cacheFile: cachePath });
      opened.delete(record.id);
      cache.close();
      void session.client.close();
      return removeDatabase(cache.path) ? null : cache.path;
    },
    async reopen({ record, cache, session }) {
      opened.delete(record.id);
      cache.close();
      await session.client.close();
      return open(kept(record));
    },
    async closeAll() {
      for (const id of opened.keys()) await closeOne(id);
      claimStore?.close();
      await (await demo?.catch(() => null))?.close();
    },
  };

  /** As it is kept now: it may have been renamed since it was opened. */
  function kept(record: ConnectionRecord): ConnectionRecord {
    return users.connections().find(({ id }) => id === record.id) ?? record;
  }
}
