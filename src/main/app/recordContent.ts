import type { z } from "zod";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { log } from "../log/index.ts";

interface Named {
  readonly name: string;
}

/** A record is kept if it is no longer the one that a window wants to replace. */
export function changedElsewhere(name: string): Result<never, AppFault> {
  return usageFailure(`“${name}” was changed in another window, so this change was not saved.`);
}

/** The readable ones of named records, by name. @param read null for a record that this version cannot read */
export function readableRecords<Stored extends Named, Item>(
  records: readonly Stored[],
  read: (record: Stored) => Item | null,
): Item[] {
  return records
    .toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }))
    .flatMap((record) => read(record) ?? []);
}

/** The names of the others: damaged records, or those of a newer version. */
export function unreadableRecords<Stored extends Named>(
  records: readonly Stored[],
  read: (record: Stored) => unknown,
): string[] {
  return records.filter((record) => read(record) === null).map(({ name }) => name);
}

/** Each damaged record is logged once, however often it is read. */
const logged = new Set<string>();

/**
 * Reads a record of user.db.
 *
 * @param what kind of record it is, for the log
 * @param content the fields that the store knows nothing of; null if the record is damaged
 * @returns null if the record is damaged, or of a newer version; it stays in the database
 */
export function readContent<T>(
  schema: z.ZodType<T>,
  what: string,
  columns: Readonly<Record<string, unknown>> & Named,
  content: unknown,
): T | null {
  const found = schema.safeParse(content === null ? null : { ...(content as object), ...columns });
  if (found.success) return found.data;
  const record = `${what} “${columns.name}”`;
  if (!logged.has(record)) log.warn(`the ${record} is damaged`, found.error);
  logged.add(record);
  return null;
}
