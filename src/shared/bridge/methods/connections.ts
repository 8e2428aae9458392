import { z } from "zod";
import type { ClockDisagreement } from "#shared/clocks.ts";
import type { ConnectionInfo } from "#shared/connection.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";
import { connectionId } from "./schemas.ts";

const name = z.string().trim().min(1, "a connection needs a name").max(100);
const baseUrl = z.string().trim().min(1, "the address of the service is missing").max(2_000);
const apiKey = z.string().trim().min(1, "the API key is missing").max(1_000);
/** Whether the user allows sending this key unencrypted to another computer; asked again for each key. */
const allowsPlainHttp = z.boolean().optional();

/**
 * Whether the service responds, by the last request.
 * - unknown: nothing was sent yet
 * - online, offline: the last request got a response, or none
 */
export interface Connectivity {
  readonly connectionId: string;
  readonly state: "unknown" | "online" | "offline";
  readonly sinceMs: UtcMs;
  /** A sentence for the user if offline, else null. */
  readonly reason: string | null;
  /** Until when the service asked all requests to wait, which may have passed; null if it did not. */
  readonly pausedUntilMs: UtcMs | null;
}

/** A connection whose cache is open. */
export interface OpenedConnection {
  readonly info: ConnectionInfo;
  /** Whether the values are simulated: those of the demo, or of a session file of the demo. */
  readonly isSimulated: boolean;
  readonly connectivity: Connectivity;
  /** Path of a damaged cache file that was moved to quarantine; null if the cache was intact. */
  readonly quarantinedPath: string | null;
  /** The learned limit in data points per request; null if unknown. */
  readonly limitPoints: number | null;
  /** Estimated time of the service. */
  readonly serverNowMs: UtcMs;
  /** null if the clocks of the service and of this computer agree, or no response has shown it. */
  readonly clocks: ClockDisagreement | null;
}

/** A cache in the data folder that belongs to no connection. */
export interface OrphanedCache {
  readonly path: string;
  readonly bytes: number;
  /** Name and address of the connection that it belonged to; null if the file does not contain them. */
  readonly name: string | null;
  readonly baseUrl: string | null;
}

/** Services that the user connected to, and their keys. No method returns a key. */
export const connections = {
  /** All connections, oldest first. Faults: disk. */
  list: method<ConnectionInfo[]>()(z.object({})),
  /** Tests address and key without storing them. Answers the number of accessible stations. Faults: usage, key, network, service. */
  test: method<{ readonly stations: number }>()(z.object({ baseUrl, apiKey, allowsPlainHttp })),
  /**
   * Stores a connection and its key, replacing one of the same name. With `remember: false`, or if the system cannot
   * protect a key, the key is kept only until the program ends. Faults: usage, network, service, disk.
   */
  add: method<ConnectionInfo>()(z.object({ name, baseUrl, apiKey, allowsPlainHttp, remember: z.boolean() })),
  /** Sets the key of a connection; jobs that need it resume. Faults: usage, key, network, service, disk. */
  setKey: method<ConnectionInfo>()(
    z.object({
      connectionId,
      apiKey,
      allowsPlainHttp,
      isSameOrganization: z.boolean().optional(),
      remember: z.boolean(),
    }),
  ),
  rename: method<ConnectionInfo>()(z.object({ connectionId, name })),
  /** For how long data of a connection may arrive late, hours: until then, missing data may still arrive. Faults: disk. */
  settling: method<{ readonly hours: number }>()(z.object({ connectionId })),
  /** Sets it. Faults: disk. */
  setSettling: method<null>()(z.object({ connectionId, hours: z.number().min(0).max(1_440) })),
  /** Deletes a connection with its key, jobs and cache. Faults: usage, disk. */
  remove: method<null>()(z.object({ connectionId })),
  /** Caches in the data folder without a connection. Opens nothing for writing. Faults: disk. */
  orphans: method<OrphanedCache[]>()(z.object({})),
  /**
   * Creates a connection for an orphaned cache without moving it; name and address default to those in the cache. The
   * user has to enter the key again. Faults: usage (not orphaned, no address, another service, name taken), disk.
   */
  adopt: method<ConnectionInfo>()(
    z.object({ path: z.string().min(1).max(32_000), name: name.optional(), baseUrl: baseUrl.optional() }),
  ),
  /** The connection to the embedded reference service, created if necessary. Faults: disk. */
  demo: method<ConnectionInfo>()(z.object({})),
  /** The connection for opened files if there is no other: never listed, with an empty cache. Faults: disk. */
  files: method<ConnectionInfo>()(z.object({})),
  /** Opens the cache of a connection, and starts the embedded service for the demo. Sends nothing. Faults: usage, disk, core. */
  open: method<OpenedConnection>()(z.object({ connectionId })),
  /** Checks with one small request whether the service responds. Faults: usage, key, network, service. */
  probe: method<Connectivity>()(z.object({ connectionId })),
};
