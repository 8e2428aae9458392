import { z } from "zod";
import { parseStored } from "#shared/storedJson.ts";
import { log } from "../log/index.ts";

const fieldsSchema = z.record(z.string(), z.unknown());
/** Each damaged record is logged once, however often it is read. */
const logged = new Set<string>();

/**
 * Reads a record of user.db that has some fields in columns and the others in JSON text.
 *
 * @param what kind of record it is, for the log
 * @returns null if the text is damaged; the record stays in the database
 */
export function readContent<T>(
  schema: z.ZodType<T>,
  what: string,
  columns: Readonly<Record<string, unknown>> & { readonly name: string },
  content: string,
): T | null {
  const found = schema.safeParse({ ...parseStored(fieldsSchema, content), ...columns });
  if (found.success) return found.data;
  const record = `${what} “${columns.name}”`;
  if (!logged.has(record)) log.warn(`the ${record} is damaged`, found.error);
  logged.add(record);
  return null;
}
