import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";
import { spellingsOf } from "../../log/secrets.ts";

type Extras = Partial<Pick<ServiceError, "status" | "limitPoints" | "retryAfterMs" | "isUnsent" | "cause">>;

/** A failure with everything that is not said left null. */
export function serviceError(kind: ServiceErrorKind, message: string, extras: Extras = {}): ServiceError {
  return { kind, message, status: null, limitPoints: null, retryAfterMs: null, cause: null, ...extras };
}

/** A failure on its way through code that reads a body. Only the client's own pieces throw and catch it. */
export class Failed extends Error {
  override readonly name = "Failed";
  readonly error: ServiceError;
  constructor(error: ServiceError) {
    super(error.message);
    this.error = error;
  }
}

const MOST_QUOTED = 300;

/** Foreign text in a sentence: one line, no markup, no characters that hide or turn others round, not too long. */
export function quoted(text: string): string {
  const plain = text
    .replace(/<(script|style)\b[^>]*>.*?<\/\1>/gis, " ")
    .replace(/<[^>]{0,500}>/g, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return plain.length > MOST_QUOTED ? `${plain.slice(0, MOST_QUOTED)}…` : plain;
}

/** The failure without the key, in whatever of the usual spellings a server or library may have repeated it. */
export function scrubbed(error: ServiceError, key: string | null): ServiceError {
  if (key === null || key === "") return error;
  const spellings = spellingsOf(key);
  const scrub = (text: string): string => {
    let clean = text;
    for (const spelling of spellings) clean = clean.replaceAll(spelling, "[key]");
    return clean;
  };
  return { ...error, message: scrub(error.message), cause: error.cause === null ? null : scrub(error.cause) };
}
