import { z } from "zod";
import type { ClockDisagreement } from "#shared/clocks.ts";
import type { ConnectionInfo } from "#shared/connection.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";
import { connectionId } from "./words.ts";

const name = z.string().trim().min(1, "a connection needs a name").max(100);
const baseUrl = z.string().trim().min(1, "the address of the service is missing").max(2_000);
const apiKey = z.string().trim().min(1, "the API key is missing").max(1_000);
/** Whether the user allowed, for this key, that it travels unencrypted to another computer; asked anew with each key. */
const allowsPlainHttp = z.boolean().optional();

/**
 * Whether the service answers, as the last request told.
 * - unknown: nothing was sent yet
 * - online, offline: the last request was answered, or did not get through
 */
export interface Connectivity {
  readonly connectionId: string;
  readonly state: "unknown" | "online" | "offline";
  readonly sinceMs: UtcMs;
  /** A sentence for the user where it is offline. */
  readonly reason: string | null;
}

/** A connection whose cache is open. */
export interface OpenedConnection {
  readonly info: ConnectionInfo;
  readonly connectivity: Connectivity;
  /** Where a damaged cache file lies now that had to be put aside; null where the cache was sound. */
  readonly quarantinedPath: string | null;
  /**
   * The program did not end in order last time, and the cache is being checked while it is used: `workProgress` tells of it
   * under this name, and damage is told by `cacheDamaged`. Null where nothing is checked.
   */
  readonly checkId: string | null;
  /** The learned limit in data points per request; null while none is known. */
  readonly limitPoints: number | null;
  /** The server's clock as far as it is known. */
  readonly serverNowMs: UtcMs;
  /** Where its clock and this computer's do not agree; null where they do, or no answer has told. */
  readonly clocks: ClockDisagreement | null;
}

/** A cache in the data folder that no connection has. */
export interface OrphanedCache {
  readonly path: string;
  readonly bytes: number;
  /** Name and address of the connection that it belonged to; null where it does not say. */
  readonly name: string | null;
  readonly baseUrl: string | null;
}

/** Services that the user connected to, and their keys. A key goes in and never comes out. */
export const connections = {
  /** All kept connections, oldest first. Faults: disk. */
  list: method<ConnectionInfo[]>()(z.object({})),
  /** Tries address and key on the service, keeps nothing. Answers how many stations they show. Faults: usage, key, network, service. */
  test: method<{ readonly stations: number }>()(z.object({ baseUrl, apiKey, allowsPlainHttp })),
  /**
   * Keeps a connection and its key; one of the same name is replaced. With `remember: false`, and where the system
   * cannot protect a key, it is kept until the program ends. Faults: usage, network, service, disk.
   */
  add: method<ConnectionInfo>()(z.object({ name, baseUrl, apiKey, allowsPlainHttp, remember: z.boolean() })),
  /** A new key for a kept connection: jobs that waited for it go on. Faults: usage, key, network, service, disk. */
  setKey: method<ConnectionInfo>()(z.object({ connectionId, apiKey, allowsPlainHttp, remember: z.boolean() })),
  rename: method<ConnectionInfo>()(z.object({ connectionId, name })),
  /** Forgets a connection with its key, its jobs and its cache. Faults: usage, disk. */
  remove: method<null>()(z.object({ connectionId })),
  /** Caches of the data folder that lost their connection. Opens nothing for writing. Faults: disk. */
  orphans: method<OrphanedCache[]>()(z.object({})),
  /**
   * Makes a connection for one of them, where it lies; name and address as the cache says where they are not given. Its rows
   * are there at once, the key is entered anew. Faults: usage (not one of them, no address, another service, name taken), disk.
   */
  adopt: method<ConnectionInfo>()(
    z.object({ path: z.string().min(1).max(32_000), name: name.optional(), baseUrl: baseUrl.optional() }),
  ),
  /** The connection to the embedded reference service, made where it is not there yet. Faults: disk. */
  demo: method<ConnectionInfo>()(z.object({})),
  /** The connection that opened files are shown in where there is no other: never in the list, its cache empty. Faults: disk. */
  files: method<ConnectionInfo>()(z.object({})),
  /** Opens the cache of a connection, and starts the embedded service where it is the demo. Sends nothing. Faults: usage, disk, engine. */
  open: method<OpenedConnection>()(z.object({ connectionId })),
  /** Asks the service whether it is there, with one small request. Faults: usage, key, network, service. */
  probe: method<Connectivity>()(z.object({ connectionId })),
};
