import type { AppFault, FaultKind } from "#shared/fault.ts";
import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";

const KINDS: Partial<Record<ServiceErrorKind, FaultKind>> = {
  unauthorized: "key",
  cancelled: "cancelled",
  network: "network",
};

export function serviceFault(error: ServiceError): AppFault {
  return { kind: KINDS[error.kind] ?? "service", message: error.message, cause: error.cause };
}
