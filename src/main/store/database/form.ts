import Database from "better-sqlite3";
import { isDeepStrictEqual } from "node:util";
import { DamagedData, StoreError } from "../errors.ts";
import { BUSY_WAIT_MS, closedOnFailure, type Db, openedBySqlite, settle, withDatabase } from "./database.ts";
import { assertReadable, makePrivate } from "../permission.ts";

/** The format of all files of this program (`PRAGMA user_version`). */
export const FORMAT = 1;

/** The tables of a kind of file, as statements that create them. */
export interface FileForm {
  readonly applicationId: number;
  readonly sql: string;
  /** Whether numbers in the header that do not fit are refused: other versions may write other content in the same tables. */
  readonly isStrict?: boolean;
}

/** A row of `sqlite_schema` without its page: type, name, table, SQL (null for objects that SQLite created itself). */
type SchemaEntry = readonly [type: string, name: string, table: string, sql: string | null];

/** Returns the schema as SQLite reports it. */
function entriesOf(db: Db): SchemaEntry[] {
  return db
    .prepare<[], [string, string, string, string | null]>("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    .raw()
    .all();
}

/** Returns whether a schema is exactly the one that the statements create, in any order. */
function isSchema(entries: readonly SchemaEntry[], sql: string): boolean {
  const own = withDatabase(new Database(":memory:"), (db) => entriesOf(db.exec(sql)));
  const sorted = (all: readonly SchemaEntry[]): string[] => all.map((entry) => JSON.stringify(entry)).toSorted();
  return isDeepStrictEqual(sorted(entries), sorted(own));
}

/**
 * Opens a file of a form with our settings; creates it if it is missing or empty.
 *
 * @throws as `assertForm`, StoreError `cannotOpen` for a file that this user may not read, and what SQLite throws
 */
export function openForm(path: string, form: FileForm, busyWaitMs = BUSY_WAIT_MS): Db {
  makePrivate(path);
  assertReadable(path);
  return closedOnFailure(openedBySqlite(path, busyWaitMs), (db) => {
    const isNew = entriesOf(db).length === 0 && db.pragma("user_version", { simple: true }) === 0;
    if (!isNew) assertForm(db, form, path);
    settle(db);
    createTables(db, form);
    return db;
  });
}

/**
 * Checks that a file has the tables of a form. The tables decide: a number in the header that does not fit them is
 * damage, and is corrected by `openForm`, except in a strict form.
 *
 * @throws StoreError `foreign` for a database of another program, `newer` for one of a newer program, which are left
 *   unchanged; DamagedData for damaged tables
 */
export function assertForm(db: Db, { applicationId, sql, isStrict = false }: FileForm, path: string): void {
  const found = Number(db.pragma("user_version", { simple: true }));
  const fits = isSchema(entriesOf(db), sql);
  if (fits && !isStrict) return;
  if (db.pragma("application_id", { simple: true }) !== applicationId)
    throw new StoreError("foreign", path, `${path}: This file belongs to another program. It was not changed.`);
  if (found > FORMAT)
    throw new StoreError(
      "newer",
      path,
      `${path}: This file was written by a newer version of Zenith Desk (format ${found}, this program knows up to ` +
        `${FORMAT}): update the program. The file was not changed.`,
    );
  if (!fits || found !== FORMAT) throw new DamagedData("table descriptions that were changed");
}

/** Creates the tables of a new file, and corrects the numbers of its header. */
function createTables(db: Db, { applicationId, sql }: FileForm): void {
  const isStamped = (): boolean =>
    db.pragma("application_id", { simple: true }) === applicationId &&
    db.pragma("user_version", { simple: true }) === FORMAT &&
    entriesOf(db).length > 0;
  if (isStamped()) return;
  db.transaction(() => {
    // Another process may have done it while this one waited for the lock.
    if (entriesOf(db).length === 0) db.exec(sql);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${FORMAT}`);
  }).immediate();
}
