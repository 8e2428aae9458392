import { readdir, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { type ConnectionInfo, FILES_CONNECTION_ID } from "#shared/connection.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { isPlainHttp, PLAIN_HTTP_SENTENCE } from "#shared/addresses.ts";
import { readBaseUrl } from "../../client/index.ts";
import type { Ports } from "../../ports.ts";
import type { NetworkRoute } from "../../client/types.ts";
import type { StoredKey } from "../../secrets.ts";
import { originOf } from "./adopt.ts";
import { isCacheFile, lockPathOf, removeLockFile, type UserStore, type ConnectionRecord } from "../../store/index.ts";
import { serviceFault } from "../../fault.ts";
import {
  demoRecord,
  fileRecord,
  filesRecord,
  fromFileFault,
  isName,
  nameFault,
  otherAddress,
  serviceRecord,
  setSettlingMargin,
  settlingMarginOf,
} from "./connectionRecords.ts";
import { Keyring } from "./keyring.ts";
import { firstContact } from "./contact.ts";
import { acceptKey } from "./organization.ts";
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
  /** Whether the user says that it is of the organization whose data are cached, although some stations are missing. */
  readonly isSameOrganization?: boolean | undefined;
  /** False keeps it for this run only. */
  readonly remember?: boolean | undefined;
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

/** The stored connections, and the open ones among them. */
export class Connections extends OpenConnections {
  readonly #watch: ConnectionListener;

  constructor(ports: Ports, users: UserStore, watch: ConnectionListener) {
    super(ports, users, new Keyring(ports.secrets), watch);
    this.#watch = watch;
  }

  /** All except the empty connection of `files`. */
  list(): Promise<ConnectionInfo[]> {
    return Promise.all(
      this.users
        .connections()
        .filter(({ id }) => id !== FILES_CONNECTION_ID)
        .map((arg) => this.info(arg)),
    );
  }

  async info({ id, name, baseUrl, kind, damage }: ConnectionRecord): Promise<ConnectionInfo> {
    const damaged = damage === undefined ? {} : { damage };
    // The demo's key is new after each start.
    const keyKept =
      kind === "demo" ? "session" : kind === "file" ? "none" : await this.keyring.storageOf(id, originOf(baseUrl));
    return { id, name, baseUrl, kind, hasKey: keyKept !== "none", keyKept, ...damaged };
  }

  /** Tests base URL and key with the service and returns the number of visible stations. Stores nothing. */
  async test(
    baseUrl: string,
    entered: EnteredKey,
    signal: AbortSignal,
  ): Promise<Result<{ stations: number }, AppFault>> {
    const { apiKey } = entered;
    const plain = plainHttpFault(baseUrl, entered);
    if (plain) return failure(plain);
    const client = this.clientFor(baseUrl, () => apiKey, entered.route);
    try {
      const { clock, patience } = this.ports;
      const waiting = { signal, ...(clock && { clock }), ...(patience && { patienceMs: patience.callMs }) };
      const page = await firstContact(() => client.stationsPage({}, 1, 1, signal), waiting);
      if (!page.ok) return failure(serviceFault(page.error));
      const { totalItems } = page.value.pagination;
      if (totalItems !== null) return success({ stations: totalItems });
      // The service does not state how many there are.
      const listing = await firstContact(() => client.allStations({}, signal), waiting);
      return listing.ok ? success({ stations: listing.value.items.length }) : failure(serviceFault(listing.error));
    } finally {
      await client.close();
    }
  }

  /**
   * Stores a connection. An existing one of the same name gets the new key if address and organization are the same,
   * judged by the stations and networks the key can see. Otherwise nothing changes, so that no cache is lost.
   */
  async add(
    name: string,
    typedUrl: string,
    entered: EnteredKey,
    signal: AbortSignal,
  ): Promise<Result<ConnectionInfo, AppFault>> {
    const { remember = true } = entered;
    if (!isName(name)) return failure(nameFault(name));
    const address = readBaseUrl(typedUrl);
    if (!address.ok) return usageFailure(address.error);
    // Normalized: a trailing slash does not make it another service.
    const baseUrl = address.value.origin + address.value.path;
    const plain = plainHttpFault(baseUrl, entered);
    if (plain) return failure(plain);
    const existing = this.users.connections().find((c) => c.name === name);
    // The user wants data of the service, and must not lose the data that came in a file.
    if (existing?.kind === "file") return failure(nameFault(name));
    if (existing && existing.baseUrl !== baseUrl) return usageFailure(otherAddress(existing));
    const accepted = existing ? await this.#accept(existing, entered, signal) : success(null);
    if (!accepted.ok) return accepted;
    const record = { ...(existing ?? serviceRecord(name, baseUrl)), ...entered.route };
    this.users.putConnection(record);
    await this.keyring.put(record.id, boundKey(record, entered), remember);
    return success(await this.info(record));
  }

  /** Replaces the key of a connection, if the service accepts it and it belongs to the organization whose data is cached. */
  async setKey(id: string, entered: EnteredKey, signal: AbortSignal): Promise<Result<ConnectionInfo, AppFault>> {
    const { remember = true } = entered;
    const record = this.#byId(id);
    if (!record) return usageFailure(GONE);
    if (record.kind === "demo") return usageFailure("The demo creates its own key.");
    const fault = fromFileFault(record) ?? plainHttpFault(record.baseUrl, entered);
    if (fault) return failure(fault);
    const accepted = await this.#accept(record, entered, signal);
    if (!accepted.ok) return accepted;
    await this.keyring.put(id, boundKey(record, entered), remember);
    return success(await this.info(record));
  }

  async rename(id: string, name: string): Promise<Result<ConnectionInfo, AppFault>> {
    const record = this.#byId(id);
    if (!record) return usageFailure(GONE);
    const isTaken = this.users.connections().some((c) => c.id !== id && c.name === name);
    if (isTaken) return usageFailure(`Another connection is called “${name}”: choose another name.`);
    if (!isName(name) && record.kind !== "demo") return failure(nameFault(name));
    const renamed = { ...record, name };
    this.users.putConnection(renamed);
    return success(await this.info(renamed));
  }

  /** For how long data may arrive late, ms. */
  settlingMarginMs(id: string): number {
    return settlingMarginOf(this.users, id) ?? SETTLING_MARGIN_MS;
  }

  /** @param marginMs null: 48 h */
  setSettlingMargin(id: string, marginMs: number | null): void {
    setSettlingMargin(this.users, id, marginMs);
  }

  /** The demo connection: the embedded reference service, started when it is needed. */
  demo(): ConnectionRecord {
    const existing = this.users.connections().find((c) => c.kind === "demo");
    if (existing) return existing;
    const record = demoRecord();
    this.users.putConnection(record);
    return record;
  }

  /** The connection for viewing files if there is no other: its cache is empty, and it sends no requests. */
  files(): ConnectionRecord {
    const existing = this.#byId(FILES_CONNECTION_ID);
    if (existing) return existing;
    const record = filesRecord(new Set(this.users.connections().map((c) => c.name)));
    this.users.putConnection(record);
    return record;
  }

  /**
   * Stores a connection to a cache from a session file, under a free name, before the file is in its place. It never sends
   * requests.
   */
  addFile(id: string, name: string, baseUrl: string, cacheFile: string): ConnectionRecord {
    const record = fileRecord({ id, baseUrl, cacheFile }, name, new Set(this.users.connections().map((c) => c.name)));
    const path = resolve(this.ports.dataFolder, cacheFile);
    // The file is not there yet; the next start looks whether it has arrived.
    this.users.putConnection({ ...record, moving: { from: path, to: path } });
    return record;
  }

  /** Deletes a connection with its key, its jobs and its cache. @throws StoreError `busy` if another process uses them */
  async remove(id: string): Promise<void> {
    const record = this.users.connections().find((c) => c.id === id);
    if (!record) return;
    this.users.assertWritable();
    if (record.damage !== undefined) {
      await this.keyring.forget(id);
      await this.#watch.beforeRemove(id);
      this.users.deleteConnection(id);
      return;
    }
    let path: string | null = null;
    await this.alone(record, "remove the connection", async (cachePath) => {
      // First, so that a later failure leaves no key behind.
      await this.keyring.forget(id);
      await this.#watch.beforeRemove(id);
      await this.closeOne(id);
      // Before the record is deleted: after a kill in between, the connection can be removed again.
      await removeCacheFiles(cachePath, isAbsolute(record.cacheFile));
      this.users.deleteConnection(id);
      setSettlingMargin(this.users, id, null);
      path = cachePath;
    });
    if (path !== null) removeLockFile(path);
  }

  find(name: string): ConnectionRecord | null {
    return this.users.connections().find((c) => c.name === name || c.id === name) ?? null;
  }

  /** Sets an API key for this run only, which overrides a stored one: from the environment or a prompt. */
  useKey(id: string, apiKey: string): void {
    this.keyring.use(id, apiKey);
  }

  /** Disables the key for this run: operations that need one fail with the sentence, all others work. */
  refuseKey(id: string, why: string): void {
    this.keyring.refuse(id, why);
  }

  async #accept(
    record: ConnectionRecord,
    { apiKey, isSameOrganization = false }: EnteredKey,
    signal: AbortSignal,
  ): Promise<Result<null, AppFault>> {
    if (await this.keyring.isKnown(record.id, apiKey, originOf(record.baseUrl))) return success(null);
    const connection = await this.open(record);
    const client = this.clientFor(record.baseUrl, () => apiKey, record);
    try {
      return await acceptKey(connection, client, isSameOrganization, signal);
    } finally {
      await client.close();
    }
  }

  #byId(id: string): ConnectionRecord | undefined {
    return this.users.connections().find((c) => c.id === id);
  }
}
