import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import type { CacheDamage } from "#shared/series/cache.ts";
import type { ClockDisagreement } from "#shared/clocks.ts";
import type { Connectivity } from "#shared/bridge/methods/connections.ts";
import type { StationGroup } from "#shared/station/group.ts";
import { createClient, createRefusingClient } from "../../client/index.ts";
import type { ServiceClient } from "../../client/types.ts";
import type { DemoService, Ports } from "../../ports.ts";
import {
  type Cache,
  isCacheFile,
  lockFile,
  lockPathOf,
  openCache,
  removeDatabase,
  StoreError,
  type UserStore,
  type ConnectionRecord,
} from "../../store/index.ts";
import type { NetworkRoute } from "../../client/types.ts";
import { createSession, type Session } from "../../sync/session.ts";
import { assertOwner, cacheFileIn, originOf, readOwner, writeOwner } from "./adopt.ts";
import { FolderClaims } from "./folderClaims.ts";
import { fromFileSentence, settlingMarginOf } from "./connectionRecords.ts";
import { connectivityOf } from "./contact.ts";
import type { Keyring } from "./keyring.ts";
import { closeAll } from "../closing.ts";
import { SettingsStore } from "../settings.ts";

/** A connection in use: its cache is open, its requests share one limiter. */
export interface OpenConnection {
  readonly record: ConnectionRecord;
  readonly session: Session;
  readonly cache: Cache;
  /** Groups of its stations that the user keeps. */
  groups?(): readonly StationGroup[];
}

/** Receives events of open connections. */
export interface OpenConnectionListener {
  /** The service became reachable or unreachable, or a pause that it asked for began or ended early. */
  onConnectivity(connectivity: Connectivity): void;
  onCommit(connectionId: string, stationIds: readonly string[]): void;
  /** The catalogue was stored, or a page of the first one arrived. */
  onCatalogue(connectionId: string): void;
  /** The clocks of the service and of this computer started to disagree, or agree again. */
  onClocks(connectionId: string, disagreement: ClockDisagreement | null): void;
  onDamage(connectionId: string, message: string): void;
  /** Damaged data was found in use, and removed. */
  onRepaired(connectionId: string, damages: readonly CacheDamage[]): void;
}

/** Attempts to open a cache that other processes keep moving. */
const MAX_ATTEMPTS = 3;

/** The open connections. Each is opened once, when it is first needed. */
export class OpenConnections {
  protected readonly ports: Ports;
  protected readonly users: UserStore;
  protected readonly keyring: Keyring;
  readonly #watch: OpenConnectionListener;
  readonly #opened = new Map<string, Promise<OpenConnection>>();
  #demo: Promise<DemoService> | null = null;
  readonly #claims;

  constructor(ports: Ports, users: UserStore, keyring: Keyring, watch: OpenConnectionListener) {
    this.ports = ports;
    this.users = users;
    this.keyring = keyring;
    this.#watch = watch;
    this.#claims = new FolderClaims(ports);
  }

