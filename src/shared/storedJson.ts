import type { z } from "zod";

/** Parses stored JSON by a schema; null if there is no text, or it is damaged or does not match. */
export function parseStored<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
