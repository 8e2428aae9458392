import type { ConnectionInfo } from "#shared/connection.ts";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { failure, type Result, success } from "#shared/service/error.ts";
import { createClient, readBaseUrl } from "../client/index.ts";
import type { ServiceClient } from "../client/types.ts";
import type { DemoService, Ports } from "../ports.ts";
import { openCache } from "../store/index.ts";
import type { Cache, ConnectionRecord, UserStore } from "../store/types.ts";
import { createSession, type Session } from "../sync/session.ts";
import { serviceFault } from "../fault.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";

/** A connection in use: its cache is open, its requests share one turnstile. */
export interface OpenConnection {
  readonly record: ConnectionRecord;
  readonly session: Session;
  readonly cache: Cache;
}

export interface Connections {
  list(): Promise<ConnectionInfo[]>;
  /** Tries base URL and key on the service; answers how many stations they show. Nothing is kept. */
  test(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<Result<{ stations: number }, AppFault>>;
  /**
   * Keeps a connection. One of the same name is replaced; its cache stays only where address and organization are the
   * same, which the stations tell that the new key shows.
   */
  add(name: string, baseUrl: string, apiKey: string, signal: AbortSignal): Promise<Result<ConnectionInfo, AppFault>>;
  /** The demo connection: the embedded reference service, started when it is needed. */
  demo(): ConnectionRecord;
  /** Forgets a connection with its key, its jobs and its cache. */
  remove(id: string): Promise<void>;
  find(name: string): ConnectionRecord | null;
  open(record: ConnectionRecord): Promise<OpenConnection>;
  /** An API key for this run only, before any kept one: from the environment, or typed at a prompt. */
  useKey(id: string, apiKey: string): void;
  close(): Promise<void>;
}

const DEMO_NAME = "demo";

export function createConnections(ports: Ports, users: UserStore): Connections {
  const opened = new Map<string, Promise<OpenConnection>>();
  /** Keys as they are now: every request asks here, so that one that is replaced is used at once. */
  const keys = new Map<string, string>();
  let demo: Promise<DemoService> | null = null;

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
      keys.set(id, running.apiKey);
    } else if (!keys.has(id)) {
      const kept = await ports.secrets.get(id);
      if (kept !== null) keys.set(id, kept);
    }
    const client = clientFor(baseUrl, () => keys.get(id) ?? null);
    mkdirSync(ports.dataFolder, { recursive: true });
    const cache = openCache(join(ports.dataFolder, record.cacheFile));
    const session = createSession({
      client,
      cache,
      ...(ports.clock ? { clock: ports.clock } : {}),
    });
    return { record, session, cache };
  }

  async function remove(id: string): Promise<void> {
    const record = users.connections().find((c) => c.id === id);
    if (!record) return;
    await closeOne(id);
    users.deleteConnection(id);
    await ports.secrets.delete(id);
    keys.delete(id);
    // Its logs and whatever was put aside as damaged hold the same data and begin with the same name.
    const names = await readdir(ports.dataFolder);
    for (const name of names.filter((n) => n.startsWith(record.cacheFile)))
      await rm(join(ports.dataFolder, name), { force: true });
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
   * Whether a new key shows the same stations as the cache has. If not, it is the key of another organization, and what
   * one organization may see never shows under another: the cache has to go. Not being able to ask is no answer.
   */
  async function seesTheSame(
    record: ConnectionRecord,
    apiKey: string,
    signal: AbortSignal,
  ): Promise<Result<boolean, AppFault>> {
    if ((await ports.secrets.get(record.id)) === apiKey) return success(true);
    const { cache } = await open(record);
    const known = new Set(cache.catalogue().stations.map((s) => s.id));
    const client = clientFor(record.baseUrl, () => apiKey);
    try {
      const seen = await client.allStations({}, signal);
      if (!seen.ok) return failure(serviceFault(seen.error));
      const { items } = seen.value;
      return success(items.length === known.size && items.every((s) => known.has(s.id)));
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

  return {
    async list() {
      const infos = users.connections().map(async ({ id, name, baseUrl, kind }) => {
        const hasKey = kind === "demo" || keys.has(id) || (await ports.secrets.get(id)) !== null;
        return { id, name, baseUrl, kind, hasKey };
      });
      return Promise.all(infos);
    },
    async test(baseUrl, apiKey, signal) {
      const client = clientFor(baseUrl, () => apiKey);
      try {
        const page = await client.stationsPage({}, 1, 1, signal);
        return page.ok ? success({ stations: page.value.pagination.totalItems }) : failure(serviceFault(page.error));
      } finally {
        await client.close();
      }
    },
    async add(name, typedUrl, apiKey, signal) {
      if (name.trim() === "" || name === DEMO_NAME) {
        return failure(usageFault(`“${name}” cannot be the name of a connection: choose another one.`));
      }
      const address = readBaseUrl(typedUrl);
      if (!address.ok) return failure(usageFault(address.error));
      // However it was typed: a slash more is no other service.
      const baseUrl = address.value.origin + address.value.path;
      const existing = users.connections().find((c) => c.name === name);
      const same = existing?.baseUrl === baseUrl ? await seesTheSame(existing, apiKey, signal) : success(false);
      if (!same.ok) return same;
      if (existing && !same.value) await remove(existing.id);
      const id = existing && same.value ? existing.id : randomUUID();
      const record: ConnectionRecord = {
        id,
        name,
        baseUrl,
        kind: "service",
        createdAtMs: existing && same.value ? existing.createdAtMs : Date.now(),
        cacheFile: `cache-${id}.db`,
      };
      users.putConnection(record);
      await ports.secrets.set(id, apiKey);
      keys.set(id, apiKey);
      return success({ id, name, baseUrl, kind: "service", hasKey: true });
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
    remove,
    find: (name) => users.connections().find((c) => c.name === name || c.id === name) ?? null,
    open,
    useKey: (id, apiKey) => void keys.set(id, apiKey),
    async close() {
      for (const id of opened.keys()) await closeOne(id);
      await (await demo?.catch(() => null))?.close();
    },
  };
}
