import { isDeepStrictEqual } from "node:util";
import Database from "better-sqlite3";
import type { ForeignFile } from "#formats/foreign/file.ts";
import { DamagedPages, openPages } from "#formats/open/sqlite/pages.ts";
import { type Db, migrate, withDatabase } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { CACHE_MIGRATIONS } from "../migrations/cache/index.ts";

/** The header of a database file, and all tables, indices, views and triggers of its schema. */
interface FileSchema {
  readonly applicationId: number;
  readonly userVersion: number;
  readonly entries: readonly SchemaEntry[];
}

/** A row of `sqlite_schema` without its page: type, name, table, SQL (null for objects that SQLite created itself). */
type SchemaEntry = readonly [type: string, name: string, table: string, sql: string | null];

/** Limits for untrusted files; ours have about thirty entries of a few hundred bytes. */
const MAX_PAGES = 64;
const MAX_ENTRIES = 200;
const MAX_ENTRY_BYTES = 20_000;

/**
 * Reads the schema of an untrusted database without SQLite, which would act on it.
 *
 * @throws DamagedData if this program does not write such files, and what the file system throws
 */
export function readFileSchema(file: ForeignFile): FileSchema {
  try {
    const pages = openPages(file);
    const limits = { pages: MAX_PAGES, recordBytes: MAX_ENTRY_BYTES, textBytes: MAX_ENTRY_BYTES };
    const entries: SchemaEntry[] = [];
    for (const { values } of pages.records(1, limits)) {
      const [type, name, table, , sql = null] = values;
      const isEntry = values.length === 5 && [type, name, table].every((value) => typeof value === "string");
      if (!isEntry || entries.length >= MAX_ENTRIES) throw new DamagedData("an incomplete schema");
      entries.push([String(type), String(name), String(table), typeof sql === "string" ? sql : null]);
    }
    return { applicationId: pages.applicationId, userVersion: pages.userVersion, entries };
  } catch (thrown) {
    throw thrown instanceof DamagedPages ? new DamagedData(thrown.message) : thrown;
  }
}

/** The only table of a session that a cache does not have. */
export const SESSION_TABLE = "CREATE TABLE session (content TEXT NOT NULL) STRICT";

/**
 * Checks that a file has exactly the tables that this program created in this version and nothing else, so that nothing
 * added or changed by others is run.
 *
 * @throws DamagedData
 */
export function assertSchema(entries: readonly SchemaEntry[], version: number): void {
  if (!isDeepStrictEqual(sortEntries(entries), schemaOf(version)))
    throw new DamagedData("other tables than a session has");
}

/** Returns the schema as SQLite reports it. */
export function entriesOf(db: Db): SchemaEntry[] {
  return db
    .prepare<[], [string, string, string, string | null]>("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    .raw()
    .all();
}

/**
 * Returns the schema after the migrations up to a version. They are never changed, so this is what that version wrote.
 */
function schemaOf(version: number): readonly SchemaEntry[] {
  return withDatabase(new Database(":memory:"), (db) => {
    migrate(db, CACHE_MIGRATIONS.slice(0, version), 0);
    db.exec(SESSION_TABLE);
    return sortEntries(entriesOf(db));
  });
}

function sortEntries(entries: readonly SchemaEntry[]): readonly SchemaEntry[] {
  return entries.toSorted(([typeA, a], [typeB, b]) => compare(typeA, typeB) || compare(a, b));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
