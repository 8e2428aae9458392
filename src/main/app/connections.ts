import type { ConnectionInfo } from "#shared/connection.ts";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import { createClient, createRefusingClient, readBaseUrl } from "../client/index.ts";
import type { ServiceClient } from "../client/types.ts";
import type { DemoService, Ports } from "../ports.ts";
import { type ClaimBoard, openCache, openClaimBoard, removeDatabase, StoreError } from "../store/index.ts";
import type { Cache, ConnectionRecord, UserStore } from "../store/types.ts";
import { type Claims, createClaims } from "../sync/claims.ts";
import { systemClock } from "../sync/clock.ts";
import { createSharedClaims } from "../sync/sharedClaims.ts";
import { refreshCatalogue } from "../sync/catalogue.ts";
import { createSession, type Session } from "../sync/session.ts";
import { serviceFault } from "../fault.ts";
import { fromFileFault, fromFileSentence } from "./fromFile.ts";
import { watchedClient } from "./connectivity.ts";
import { createKeyring } from "./keyring.ts";
import { heldIds, type Kinship, kinship, strangerSentence } from "./organization.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { freeName } from "#shared/views/freeName.ts";

/** A connection in use: its cache is open, its requests share one turnstile. */
export interface OpenConnection {
  readonly record: ConnectionRecord;
  readonly session: Session;
  readonly cache: Cache;
}