  async open(record: ConnectionRecord): Promise<OpenConnection> {
    const known = this.#opened.get(record.id);
    const connection = await (known ?? this.#startOnce(record));
    // Deleted or replaced while open: the file in its place is the cache now.
    if (connection.cache.isInPlace() || this.#opened.get(record.id) !== known || !known) return connection;
    await this.closeOne(record.id).catch(() => undefined);
    return this.#opened.get(record.id) ?? this.#startOnce(this.#currentRecord(record));
  }

  /** Returns all open connections, after the connections that are being opened. */
  async opened(): Promise<readonly OpenConnection[]> {
    const settled = await Promise.allSettled(this.#opened.values());
    return settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  }

  /**
   * Keeps all other processes away from the cache of a connection while `work` runs on it.
   *
   * @param doing for the error message, such as "remove the connection"
   * @throws StoreError `busy` if another process has the cache open, before `work` begins
   */
  protected async alone(
    record: ConnectionRecord,
    doing: string,
    work: (cachePath: string) => Promise<void>,
  ): Promise<void> {
    const running = await this.#opened.get(record.id)?.catch(() => null);
    if (running) return running.cache.exclusively(doing, () => work(running.cache.path));
    const path = resolve(this.ports.dataFolder, record.cacheFile);
    // If its folder is gone, nobody uses it.
    if (!existsSync(dirname(path))) return work(path);
    const release = lockFile(path, doing, { others: () => this.#claims.otherUsersOf(path) });
    try {
      return await work(path);
    } finally {
      release();
    }
  }

  /** Creates a client for a connection that is not stored yet, or with another key. The caller closes it. */
  protected clientFor(
    baseUrl: string,
    apiKey: () => string | null,
    { proxy, caFile }: Partial<NetworkRoute> = {},
    whyNoKey: () => string | null = () => null,
  ): ServiceClient {
    const options = { baseUrl, apiKey, whyNoKey };
    if (proxy || caFile) return createClient({ ...options, route: { proxy: proxy ?? null, caFile: caFile ?? null } });
    return createClient({ ...options, ...(this.ports.transport ? { transport: this.ports.transport } : {}) });
  }

  protected async closeOne(id: string): Promise<void> {
    const running = this.#opened.get(id);
    this.#opened.delete(id);
    // One that was still being opened, and failed, has closed what it had.
    const connection = await running?.catch(() => null);
    if (!connection) return;
    try {
      await connection.session.client.close();
    } finally {
      connection.cache.close();
    }
  }

  /**
   * Switches a connection to another file with the same content, and deletes the old one. Calls still using the old file
   * fail.
   *
   * @returns the old file if it could not be deleted, else null
   */
  relocate({ record, cache, session }: OpenConnection, cachePath: string): string | null {
    // Without await: nothing may be written to the old file after it was copied.
    const moved = { ...this.#currentRecord(record), cacheFile: cacheFileIn(this.ports.dataFolder, cachePath) };
    this.users.putConnection(moved);
    this.#opened.delete(record.id);
    cache.close();
    void session.client.close();
    // If the old file cannot be deleted, the next start tries again.
    if (!removeDatabase(cache.path)) return cache.path;
    this.users.putConnection({ ...moved, moving: null });
    return null;
  }

  /**
   * Closes and reopens the cache of a connection, which moves a damaged one to quarantine. Calls still using it fail.
   */
  async reopen({ record, cache, session }: OpenConnection): Promise<OpenConnection> {
    this.#opened.delete(record.id);
    cache.close();
    await session.client.close();
    return this.open(this.#currentRecord(record));
  }

  async close(): Promise<void> {
    await closeAll(
      ...[...this.#opened.keys()].map((id) => () => this.closeOne(id)),
      () => this.#claims.close(),
      async () => (await this.#demo?.catch(() => null))?.close(),
    );
  }

  async #start(record: ConnectionRecord): Promise<OpenConnection> {
    if (record.damage !== undefined) throw new StoreError("corrupt", record.name, `“${record.name}”: ${record.damage}`);
    const { id } = record;
    let baseUrl = record.baseUrl;
    if (record.kind === "demo") {
      this.#demo ??= this.ports.startDemo();
      // After a failure, the next attempt starts another one.
      this.#demo.catch(() => (this.#demo = null));
      const running = await this.#demo;
      baseUrl = running.url;
      this.keyring.useOwn(id, running.apiKey, originOf(baseUrl));
    }
    const origin = originOf(baseUrl);
    const cache = this.#openCacheOf(record);
    let client: ServiceClient;
    try {
      if (record.kind === "service") await this.#verifyOwnerAndLoadKey(record, cache, origin);
      client = this.#clientOf(record, baseUrl, origin);
    } catch (thrown) {
      cache.close();
      throw thrown;
    }
    const session = createSession({
      client,
      cache,
      onCommit: (stationIds) => this.#watch.onCommit(id, stationIds),
      onCatalogue: () => this.#watch.onCatalogue(id),
      onClocks: (disagreement) => this.#watch.onClocks(id, disagreement),
      onConnectivity: () => this.#watch.onConnectivity(connectivityOf(id, session)),
      claims: this.#claims.of(id),
      settlingMarginMs: () => settlingMarginOf(this.users, id),
      ...(this.ports.clock ? { clock: this.ports.clock } : {}),
      ...(this.ports.patience ? { patience: this.ports.patience } : {}),
    });
    if (session.limiter.pausedUntilMs() !== null) this.#watch.onConnectivity(connectivityOf(id, session));
    const groups = (): readonly StationGroup[] =>
      new SettingsStore(this.users).read().stationGroups.filter(({ connectionId }) => connectionId === id);
    return { record, session, cache, groups };
  }

  #clientOf(record: ConnectionRecord, baseUrl: string, origin: string): ServiceClient {
    if (record.kind === "file") return createRefusingClient(baseUrl, fromFileSentence(record));
    const apiKey = (): string | null => this.keyring.keyFor(record.id, origin);
    return this.clientFor(baseUrl, apiKey, record, () => this.keyring.whyWithheld(record.id, origin));
  }

  /** Verifies that the cache belongs to the connection, and loads its key for the origin it was entered for. */
  async #verifyOwnerAndLoadKey(record: ConnectionRecord, cache: Cache, origin: string): Promise<void> {
    assertOwner(cache, record);
    const owner = readOwner(cache);
    await this.keyring.load(record.id, origin, owner && originOf(owner.baseUrl));
    if (owner !== null) return;
    try {
      writeOwner(cache, record);
    } catch {
      // The disk may be read-only; reading works without the entry.
    }
  }

  /** Tries again if another process moved the cache before it was registered as in use. */
  #openCacheOf(opened: ConnectionRecord, attempt = 1): Cache {
    const record = this.#storedRecord(opened);
    const path = this.#cachePathOf(record);
    // Somebody else may have written an absolute path into user.db: other files must not be moved to quarantine.
    if (isAbsolute(record.cacheFile) && existsSync(path) && statSync(path).size > 0 && !isCacheFile(path))
      throw new StoreError("foreign", path, `${path}: This file is not a cache of Zenith Desk. It was not changed.`);
    const unregister = this.#claims.registerUse(path);
    let isMoved = false;
    try {
      const cache = openCache(path, {
        others: () => this.#claims.otherUsersOf(path),
        confirm: () => {
          isMoved = this.#storedRecord(record).cacheFile !== record.cacheFile;
          if (isMoved) throw new StoreError("busy", path, `${path}: The cache is being moved. Try again in a moment.`);
        },
        onDamage: (message) => this.#watch.onDamage(record.id, message),
        onRepaired: (damages) => this.#watch.onRepaired(record.id, damages),
      });
      return {
        ...cache,
        close() {
          unregister?.();
          cache.close();
        },
      };
    } catch (thrown) {
      unregister?.();
      if (isMoved && attempt < MAX_ATTEMPTS) return this.#openCacheOf(record, attempt + 1);
      throw thrown;
    }
  }

  /** Reads the current record from user.db. @throws StoreError if it was removed */
  #storedRecord(record: ConnectionRecord): ConnectionRecord {
    const kept = this.users.connections().find(({ id }) => id === record.id);
    if (kept) return kept;
    throw new StoreError("cannotOpen", record.name, `“${record.name}” has been removed. Choose another connection.`);
  }

  /**
   * A moved cache that is missing without a trace is on a disk that is not there now, though there may be an empty folder
   * in its place; a file that was deleted has left its lock file, and an empty one is created.
   *
   * @throws StoreError if the disk is missing: creating an empty cache there would download everything again
   */
  #cachePathOf({ cacheFile }: ConnectionRecord): string {
    const path = resolve(this.ports.dataFolder, cacheFile);
    if (!isAbsolute(cacheFile) || existsSync(path) || existsSync(lockPathOf(path))) return path;
    throw new StoreError(
      "cannotOpen",
      path,
      `${path}: The cache of this connection was moved there and is missing now. Attach its disk, then try again. If ` +
        "the file is in another place, use “zenith cache adopt FILE”. If it is lost, remove the connection and add it " +
        "again with an empty cache.",
    );
  }

  #startOnce(record: ConnectionRecord): Promise<OpenConnection> {
    const running = this.#start(record);
    this.#opened.set(record.id, running);
    // Forgotten after a failure, so that the next attempt starts again.
    running.catch(() => this.#opened.delete(record.id));
    return running;
  }

  /** Reads the current record: another window may have renamed the connection. */
  #currentRecord(record: ConnectionRecord): ConnectionRecord {
    return this.users.connections().find(({ id }) => id === record.id) ?? record;
  }
}
