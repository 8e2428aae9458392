import { bytesIn, type ForeignFile } from "../../foreign/file.ts";

/** A value of a record: a text, a number, or null, also for bytes and texts that are too long. */
export type SqliteValue = string | number | null;

/** A database file, read without SQLite. */
export interface SqlitePages {
  readonly applicationId: number;
  readonly userVersion: number;
  /**
   * Yields the records of a table in the order of its key, by the page at which its B-tree begins: 1 for the schema.
   * @throws DamagedPages
   */
  records(root: number, limits?: Partial<RecordLimits>): Iterable<SqliteRecord>;
}

/** A record with its row id, which is 0 in a table without row ids. */
export interface SqliteRecord {
  readonly rowId: number;
  readonly values: readonly SqliteValue[];
}

export interface RecordLimits {
  readonly pages: number;
  readonly recordBytes: number;
  readonly textBytes: number;
}

/** Pages that do not fit together, or more of them than allowed. */
export class DamagedPages extends Error {}

/** A healthy database with a write-ahead log, or of another encoding. */
export class OtherForm extends DamagedPages {}

/** First bytes of every SQLite database. */
export const MAGIC = "SQLite format 3\0";
const HEAD_BYTES = 100;
/** Header bytes 18 and 19 of a file without a write-ahead log. */
const NO_LOG = 1;
const UTF8 = 1;
/** Kinds of pages: interior and leaf of an index, which a table without row ids is, and of a table. */
const INDEX_INTERIOR = 2;
const TABLE_INTERIOR = 5;
const INDEX_LEAF = 10;
const TABLE_LEAF = 13;
/** A tree of 2^32 pages with two children each is deeper than any that SQLite writes. */
const MAX_DEPTH = 24;
const DEFAULT_LIMITS: RecordLimits = { pages: Number.POSITIVE_INFINITY, recordBytes: 1 << 26, textBytes: 1_000 };

/**
 * Opens an untrusted database without SQLite, which would act on its schema and follow its pages in a call that cannot be
 * stopped. Here no page is read twice for a table. Format: https://www.sqlite.org/fileformat2.html.
 *
 * @throws DamagedPages, and what the file throws
 */
export function openPages(file: ForeignFile): SqlitePages {
  const head = bytesAt(file, 0, HEAD_BYTES);
  if (head.toString("latin1", 0, MAGIC.length) !== MAGIC) throw new DamagedPages("an unknown header");
  const written = head.readUInt16BE(16);
  const pageBytes = written === 1 ? 65_536 : written;
  const isPower = pageBytes >= 512 && (pageBytes & (pageBytes - 1)) === 0;
  // With a log or reserved bytes, SQLite would see other pages than these.
  if (isPower && (head[18] !== NO_LOG || head[19] !== NO_LOG || head[20] !== 0 || head.readUInt32BE(56) !== UTF8))
    throw new OtherForm("a file of another form");
  const pages = file.bytes / pageBytes;
  if (!isPower || !Number.isInteger(pages) || pages !== head.readUInt32BE(28))
    throw new DamagedPages("pages that do not fit the file");
  const read = (page: number): Buffer => bytesAt(file, (page - 1) * pageBytes, pageBytes);
  return {
    applicationId: applicationIdOf(file),
    userVersion: head.readUInt32BE(60),
    records: (root, limits) => new Tree(read, pages, { ...DEFAULT_LIMITS, ...limits }).records(root, 0),
  };
}

/** The kind of a database, also of one that cannot be read here. */
export function applicationIdOf(file: ForeignFile): number {
  const head = bytesIn(file, 0, HEAD_BYTES);
  return head.length < HEAD_BYTES ? 0 : head.readUInt32BE(68);
}

function bytesAt(file: ForeignFile, position: number, length: number): Buffer {
  const bytes = bytesIn(file, position, length);
  if (bytes.length !== length) throw new DamagedPages("a truncated file");
  return bytes;
}

class Tree {
  readonly #read: (page: number) => Buffer;
  readonly #seen: Uint8Array;
  readonly #limits: RecordLimits;
  #visits = 0;

  constructor(read: (page: number) => Buffer, pages: number, limits: RecordLimits) {
    this.#read = read;
    this.#seen = new Uint8Array(pages + 1);
    this.#limits = limits;
  }

