import Database from "better-sqlite3";
import { isDeepStrictEqual } from "node:util";
import { type Db, migrate } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { CACHE_MIGRATIONS } from "../migrations/cache/index.ts";
import type { SchemaEntry } from "./schemaPages.ts";

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
  const db = new Database(":memory:");
  try {
    migrate(db, CACHE_MIGRATIONS.slice(0, version), 0);
    db.exec(SESSION_TABLE);
    return sortEntries(entriesOf(db));
  } finally {
    db.close();
  }
}

function sortEntries(entries: readonly SchemaEntry[]): readonly SchemaEntry[] {
  return entries.toSorted(([typeA, a], [typeB, b]) => compare(typeA, typeB) || compare(a, b));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
