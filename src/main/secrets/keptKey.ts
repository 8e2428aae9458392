import { z } from "zod";
import { parseStored } from "#shared/storedJson.ts";

/** A key that is there and may not be used. `message` is a sentence for the user; it never holds the key. */
export class SecretError extends Error {
  override readonly name = "SecretError";
}

/** An API key, and where it may be sent. */
export interface KeptKey {
  readonly key: string;
  /** Scheme, host and port of the service that it was entered for; null where an earlier version kept it, which did not say. */
  readonly origin: string | null;
  /** Whether the user said, when it was entered, that it may travel unencrypted. */
  readonly allowsPlainHttp: boolean;
}

const kept = z.object({
  version: z.literal(2),
  origin: z.string().nullable(),
  allowsPlainHttp: z.boolean(),
  key: z.string().min(1),
});

/** A key as it is kept: in one text with what it is bound to, so that neither can be changed without the other. */
export function writeKeptKey({ key, origin, allowsPlainHttp }: KeptKey): string {
  return JSON.stringify({ version: 2, origin, allowsPlainHttp, key });
}

/** @param text what was kept: earlier versions kept the key alone. @returns null where it is in no form that is known */
export function readKeptKey(text: string): KeptKey | null {
  if (!text.startsWith("{")) return { key: text, origin: null, allowsPlainHttp: false };
  return parseStored(kept, text);
}