  *records(page: number, depth: number): Iterable<SqliteRecord> {
    const bytes = this.#visit(page);
    const start = page === 1 ? HEAD_BYTES : 0;
    const kind = bytes[start];
    const isInterior = kind === INDEX_INTERIOR || kind === TABLE_INTERIOR;
    if (depth > MAX_DEPTH || (!isInterior && kind !== INDEX_LEAF && kind !== TABLE_LEAF)) throw incomplete();
    const cells = bytes.readUInt16BE(start + 3);
    const places = start + (isInterior ? 12 : 8);
    if (places + 2 * cells > bytes.length) throw incomplete();
    for (let cell = 0; cell < cells; cell++) {
      const at = bytes.readUInt16BE(places + 2 * cell);
      if (at + 4 > bytes.length) throw incomplete();
      if (isInterior) yield* this.records(bytes.readUInt32BE(at), depth + 1);
      // Inner pages of a table have keys alone; those of an index have records.
      if (kind !== TABLE_INTERIOR) yield this.#record(bytes, isInterior ? at + 4 : at, kind === TABLE_LEAF);
    }
    if (isInterior) yield* this.records(bytes.readUInt32BE(start + 8), depth + 1);
  }

  #visit(page: number): Buffer {
    if (page < 1 || page >= this.#seen.length || this.#seen[page] === 1 || ++this.#visits > this.#limits.pages)
      throw incomplete();
    this.#seen[page] = 1;
    return this.#read(page);
  }

  #record(bytes: Buffer, at: number, hasRowId: boolean): SqliteRecord {
    const [length, afterLength] = varint(bytes, at);
    const [rowId, start] = hasRowId ? varint(bytes, afterLength) : [0, afterLength];
    if (length > this.#limits.recordBytes) throw new DamagedPages("too long a record");
    const most = hasRowId ? bytes.length - 35 : Math.floor(((bytes.length - 12) * 64) / 255) - 23;
    const payload = length <= most ? part(bytes, start, length) : this.#overflowing(bytes, { start, length, most });
    return { rowId, values: valuesIn(payload, this.#limits.textBytes) };
  }

  /** The payload of a cell that goes on in other pages. */
  #overflowing(bytes: Buffer, { start, length, most }: { start: number; length: number; most: number }): Buffer {
    const least = Math.floor(((bytes.length - 12) * 32) / 255) - 23;
    const fit = least + ((length - least) % (bytes.length - 4));
    const local = fit <= most ? fit : least;
    const parts = [part(bytes, start, local)];
    let next = part(bytes, start + local, 4).readUInt32BE();
    for (let left = length - local; left > 0;) {
      const page = this.#visit(next);
      parts.push(page.subarray(4, 4 + left));
      left -= page.length - 4;
      next = page.readUInt32BE(0);
    }
    return Buffer.concat(parts);
  }
}

function valuesIn(payload: Buffer, textBytes: number): SqliteValue[] {
  const [headLength, first] = varint(payload, 0);
  const values: SqliteValue[] = [];
  let [at, body] = [first, headLength];
  while (at < headLength) {
    const [serial, next] = varint(payload, at);
    at = next;
    const length = serial >= 12 ? Math.floor((serial - 12) / 2) : (LENGTHS[serial] ?? 0);
    values.push(valueOf(serial, part(payload, body, length), textBytes));
    body += length;
  }
  return values;
}

/** Bytes of a value by its serial type: null, integers, a double, 0 and 1. */
const LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function valueOf(serial: number, bytes: Buffer, textBytes: number): SqliteValue {
  if (serial >= 13 && serial % 2 === 1) return bytes.length <= textBytes ? bytes.toString("utf8") : null;
  if (serial === 6) return Number(bytes.readBigInt64BE());
  if (serial >= 1 && serial <= 5) return bytes.readIntBE(0, bytes.length);
  if (serial === 7) return bytes.readDoubleBE();
  return serial === 8 || serial === 9 ? serial - 8 : null;
}

function part(bytes: Buffer, start: number, length: number): Buffer {
  if (start + length > bytes.length) throw incomplete();
  return bytes.subarray(start, start + length);
}

/** Reads a number of at most nine bytes; returns it with the position after it. */
function varint(bytes: Buffer, start: number): readonly [value: number, next: number] {
  let value = 0;
  for (let at = start; at < start + 8; at++) {
    const byte = bytes[at];
    if (byte === undefined) throw incomplete();
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + 1];
  }
  // Only negative row ids are so long, which nothing here needs.
  return [Number.NaN, start + 9];
}

function incomplete(): DamagedPages {
  return new DamagedPages("pages that do not belong together");
}
