import { type ConnectionInfo, FILES_CONNECTION_ID } from "#shared/connection.ts";
import { readdir, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { failure, type Result, success } from "#shared/service/error.ts";
import { isPlainHttp, PLAIN_HTTP_SENTENCE } from "#shared/addresses.ts";
import { readBaseUrl } from "../../client/index.ts";
import type { Ports } from "../../ports.ts";
import type { NetworkRoute } from "../../client/types.ts";
import type { ConnectionRecord } from "../../store/user/types.ts";
import type { StoredKey } from "../../secrets.ts";
import { originOf } from "./adopt.ts";
import { isCacheFile, lockPathOf, removeLockFile, type UserStore } from "../../store/index.ts";
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
import { Keyring } from "./keyring.ts";
import { firstContact } from "./contact.ts";
import { organizationOfKey, type OrganizationMatch, otherOrganizationSentence } from "./organization.ts";
import { setSettlingMargin, settlingMarginOf } from "./settling.ts";
import { SETTLING_MARGIN_MS } from "../../sync/session.ts";
import { OpenConnections, type OpenConnectionListener } from "./openConnections.ts";
import { type AppFault, usageFailure, usageFault } from "#shared/fault.ts";

export type { OpenConnection } from "./openConnections.ts";

/** A key that the user just entered. */
interface EnteredKey {
  readonly apiKey: string;
  /** Whether the user allowed sending it unencrypted to its address. */
  readonly allowsPlainHttp?: boolean | undefined;
  /** The proxy and certificates of the connection; absent: as they are, or as the system says. */
  readonly route?: Partial<NetworkRoute> | undefined;
  /** False keeps it for this run only. */
  readonly remember?: boolean | undefined;
}

/** The stored connections, and the open ones among them. */
export interface Connections extends Pick<OpenConnections, "open" | "opened" | "relocate" | "reopen"> {
  /** All except the empty connection of `files`. */
  list(): Promise<ConnectionInfo[]>;
  info(record: ConnectionRecord): Promise<ConnectionInfo>;
  /** Tests base URL and key with the service and returns the number of visible stations. Stores nothing. */
  test(baseUrl: string, entered: EnteredKey, signal: AbortSignal): Promise<Result<{ stations: number }, AppFault>>;
  /**
   * Stores a connection. An existing one of the same name gets the new key if address and organization are the same,
   * judged by the stations and networks the key can see. Otherwise nothing changes, so that no cache is lost.
   */
  add(
    name: string,
    baseUrl: string,
    entered: EnteredKey,
    signal: AbortSignal,
  ): Promise<Result<ConnectionInfo, AppFault>>;
  /** Replaces the key of a connection, if the service accepts it and it belongs to the organization whose data is cached. */
  setKey(id: string, entered: EnteredKey, signal: AbortSignal): Promise<Result<ConnectionInfo, AppFault>>;
  rename(id: string, name: string): Promise<Result<ConnectionInfo, AppFault>>;
  /** For how long data may arrive late, ms. */
  settlingMarginMs(id: string): number;
  /** @param marginMs null: 48 h */
  setSettlingMargin(id: string, marginMs: number | null): void;
  /** The demo connection: the embedded reference service, started when it is needed. */
  demo(): ConnectionRecord;
  /** The connection for viewing files if there is no other: its cache is empty, and it sends no requests. */
  files(): ConnectionRecord;
  /**
   * Stores a connection to a cache from a session file, under a free name, before the file is in its place. It never sends
   * requests.
   */
  addFile(id: string, name: string, baseUrl: string, cacheFile: string): ConnectionRecord;
  /** Deletes a connection with its key, its jobs and its cache. @throws StoreError `busy` if another process uses them */
  remove(id: string): Promise<void>;
  find(name: string): ConnectionRecord | null;
  /** Sets an API key for this run only, which overrides a stored one: from the environment or a prompt. */
  useKey(id: string, apiKey: string): void;
  /** Disables the key for this run: operations that need one fail with the sentence, all others work. */
  refuseKey(id: string, why: string): void;
  close(): Promise<void>;
}

/** Receives events of all connections. */
interface ConnectionListener extends OpenConnectionListener {
  /** Stops all work with the connection before it is deleted. */
  beforeRemove(connectionId: string): Promise<void>;
}

/**
 * Deletes a cache with its journals and quarantined copies, whose names begin with its name. At an absolute path, which
 * somebody else may have written into user.db, only a cache is deleted.
 */
async function removeCacheFiles(path: string, isElsewhere: boolean): Promise<void> {
  if (isElsewhere && existsSync(path) && !isCacheFile(path)) return;
  // If its folder is gone, so is the file.
  const names = await readdir(dirname(path)).catch(() => []);
  const isItsOwn = (name: string): boolean => name.startsWith(basename(path)) && name !== basename(lockPathOf(path));
  for (const name of names.filter(isItsOwn)) await rm(join(dirname(path), name), { force: true });
}

/** Binds a key to the address that it was entered for. */
function boundKey({ baseUrl }: ConnectionRecord, { apiKey, allowsPlainHttp }: EnteredKey): StoredKey {
  return { key: apiKey, origin: originOf(baseUrl), allowsPlainHttp: allowsPlainHttp ?? false };
}

/** The fault if a key would be sent over plain http without permission. */
function plainHttpFault(baseUrl: string, { allowsPlainHttp }: EnteredKey): AppFault | null {
  if (!isPlainHttp(baseUrl) || allowsPlainHttp) return null;
  return usageFault(
    `${PLAIN_HTTP_SENTENCE}; if it has not, allow plain http for this key (in the command line: --allow-plain-http). Nothing was sent.`,
  );
}

const GONE = "This connection no longer exists. Choose another one.";

export function createConnections(ports: Ports, users: UserStore, watch: ConnectionListener): Connections {
  const keyring = new Keyring(ports.secrets);
  const inUse = new OpenConnections(ports, users, keyring, watch);

  async function remove(id: string): Promise<void> {
    const record = users.connections().find((c) => c.id === id);
    if (!record) return;
    users.assertWritable();
    if (record.damage !== undefined) {
      await keyring.forget(id);
      await watch.beforeRemove(id);
      users.deleteConnection(id);
      return;
    }
    let path: string | null = null;
    await inUse.alone(record, "remove the connection", async (cachePath) => {
      // First, so that a later failure leaves no key behind.
      await keyring.forget(id);
      await watch.beforeRemove(id);
      await inUse.closeOne(id);
      // Before the record is deleted: after a kill in between, the connection can be removed again.
      await removeCacheFiles(cachePath, isAbsolute(record.cacheFile));
      users.deleteConnection(id);
      setSettlingMargin(users, id, null);
      path = cachePath;
    });
    if (path !== null) removeLockFile(path);
  }

  async function organizationMatch(
    record: ConnectionRecord,
    apiKey: string,
    signal: AbortSignal,
  ): Promise<Result<OrganizationMatch, AppFault>> {
    if (await keyring.isKnown(record.id, apiKey, originOf(record.baseUrl))) return success("same");
    const connection = await inUse.open(record);
    const client = inUse.clientFor(record.baseUrl, () => apiKey, record);
    try {
      return await organizationOfKey(connection, client, signal);
    } finally {
      await client.close();
    }
  }

  async function info({ id, name, baseUrl, kind, damage }: ConnectionRecord): Promise<ConnectionInfo> {
    const damaged = damage === undefined ? {} : { damage };
    // The demo's key is new after each start.
    const keyKept =
      kind === "demo" ? "session" : kind === "file" ? "none" : await keyring.storageOf(id, originOf(baseUrl));
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
      const client = inUse.clientFor(baseUrl, () => apiKey, entered.route);
      try {
        const page = await firstContact(() => client.stationsPage({}, 1, 1, signal), signal, ports.clock);
        if (!page.ok) return failure(serviceFault(page.error));
        const { totalItems } = page.value.pagination;
        if (totalItems !== null) return success({ stations: totalItems });
        // The service does not state how many there are.
        const listing = await firstContact(() => client.allStations({}, signal), signal, ports.clock);
        return listing.ok ? success({ stations: listing.value.items.length }) : failure(serviceFault(listing.error));
      } finally {
        await client.close();
      }
    },
    async add(name, typedUrl, entered, signal) {
      const { apiKey, remember = true } = entered;
      if (!isName(name)) return failure(nameFault(name));
      const address = readBaseUrl(typedUrl);
      if (!address.ok) return usageFailure(address.error);
      // Normalized: a trailing slash does not make it another service.
      const baseUrl = address.value.origin + address.value.path;
      const plain = plainHttpFault(baseUrl, entered);
      if (plain) return failure(plain);
      const existing = users.connections().find((c) => c.name === name);
      // The user wants data of the service, and must not lose the data that came in a file.
      if (existing?.kind === "file") return failure(nameFault(name));
      if (existing && existing.baseUrl !== baseUrl) return usageFailure(otherAddress(existing));
      const kin = existing ? await organizationMatch(existing, apiKey, signal) : success("same" as const);
      if (!kin.ok) return kin;
      if (kin.value !== "same") return usageFailure(otherOrganizationSentence(name, kin.value));
      const record = { ...(existing ?? serviceRecord(name, baseUrl)), ...entered.route };
      users.putConnection(record);
      await keyring.put(record.id, boundKey(record, entered), remember);
      return success(await info(record));
    },
    async setKey(id, entered, signal) {
      const { apiKey, remember = true } = entered;
      const record = byId(id);
      if (!record) return usageFailure(GONE);
      if (record.kind === "demo") return usageFailure("The demo makes its own key: it needs none.");
      const fault = fromFileFault(record) ?? plainHttpFault(record.baseUrl, entered);
      if (fault) return failure(fault);
      const kin = await organizationMatch(record, apiKey, signal);
      if (!kin.ok) return kin;
      if (kin.value !== "same") return usageFailure(otherOrganizationSentence(record.name, kin.value));
      await keyring.put(id, boundKey(record, entered), remember);
      return success(await info(record));
    },
    async rename(id, name) {
      const record = byId(id);
      if (!record) return usageFailure(GONE);
      const isTaken = users.connections().some((c) => c.id !== id && c.name === name);
      if (isTaken) return usageFailure(`Another connection is called “${name}”: choose another name.`);
      if (!isName(name) && record.kind !== "demo") return failure(nameFault(name));
      const renamed = { ...record, name };
      users.putConnection(renamed);
      return success(await info(renamed));
    },
    settlingMarginMs: (id) => settlingMarginOf(users, id) ?? SETTLING_MARGIN_MS,
    setSettlingMargin: (id, marginMs) => setSettlingMargin(users, id, marginMs),
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
      const path = resolve(ports.dataFolder, cacheFile);
      // The file is not there yet; the next start looks whether it has arrived.
      users.putConnection({ ...record, moving: { from: path, to: path } });
      return record;
    },
    remove,
    find: (name) => users.connections().find((c) => c.name === name || c.id === name) ?? null,
    open: (record) => inUse.open(record),
    opened: () => inUse.opened(),
    relocate: (connection, cachePath) => inUse.relocate(connection, cachePath),
    reopen: (connection) => inUse.reopen(connection),
    useKey: (id, apiKey) => keyring.use(id, apiKey),
    refuseKey: (id, why) => keyring.refuse(id, why),
    close: () => inUse.closeAll(),
  };
}
