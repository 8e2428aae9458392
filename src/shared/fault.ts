/**
 * Kinds of faults.
 *
 * - usage: the request itself is invalid (unknown station, empty range)
 * - key: there is no API key, or the service refuses it
 * - network: the service is unreachable; cached data remains available
 * - service: the service responded, but cannot be used
 * - disk: a file or a database cannot be read or written
 * - engine: the core has stopped, or has an internal error
 * - cancelled: the user stopped it
 */
const FAULT_KINDS = ["usage", "key", "network", "service", "disk", "engine", "cancelled"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Why the application could not do what was requested, as a value. */
export interface AppFault {
  readonly kind: FaultKind;
  /** For the user: what happened, what it means, what to do. */
  readonly message: string;
  /** For the log; never contains the key. */
  readonly cause: string | null;
}

export function usageFault(message: string): AppFault {
  return { kind: "usage", message, cause: null };
}
