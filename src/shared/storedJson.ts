import type { z } from "zod";

/** Stored text as a value of the schema; null where there is no text, or the text is damaged or of another form. */
export function parseStored<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
