import type { ServiceError } from "#shared/service/error.ts";

/**
 * Why the application could not do what was asked. `message` is a sentence for the user: what happened, and what to do.
 *
 * - usage: the request itself makes no sense (unknown station, empty range)
 * - key: there is no API key, or the service refuses it
 * - service: the service cannot be reached or used
 * - disk: a file or a database cannot be read or written
 * - cancelled: the user stopped it
 */
export interface AppFault {
  readonly kind: "usage" | "key" | "service" | "disk" | "cancelled";
  readonly message: string;
  readonly cause: string | null;
}

export function usageFault(message: string): AppFault {
  return { kind: "usage", message, cause: null };
}

export function serviceFault(error: ServiceError): AppFault {
  const kind = error.kind === "unauthorized" ? "key" : error.kind === "cancelled" ? "cancelled" : "service";
  return { kind, message: error.message, cause: error.cause };
}
