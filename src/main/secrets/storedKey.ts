import { z } from "zod";
import { parseStored } from "#shared/storedJson.ts";

/** An existing key cannot be used. `message` is a sentence for the user, without the key. */
export class SecretError extends Error {
  override readonly name = "SecretError";
}

/** An API key, and where it may be sent. */
export interface StoredKey {
  readonly key: string;
  /** Scheme, host and port of the service that it was entered for; null if an earlier version stored it without. */
  readonly origin: string | null;
  /** Whether the user allowed sending it unencrypted. */
  readonly allowsPlainHttp: boolean;
}

const storedKeySchema = z.object({
  version: z.literal(2),
  origin: z.string().nullable(),
  allowsPlainHttp: z.boolean(),
  key: z.string().min(1),
});

/** Formats a key for storage, in one text with its binding, so that neither can be changed alone. */
export function formatStoredKey({ key, origin, allowsPlainHttp }: StoredKey): string {
  return JSON.stringify({ version: 2, origin, allowsPlainHttp, key });
}

/** @param text the stored text; earlier versions stored the key alone. @returns null if the format is unknown */
export function parseStoredKey(text: string): StoredKey | null {
  if (!text.startsWith("{")) return { key: text, origin: null, allowsPlainHttp: false };
  return parseStored(storedKeySchema, text);
}
