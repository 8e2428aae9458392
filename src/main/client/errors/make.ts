import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";
import { createKeyScrubber } from "../../log/secrets.ts";

type Extras = Partial<
  Pick<ServiceError, "status" | "limitPoints" | "retryAfterMs" | "isUnsent" | "isSetting" | "cause">
>;

/** Creates an error; the fields without a value are null. */
export function serviceError(kind: ServiceErrorKind, message: string, extras: Extras = {}): ServiceError {
  return { kind, message, status: null, limitPoints: null, retryAfterMs: null, cause: null, ...extras };
}

/** A service error thrown through code that reads a body. Only the client throws and catches it. */
export class ServiceFailure extends Error {
  override readonly name = "ServiceFailure";
  readonly error: ServiceError;
  constructor(error: ServiceError) {
    super(error.message);
    this.error = error;
  }
}

const MAX_QUOTED = 300;

/** Makes foreign text safe for a sentence: one line, no markup, no invisible or bidirectional characters, limited length. */
export function quoted(text: string): string {
  const plain = text
    .replace(/<(script|style)\b[^>]*>.*?<\/\1>/gis, " ")
    .replace(/<[^>]{0,500}>/g, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return plain.length > MAX_QUOTED ? `${plain.slice(0, MAX_QUOTED)}…` : plain;
}

/** Removes the key from an error, in all forms in which a server or library may have repeated it. */
export function withoutKey(error: ServiceError, key: string | null): ServiceError {
  if (key === null || key === "") return error;
  const { scrub } = createKeyScrubber(key);
  return { ...error, message: scrub(error.message), cause: error.cause === null ? null : scrub(error.cause) };
}
