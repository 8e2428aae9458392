import type { AppFault } from "#shared/fault.ts";
import { SecretError } from "./secrets/error.ts";
import { StoreError } from "./store/index.ts";

/** Whatever was thrown below the bridge, as a fault with a sentence. */
export function faultOf(thrown: unknown): AppFault {
  if (thrown instanceof StoreError && thrown.kind !== "internal")
    return {
      kind: "disk",
      message: thrown.message,
      cause: thrown.cause instanceof Error ? thrown.cause.message : null,
    };
  if (thrown instanceof SecretError) return { kind: "key", message: thrown.message, cause: null };
  const cause = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  const said = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    kind: "engine",
    message: `The application failed (${said}). Files on disk are not affected. Try again.`,
    cause,
  };
}
