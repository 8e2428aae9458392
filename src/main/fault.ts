import { type AppFault, type FaultKind, messageOf } from "#shared/fault.ts";
import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";
import { SecretError } from "./secrets.ts";
import { StoreError } from "./store/index.ts";

const KINDS: Partial<Record<ServiceErrorKind, FaultKind>> = {
  unauthorized: "key",
  cancelled: "cancelled",
  network: "network",
};

export function serviceFault(error: ServiceError): AppFault {
  const kind = error.isSetting ? "usage" : (KINDS[error.kind] ?? "service");
  return { kind, message: error.message, cause: error.cause };
}

/** Converts any error to a fault with a sentence. */
export function faultOf(thrown: unknown): AppFault {
  if (thrown instanceof StoreError && thrown.kind !== "internal")
    return {
      kind: "disk",
      message: thrown.message,
      cause: thrown.cause instanceof Error ? thrown.cause.message : null,
    };
  if (thrown instanceof DOMException && thrown.name === "AbortError")
    return { kind: "cancelled", message: thrown.message, cause: null };
  if (thrown instanceof SecretError) return { kind: "key", message: thrown.message, cause: null };
  const cause = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  const said = messageOf(thrown);
  return {
    kind: "core",
    message: `The application failed (${said}). Files on disk are not affected. Try again.`,
    cause,
  };
}
