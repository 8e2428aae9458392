import { failure } from "./service/error.ts";

// Any value may be thrown, not only an `Error`.

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns the error code of the system, Node or SQLite, such as “ENOENT”, or an empty string. */
export function codeOf(thrown: unknown): string {
  const code = (thrown as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : "";
}

/**
 * Kinds of faults.
 *
 * - usage: the request itself is invalid (unknown station, empty range)
 * - key: there is no API key, or the service refuses it
 * - network: the service is unreachable; cached data remains available
 * - service: the service responded, but cannot be used
 * - disk: a file or a database cannot be read or written
 * - core: the core has stopped, or has an internal error
 * - cancelled: the user stopped it
 */
const FAULT_KINDS = ["usage", "key", "network", "service", "disk", "core", "cancelled"] as const;
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

/** A result that failed because the request itself is invalid. */
export function usageFailure(message: string): { readonly ok: false; readonly error: AppFault } {
  return failure(usageFault(message));
}

/** Returns the result of work; null if it fails, for whatever reason. */
export function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
