import Database from "better-sqlite3";
import { isDeepStrictEqual } from "node:util";
import { type Db, migrate } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { CACHE_MIGRATIONS } from "../migrations/cache/index.ts";
import type { SchemaEntry } from "./schemaPages.ts";

/** The one table that a session has beside those of a cache. */
export const SESSION_TABLE = "CREATE TABLE session (content TEXT NOT NULL) STRICT";

/**
 * Makes sure that a file describes the very tables that this program made in this version, letter by letter, and nothing
 * else: what a stranger added to them, or changed in them, is not run.
 *
 * @throws DamagedData
 */
export function demandSchema(entries: readonly SchemaEntry[], version: number): void {
  if (!isDeepStrictEqual(inOrder(entries), schemaOf(version))) throw new DamagedData("other tables than a session has");
}

/** As SQLite itself tells it. */
export function entriesOf(db: Db): SchemaEntry[] {
  return db
    .prepare<[], [string, string, string, string | null]>("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    .raw()
    .all();
}

/** What the migrations up to a version make: they are never changed, so this is what each version wrote. */
function schemaOf(version: number): readonly SchemaEntry[] {
  const db = new Database(":memory:");
  try {
    migrate(db, CACHE_MIGRATIONS.slice(0, version), 0);
    db.exec(SESSION_TABLE);
    return inOrder(entriesOf(db));
  } finally {
    db.close();
  }
}

function inOrder(entries: readonly SchemaEntry[]): readonly SchemaEntry[] {
  return entries.toSorted(([typeA, a], [typeB, b]) => compare(typeA, typeB) || compare(a, b));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