export interface Connections {
  list(): Promise<ConnectionInfo[]>;
  info(record: ConnectionRecord): Promise<ConnectionInfo>;
  /** Tries base URL and key on the service; answers how many stations they show. Nothing is kept. */
  test(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<Result<{ stations: number }, AppFault>>;
  /**
   * Keeps a connection. One of the same name gets the new key where address and organization are the same, which what the
   * key shows tells. Where they are not, or it does not tell, nothing is changed: a cache is not lost by a name.
   */
  add(
    name: string,
    baseUrl: string,
    apiKey: string,
    signal: AbortSignal,
    remember?: boolean,
  ): Promise<Result<ConnectionInfo, AppFault>>;
  /** Gives a connection another key, if the service takes it and it is of the organization whose data is cached. */
  setKey(id: string, apiKey: string, signal: AbortSignal, remember: boolean): Promise<Result<ConnectionInfo, AppFault>>;
  rename(id: string, name: string): Promise<Result<ConnectionInfo, AppFault>>;
  /** The demo connection: the embedded reference service, started when it is needed. */
  demo(): ConnectionRecord;
  /** Keeps a connection to a cache that came in a file, under a name that is free: nothing is ever sent for it. */
  addFile(id: string, name: string, baseUrl: string, cacheFile: string): ConnectionRecord;
  /** Forgets a connection with its key, its jobs and its cache. */
  remove(id: string): Promise<void>;
  find(name: string): ConnectionRecord | null;
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
  /** An API key for this run only, before any kept one: from the environment, or typed at a prompt. */
  useKey(id: string, apiKey: string): void;
  close(): Promise<void>;
}

/** Who wants to know what happens to connections. */
export interface ConnectionWatch {
  onRequest(connectionId: string, error: ServiceError | null): void;
  onCommit(connectionId: string, stationIds: readonly string[]): void;
  onDamage(connectionId: string, message: string): void;
  /** Whoever works with the connection stops, before it is closed for good. */
  beforeRemove(connectionId: string): Promise<void>;
}

const GONE = "This connection is not there any more. Choose another one.";
const DEMO_NAME = "demo";

export function createConnections(ports: Ports, users: UserStore, watch: ConnectionWatch): Connections {
  const opened = new Map<string, Promise<OpenConnection>>();
  const keyring = createKeyring(ports.secrets);
  let demo: Promise<DemoService> | null = null;
  let claimBoard: ClaimBoard | null = null;

  function clientFor(baseUrl: string, apiKey: () => string | null): ServiceClient {
    return createClient({ baseUrl, apiKey, ...(ports.transport ? { transport: ports.transport } : {}) });
  }

  async function start(record: ConnectionRecord): Promise<OpenConnection> {
    const { id } = record;
    let baseUrl = record.baseUrl;
    if (record.kind === "demo") {
      demo ??= ports.startDemo();
      // One that could not be started is not kept: the next try starts anew.
      demo.catch(() => (demo = null));
      const running = await demo;
      baseUrl = running.url;
      keyring.use(id, running.apiKey);
    } else if (record.kind === "service") {
      await keyring.load(id);
    }
    const plain =
      record.kind === "file"
        ? createRefusingClient(baseUrl, fromFileSentence(record))
        : clientFor(baseUrl, () => keyring.now(id));
    const client = watchedClient(plain, (error) => watch.onRequest(id, error));
    mkdirSync(ports.dataFolder, { recursive: true });
    const cache = openCache(cachePathOf(record), (message) => watch.onDamage(id, message));
    const session = createSession({
      client,
      cache,
      onCommit: (stationIds) => watch.onCommit(id, stationIds),
      claims: claimsOf(id),
      ...(ports.clock ? { clock: ports.clock } : {}),
    });
    return { record, session, cache };
  }

  /** Held among all processes of the data folder; where they cannot be told, in this one alone. */
  function claimsOf(id: string): Claims {
    try {
      claimBoard ??= openClaimBoard(join(ports.dataFolder, "claims.db"));
    } catch {
      return createClaims();
    }
    const open = claimBoard;
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

  async function remove(id: string): Promise<void> {
    const record = users.connections().find((c) => c.id === id);
    if (!record) return;
    await watch.beforeRemove(id);
    await closeOne(id);
    users.deleteConnection(id);
    await keyring.forget(id);
    // Its logs and whatever was put aside as damaged hold the same data and begin with the same name.
    const path = resolve(ports.dataFolder, record.cacheFile);
    // Where its folder is gone, so is the file.
    const names = await readdir(dirname(path)).catch(() => []);
    for (const name of names.filter((n) => n.startsWith(basename(path))))
      await rm(join(dirname(path), name), { force: true });
  }

  async function closeOne(id: string): Promise<void> {
    const running = opened.get(id);
    opened.delete(id);
    if (!running) return;
    const { session, cache } = await running;
    await session.client.close();
    cache.close();
  }

  /**
   * Whose a new key is, by what it shows; see `kinship`. Not being able to ask is no answer. Where it is good, the
   * catalogue is at once that of the new key: what it may not see is not even named any more.
   */
  async function kinshipOf(
    record: ConnectionRecord,
    apiKey: string,
    signal: AbortSignal,
  ): Promise<Result<Kinship, AppFault>> {
    if (await keyring.isKnown(record.id, apiKey)) return success("same");
    const { cache, session } = await open(record);
    const kept = cache.catalogue();
    const client = clientFor(record.baseUrl, () => apiKey);
    try {
      const stations = await client.allStations({}, signal);
      if (!stations.ok) return failure(serviceFault(stations.error));
      // A cache without a catalogue has no rows either: there is nothing that could mix.
      if (kept.fetchedAtMs === null) return success("same");
      const networks = await client.allNetworks(signal);
      if (!networks.ok) return failure(serviceFault(networks.error));
      const before = { stationIds: kept.stations.map((s) => s.id), networks: kept.networks };
      const seen = { stationIds: stations.value.items.map((s) => s.id), networks: networks.value.items };
      const found = kinship(before, heldIds(cache), seen);
      if (found !== "same") return success(found);
      const fresh = await refreshCatalogue({ ...session, client }, signal);
      return fresh.ok ? success(found) : failure(serviceFault(fresh.error));
    } finally {
      await client.close();
    }
  }

  function open(record: ConnectionRecord): Promise<OpenConnection> {
    const running = opened.get(record.id) ?? start(record);
    opened.set(record.id, running);
    // A failed start is not kept: the next try may find the service, or the disk, in better shape.
    running.catch(() => opened.delete(record.id));
    return running;
  }

  async function info({ id, name, baseUrl, kind }: ConnectionRecord): Promise<ConnectionInfo> {
    // The demo's key is made anew with each start.
    const keyKept = kind === "demo" ? "session" : kind === "file" ? "none" : await keyring.kept(id);
    return { id, name, baseUrl, kind, hasKey: keyKept !== "none", keyKept };
  }

  function byId(id: string): ConnectionRecord | undefined {
    return users.connections().find((c) => c.id === id);
  }

  return {
    list: () => Promise.all(users.connections().map(info)),
    info,
    async test(baseUrl, apiKey, signal) {
      const client = clientFor(baseUrl, () => apiKey);
      try {
        const page = await client.stationsPage({}, 1, 1, signal);
        return page.ok ? success({ stations: page.value.pagination.totalItems }) : failure(serviceFault(page.error));
      } finally {
        await client.close();
      }
    },
    async add(name, typedUrl, apiKey, signal, remember = true) {
      if (!isName(name)) return failure(nameFault(name));
      const address = readBaseUrl(typedUrl);
      if (!address.ok) return failure(usageFault(address.error));
      // However it was typed: a slash more is no other service.
      const baseUrl = address.value.origin + address.value.path;
      const existing = users.connections().find((c) => c.name === name);
      // Whoever gives a key wants data of the service, and what came in a file is not to be lost for it.
      if (existing?.kind === "file") return failure(nameFault(name));
      if (existing && existing.baseUrl !== baseUrl) return failure(usageFault(otherAddress(existing)));
      const kin = existing ? await kinshipOf(existing, apiKey, signal) : success("same" as const);
      if (!kin.ok) return kin;
      if (kin.value !== "same") return failure(usageFault(strangerSentence(name, kin.value)));
      const record = existing ?? newRecord(name, baseUrl);
      users.putConnection(record);
      await keyring.put(record.id, apiKey, remember);
      return success(await info(record));
    },
    async setKey(id, apiKey, signal, remember) {
      const record = byId(id);
      if (!record) return failure(usageFault(GONE));
      if (record.kind === "demo") return failure(usageFault("The demo makes its own key: it needs none."));
      const fault = fromFileFault(record);
      if (fault) return failure(fault);
      const kin = await kinshipOf(record, apiKey, signal);
      if (!kin.ok) return kin;
      if (kin.value !== "same") return failure(usageFault(strangerSentence(record.name, kin.value)));
      await keyring.put(id, apiKey, remember);
      return success(await info(record));
    },
    async rename(id, name) {
      const record = byId(id);
      if (!record) return failure(usageFault(GONE));
      const isTaken = users.connections().some((c) => c.id !== id && c.name === name);
      if (isTaken) return failure(usageFault(`Another connection is called “${name}”: choose another name.`));
      if (!isName(name) && record.kind !== "demo") return failure(nameFault(name));
      const renamed = { ...record, name };
      users.putConnection(renamed);
      return success(await info(renamed));
    },
    demo() {
      const existing = users.connections().find((c) => c.kind === "demo");
      if (existing) return existing;
      const record: ConnectionRecord = {
        id: DEMO_NAME,
        name: DEMO_NAME,
        baseUrl: "http://127.0.0.1",
        kind: "demo",
        createdAtMs: Date.now(),
        cacheFile: "cache-demo.db",
      };
      users.putConnection(record);
      return record;
    },
    addFile(id, name, baseUrl, cacheFile) {
      const names = new Set(users.connections().map((c) => c.name));
      const record: ConnectionRecord = {
        id,
        // Who handed the file on says a part of the name.
        name: freeName(name.replaceAll(CONTROLS, " "), names),
        baseUrl,
        kind: "file",
        createdAtMs: Date.now(),
        cacheFile,
      };
      users.putConnection(record);
      return record;
    },
    remove,
    find: (name) => users.connections().find((c) => c.name === name || c.id === name) ?? null,
    open,
    relocate({ record, cache, session }, cachePath) {
      // In one go: nothing may be written to the old file after the copy was taken.
      users.putConnection({ ...(byId(record.id) ?? record), cacheFile: cachePath });
      opened.delete(record.id);
      cache.close();
      void session.client.close();
      return removeDatabase(cache.path) ? null : cache.path;
    },
    async reopen({ record, cache, session }) {
      opened.delete(record.id);
      cache.close();
      await session.client.close();
      return open(byId(record.id) ?? record);
    },
    useKey: (id, apiKey) => keyring.use(id, apiKey),
    async close() {
      for (const id of opened.keys()) await closeOne(id);
      claimBoard?.close();
      await (await demo?.catch(() => null))?.close();
    },
  };
}

const CONTROLS = /\p{Cc}+/gu;

function isName(name: string): boolean {
  return name.trim() !== "" && name !== DEMO_NAME && name.search(CONTROLS) < 0;
}

function newRecord(name: string, baseUrl: string): ConnectionRecord {
  const id = randomUUID();
  return { id, name, baseUrl, kind: "service", createdAtMs: Date.now(), cacheFile: `cache-${id}.db` };
}

function otherAddress({ name, baseUrl }: ConnectionRecord): string {
  return (
    `“${name}” is the connection to ${baseUrl}, with a cache of its own. Nothing was changed. Choose another name for ` +
    "this one, or remove that one first."
  );
}

function nameFault(name: string): AppFault {
  return usageFault(`“${name}” cannot be the name of a connection: choose another one.`);
}
