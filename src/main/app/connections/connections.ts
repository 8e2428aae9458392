import { type ConnectionInfo, FILES_CONNECTION_ID } from "#shared/connection.ts";
import { readdir, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { failure, type Result, success } from "#shared/service/error.ts";
import { isPlainHttp, PLAIN_HTTP_SENTENCE } from "#shared/service/plainHttp.ts";
import { readBaseUrl } from "../../client/index.ts";
import type { Ports } from "../../ports.ts";
import type { ConnectionRecord, UserStore } from "../../store/types.ts";
import type { KeptKey } from "../../secrets/keptKey.ts";
import { originOf } from "./belonging.ts";
import { isCacheFile, removeLockFile, lockPathOf } from "../../store/index.ts";
import { serviceFault } from "../../fault.ts";
import {
  demoRecord,
  fileRecord,
  filesRecord,
  isName,
  nameFault,
  otherAddress,
  serviceRecord,
  fromFileFault,
} from "./connectionRecords.ts";
import { createKeyring } from "./keyring.ts";
import { askedAgain } from "./connectivity.ts";
import { kinshipOfKey, type Kinship, strangerSentence } from "./organization.ts";
import { createOpenConnections, type OpenConnections, type UseWatch } from "./openConnections.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";

export type { OpenConnection } from "./openConnections.ts";

/** A key as the user just entered it. */
export interface EnteredKey {
  readonly apiKey: string;
  /** Whether the user said with it that it may travel unencrypted to the address it is for. */
  readonly allowsPlainHttp?: boolean | undefined;
}

/** The connections that are kept, and those of them that are in use. */
export interface Connections extends Pick<OpenConnections, "open" | "relocate" | "reopen"> {
  /** All but the one of `files`, which is no service and holds nothing. */
  list(): Promise<ConnectionInfo[]>;
  info(record: ConnectionRecord): Promise<ConnectionInfo>;
  /** Tries base URL and key on the service; answers how many stations they show. Nothing is kept. */
  test(baseUrl: string, entered: EnteredKey, signal: AbortSignal): Promise<Result<{ stations: number }, AppFault>>;
  /**
   * Keeps a connection. One of the same name gets the new key where address and organization are the same, which what the
   * key shows tells. Where they are not, or it does not tell, nothing is changed: a cache is not lost by a name.
   */
  add(
    name: string,
    baseUrl: string,
    entered: EnteredKey,
    signal: AbortSignal,
    remember?: boolean,
  ): Promise<Result<ConnectionInfo, AppFault>>;
  /** Gives a connection another key, if the service takes it and it is of the organization whose data is cached. */
  setKey(
    id: string,
    entered: EnteredKey,
    signal: AbortSignal,
    remember: boolean,
  ): Promise<Result<ConnectionInfo, AppFault>>;
  rename(id: string, name: string): Promise<Result<ConnectionInfo, AppFault>>;
  /** The demo connection: the embedded reference service, started when it is needed. */
  demo(): ConnectionRecord;
  /** The connection that opened files are shown in where there is no other: its cache is empty, and nothing is sent for it. */
  files(): ConnectionRecord;
  /** Keeps a connection to a cache that came in a file, under a name that is free: nothing is ever sent for it. */
  addFile(id: string, name: string, baseUrl: string, cacheFile: string): ConnectionRecord;
  /** Forgets a connection with its key, its jobs and its cache. @throws StoreError `busy` where another process uses them */
  remove(id: string): Promise<void>;
  find(name: string): ConnectionRecord | null;
  /** An API key for this run only, before any kept one: from the environment, or typed at a prompt. */
  useKey(id: string, apiKey: string): void;
  /** No key for this run: whatever needs one is answered with the sentence, and everything else works. */
  refuseKey(id: string, why: string): void;
  close(): Promise<void>;
}

/** Who wants to know what happens to connections. */
export interface ConnectionWatch extends UseWatch {
  /** Whoever works with the connection stops, before it is closed for good. */
  beforeRemove(connectionId: string): Promise<void>;
}

/**
 * Its logs and whatever was put aside as damaged hold the same data and begin with the same name. At the end of a whole
 * path, which somebody else may have written into user.db, nothing is deleted but a cache.
 */
async function removeCacheFiles(path: string, isElsewhere: boolean): Promise<void> {
  if (isElsewhere && existsSync(path) && !isCacheFile(path)) return;
  // Where its folder is gone, so is the file.
  const names = await readdir(dirname(path)).catch(() => []);
  const isItsOwn = (name: string): boolean => name.startsWith(basename(path)) && name !== basename(lockPathOf(path));
  for (const name of names.filter(isItsOwn)) await rm(join(dirname(path), name), { force: true });
}

/** Bound to the address that it was entered for. */
function boundKey({ baseUrl }: ConnectionRecord, { apiKey, allowsPlainHttp }: EnteredKey): KeptKey {
  return { key: apiKey, origin: originOf(baseUrl), allowsPlainHttp: allowsPlainHttp ?? false };
}

/** Why a key that was just entered is not even tried. */
function plainHttpFault(baseUrl: string, { allowsPlainHttp }: EnteredKey): AppFault | null {
  if (!isPlainHttp(baseUrl) || allowsPlainHttp) return null;
  return usageFault(
    `${PLAIN_HTTP_SENTENCE}; if it has not, allow plain http for this key (in the command line: --allow-plain-http). Nothing was sent.`,
  );
}

const GONE = "This connection no longer exists. Choose another one.";

export function createConnections(ports: Ports, users: UserStore, watch: ConnectionWatch): Connections {
  const keyring = createKeyring(ports.secrets);
  const inUse = createOpenConnections(ports, users, keyring, watch);

  async function remove(id: string): Promise<void> {
    const record = users.connections().find((c) => c.id === id);
    if (!record) return;
    if (record.damage !== undefined) {
      await keyring.forget(id);
      await watch.beforeRemove(id);
      users.deleteConnection(id);
      return;
    }
    let path: string | null = null;
    await inUse.alone(record, "remove the connection", async (cachePath) => {
      // First of all: what stops the rest leaves no key behind.
      await keyring.forget(id);
      await watch.beforeRemove(id);
      // From now on nobody opens the cache any more who finds it free.
      users.deleteConnection(id);
      await inUse.closeOne(id);
      await removeCacheFiles(cachePath, isAbsolute(record.cacheFile));
      path = cachePath;
    });
    if (path !== null) removeLockFile(path);
  }

  async function kinshipOf(
    record: ConnectionRecord,
    apiKey: string,
    signal: AbortSignal,
  ): Promise<Result<Kinship, AppFault>> {
    if (await keyring.isKnown(record.id, apiKey, originOf(record.baseUrl))) return success("same");
    const connection = await inUse.open(record);
    const client = inUse.clientFor(record.baseUrl, () => apiKey);
    try {
      return await kinshipOfKey(connection, client, signal);
    } finally {
      await client.close();
    }
  }

  async function info({ id, name, baseUrl, kind, damage }: ConnectionRecord): Promise<ConnectionInfo> {
    const damaged = damage === undefined ? {} : { damage };
    // The demo's key is made anew with each start.
    const keyKept = kind === "demo" ? "session" : kind === "file" ? "none" : await keyring.kept(id, originOf(baseUrl));
    return { id, name, baseUrl, kind, hasKey: keyKept !== "none", keyKept, ...damaged };
  }

  function byId(id: string): ConnectionRecord | undefined {
    return users.connections().find((c) => c.id === id);
  }

  return {
    list: () =>
      Promise.all(
        users
          .connections()
          .filter(({ id }) => id !== FILES_CONNECTION_ID)
          .map(info),
      ),
    info,
    async test(baseUrl, entered, signal) {
      const { apiKey } = entered;
      const plain = plainHttpFault(baseUrl, entered);
      if (plain) return failure(plain);
      const client = inUse.clientFor(baseUrl, () => apiKey);
      try {
        const page = await askedAgain(() => client.stationsPage({}, 1, 1, signal), signal, ports.clock);
        return page.ok ? success({ stations: page.value.pagination.totalItems }) : failure(serviceFault(page.error));
      } finally {
        await client.close();
      }
    },
    async add(name, typedUrl, entered, signal, remember = true) {
      const { apiKey } = entered;
      if (!isName(name)) return failure(nameFault(name));
      const address = readBaseUrl(typedUrl);
      if (!address.ok) return failure(usageFault(address.error));
      // However it was typed: a slash more is no other service.
      const baseUrl = address.value.origin + address.value.path;
      const plain = plainHttpFault(baseUrl, entered);
      if (plain) return failure(plain);
      const existing = users.connections().find((c) => c.name === name);
      // Whoever gives a key wants data of the service, and what came in a file is not to be lost for it.
      if (existing?.kind === "file") return failure(nameFault(name));
      if (existing && existing.baseUrl !== baseUrl) return failure(usageFault(otherAddress(existing)));
      const kin = existing ? await kinshipOf(existing, apiKey, signal) : success("same" as const);
      if (!kin.ok) return kin;
      if (kin.value !== "same") return failure(usageFault(strangerSentence(name, kin.value)));
      const record = existing ?? serviceRecord(name, baseUrl);
      users.putConnection(record);
      await keyring.put(record.id, boundKey(record, entered), remember);
      return success(await info(record));
    },
    async setKey(id, entered, signal, remember) {
      const { apiKey } = entered;
      const record = byId(id);
      if (!record) return failure(usageFault(GONE));
      if (record.kind === "demo") return failure(usageFault("The demo makes its own key: it needs none."));
      const fault = fromFileFault(record) ?? plainHttpFault(record.baseUrl, entered);
      if (fault) return failure(fault);
      const kin = await kinshipOf(record, apiKey, signal);
      if (!kin.ok) return kin;
      if (kin.value !== "same") return failure(usageFault(strangerSentence(record.name, kin.value)));
      await keyring.put(id, boundKey(record, entered), remember);
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
      const record = demoRecord();
      users.putConnection(record);
      return record;
    },
    files() {
      const existing = byId(FILES_CONNECTION_ID);
      if (existing) return existing;
      const record = filesRecord(new Set(users.connections().map((c) => c.name)));
      users.putConnection(record);
      return record;
    },
    addFile(id, name, baseUrl, cacheFile) {
      const record = fileRecord({ id, baseUrl, cacheFile }, name, new Set(users.connections().map((c) => c.name)));
      users.putConnection(record);
      return record;
    },
    remove,
    find: (name) => users.connections().find((c) => c.name === name || c.id === name) ?? null,
    open: inUse.open,
    relocate: inUse.relocate,
    reopen: inUse.reopen,
    useKey: (id, apiKey) => keyring.use(id, apiKey),
    refuseKey: (id, why) => keyring.refuse(id, why),
    close: inUse.closeAll,
  };
}
