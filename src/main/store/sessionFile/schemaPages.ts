import { isDeepStrictEqual } from "node:util";
import Database from "better-sqlite3";
import { bytesIn, type ForeignFile } from "#formats/foreign/file.ts";
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

/** A healthy database with a write-ahead log, or of another encoding. */
export class OtherForm extends DamagedData {}

/** First bytes of every SQLite database. */
export const MAGIC = "SQLite format 3\0";
const HEAD_BYTES = 100;
/** Limits for untrusted files; ours have about thirty entries of a few hundred bytes. */
const MAX_PAGES = 64;
const MAX_ENTRIES = 200;
const MAX_ENTRY_BYTES = 20_000;
const LEAF = 13;
const INTERIOR = 5;
/** Header bytes 18 and 19 of a file without a write-ahead log. */
const NO_LOG = 1;
const UTF8 = 1;

/**
 * Reads the schema of an untrusted database without SQLite, which would act on the schema and follow its pages in a
 * call that cannot be stopped. Here no page is read twice. Format: https://www.sqlite.org/fileformat2.html.
 *
 * @throws DamagedData if this program does not write such files, and what the file system throws
 */
export function readFileSchema(file: ForeignFile): FileSchema {
  const size = file.bytes;
  const head = bytesAt(file, 0, HEAD_BYTES);
  if (head.toString("latin1", 0, MAGIC.length) !== MAGIC) throw new DamagedData("an unknown header");
  const written = head.readUInt16BE(16);
  const pageBytes = written === 1 ? 65_536 : written;
  const isPower = pageBytes >= 512 && (pageBytes & (pageBytes - 1)) === 0;
  // With a log or reserved bytes, SQLite would see other pages than these.
  if (isPower && (head[18] !== NO_LOG || head[19] !== NO_LOG || head[20] !== 0 || head.readUInt32BE(56) !== UTF8))
    throw new OtherForm("a file of another form");
  if (!isPower || size % pageBytes !== 0 || size / pageBytes !== head.readUInt32BE(28))
    throw new DamagedData("pages that do not fit the file");
  const entries = schemaEntries((page) => bytesAt(file, (page - 1) * pageBytes, pageBytes), size / pageBytes);
  return { applicationId: head.readUInt32BE(68), userVersion: head.readUInt32BE(60), entries };
}

function bytesAt(file: ForeignFile, position: number, length: number): Buffer {
  const bytes = bytesIn(file, position, length);
  if (bytes.length !== length) throw new DamagedData("a truncated file");
  return bytes;
}

/** Returns all rows of the table whose B-tree begins at page 1. */
function schemaEntries(read: (page: number) => Buffer, pages: number): SchemaEntry[] {
  const seen = new Set<number>();
  const visit = (page: number): Buffer => {
    if (page < 1 || page > pages || seen.has(page) || seen.size >= MAX_PAGES)
      throw new DamagedData("an incomplete schema");
    seen.add(page);
    return read(page);
  };
  const entries: SchemaEntry[] = [];
  const walk = (page: number): void => {
    const bytes = visit(page);
    const start = page === 1 ? HEAD_BYTES : 0;
    const kind = bytes[start];
    if (kind !== LEAF && kind !== INTERIOR) throw new DamagedData("an incomplete schema");
    const cells = bytes.readUInt16BE(start + 3);
    const places = start + (kind === LEAF ? 8 : 12);
    if (places + 2 * cells > bytes.length) throw new DamagedData("an incomplete schema");
    for (let cell = 0; cell < cells; cell++) {
      const at = bytes.readUInt16BE(places + 2 * cell);
      if (at + 4 > bytes.length) throw new DamagedData("an incomplete schema");
      if (kind === INTERIOR) walk(bytes.readUInt32BE(at));
      else entries.push(entryOf(payloadAt(bytes, at, visit)));
      if (entries.length > MAX_ENTRIES) throw new DamagedData("too long a schema");
    }
    if (kind === INTERIOR) walk(bytes.readUInt32BE(start + 8));
  };
  walk(1);
  return entries;
}

/** Returns the payload of a leaf cell, including its overflow pages. */
function payloadAt(bytes: Buffer, at: number, visit: (page: number) => Buffer): Buffer {
  const [length, afterLength] = varint(bytes, at);
  const [, start] = varint(bytes, afterLength);
  if (length > MAX_ENTRY_BYTES) throw new DamagedData("too long a schema");
  const most = bytes.length - 35;
  if (length <= most) return part(bytes, start, length);
  const least = Math.floor(((bytes.length - 12) * 32) / 255) - 23;
  const fit = least + ((length - least) % (bytes.length - 4));
  const local = fit <= most ? fit : least;
  const parts = [part(bytes, start, local)];
  let next = part(bytes, start + local, 4).readUInt32BE();
  for (let left = length - local; left > 0;) {
    const page = visit(next);
    parts.push(page.subarray(4, 4 + left));
    left -= page.length - 4;
    next = page.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

function part(bytes: Buffer, start: number, length: number): Buffer {
  if (start + length > bytes.length) throw new DamagedData("an incomplete schema");
  return bytes.subarray(start, start + length);
}

/** Decodes a record of five columns: type, name, table, page, SQL. */
function entryOf(payload: Buffer): SchemaEntry {
  const [headLength, first] = varint(payload, 0);
  const values: (string | null)[] = [];
  let [at, body] = [first, headLength];
  while (at < headLength && values.length <= 5) {
    const [serial, next] = varint(payload, at);
    at = next;
    const length = lengthOf(serial);
    const value = part(payload, body, length);
    body += length;
    // Texts only: SQLite checks the page number later.
    values.push(serial >= 13 && serial % 2 === 1 ? value.toString("utf8") : null);
  }
  const [type = null, name = null, table = null, , sql = null] = values;
  if (values.length !== 5 || type === null || name === null || table === null)
    throw new DamagedData("an incomplete schema");
  return [type, name, table, sql];
}

function lengthOf(serial: number): number {
  if (serial >= 12) return Math.floor((serial - 12) / 2);
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][serial] ?? 0;
}

/** Reads a number of at most nine bytes; returns it with the position after it. */
function varint(bytes: Buffer, start: number): readonly [value: number, next: number] {
  let value = 0;
  for (let at = start; at < start + 8; at++) {
    const byte = bytes[at];
    if (byte === undefined) throw new DamagedData("an incomplete schema");
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + 1];
  }
  throw new DamagedData("a number of impossible size");
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
