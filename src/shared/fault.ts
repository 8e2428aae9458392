/**
 * Why the application could not do what was asked. `message` is for the user: what happened, what it means, what to do.
 *
 * - usage: the request itself makes no sense (unknown station, empty range)
 * - key: there is no API key, or the service refuses it
 * - network: the service cannot be reached; what is cached is there all the same
 * - service: the service was reached, and cannot be used
 * - disk: a file or a database cannot be read or written
 * - engine: the part of the application that does the work has stopped, or met a fault of its own
 * - cancelled: the user stopped it
 */
export const FAULT_KINDS = ["usage", "key", "network", "service", "disk", "engine", "cancelled"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface AppFault {
  readonly kind: FaultKind;
  readonly message: string;
  /** For the log; never holds the key. */
  readonly cause: string | null;
}

export function usageFault(message: string): AppFault {
  return { kind: "usage", message, cause: null };
}
