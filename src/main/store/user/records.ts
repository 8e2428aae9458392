import { crc32 } from "node:zlib";
import { APPLICATION_ID, type Db } from "../database/database.ts";
import type { FileForm } from "../database/form.ts";
import { DamagedData } from "../errors.ts";
import type { RangeTally } from "./types.ts";

export const USER_FORM: FileForm = {
  applicationId: APPLICATION_ID.user,
  isStrict: true,
  sql: `CREATE TABLE record (
  kind TEXT NOT NULL, id TEXT NOT NULL, content TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID`,
};

/** Kinds of records. Ranges of ledgers have three, so that open ones are found without reading all others. */
export const KINDS = [
  "connection",
  "job",
  "verdicts",
  "view",
  "savedExport",
  "schedule",
  "openRange",
  "missedRange",
  "finalRange",
  "ownFile",
  "stationList",
  "run",
  "setting",
] as const;
export type Kind = (typeof KINDS)[number];

/** A stored record: its value, or the text of a damaged one, which proves nothing. */
export type Found = { readonly id: string } & (
  | { readonly isDamaged: false; readonly value: unknown }
  | { readonly isDamaged: true; readonly text: string }
);

interface Row {
  readonly kind: string;
  readonly id: string;
  readonly content: string;
  readonly checksum: number;
}

const WITHIN = "kind = ? AND id >= ? AND id < ?";

/** Values of `WITHIN` for the records whose id begins with an owner and a space, or for all: a blob follows every text. */
function prefixBounds(kind: Kind, owner?: string): [string, string, string | Uint8Array] {
  return owner === undefined ? [kind, "", new Uint8Array(0)] : [kind, `${owner} `, `${owner}!`];
}

/** The records of user.db: JSON, with a checksum over kind, id and JSON. All throw what SQLite throws. */
export function recordsOf(db: Db) {
  const all = db.prepare<unknown[], Row>(`SELECT * FROM record WHERE ${WITHIN} ORDER BY id`);
  const one = db.prepare<[string, string], Row>("SELECT * FROM record WHERE kind = ? AND id = ?");
  const put = db.prepare<[string, string, string, number]>("INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?)");
  const remove = db.prepare<[string, string]>("DELETE FROM record WHERE kind = ? AND id = ?");
  const count = db.prepare<unknown[], number>(`SELECT count(*) FROM record WHERE ${WITHIN}`).pluck();
  const ids = db.prepare<unknown[], string>(`SELECT id FROM record WHERE ${WITHIN} ORDER BY id LIMIT ?`).pluck();
  const everything = db.prepare<[], Row>("SELECT * FROM record");
  const sum = db
    .prepare<unknown[], string>(`SELECT count(*) || ' ' || total(checksum) FROM record WHERE ${WITHIN}`)
    .pluck();
  const tally = db.prepare<unknown[], RangeTally>(
    `SELECT content ->> '$.content.state' AS state, count(*) AS count, min(content ->> '$.startMs') AS startMs,
      max(content ->> '$.endMs') AS endMs FROM record WHERE ${WITHIN} AND json_valid(content) GROUP BY 1`,
  );
  const known: ReadonlySet<string> = new Set(KINDS);
  const touched = new Set<string>();
  return {
    /** Kinds of the records that were put or removed since this set was emptied. */
    touched,
    /** Differs if records of this kind were changed. */
    sum: (kind: Kind): string => sum.get(...prefixBounds(kind)) ?? "",
    /** In the order of ids. @param owner only those whose id begins with this word and a space */
    all: (kind: Kind, owner?: string): Found[] => all.all(...prefixBounds(kind, owner)).map(foundOf),
    get(kind: Kind, id: string): Found | null {
      const row = one.get(kind, id);
      return row === undefined ? null : foundOf(row);
    },
    has: (kind: Kind, id: string): boolean => one.get(kind, id) !== undefined,
    put(kind: Kind, id: string, value: unknown): void {
      const content = JSON.stringify(value);
      put.run(kind, id, content, recordChecksum({ kind, id, content }));
      touched.add(kind);
    },
    remove(kind: string, id: string): void {
      remove.run(kind, id);
      touched.add(kind);
    },
    /** Number of records; with an owner, as `all`. */
    count: (kind: Kind, owner?: string): number => count.get(...prefixBounds(kind, owner)) ?? 0,
    /** Ranges of an owner by state: how many, and from when to when. Not read one by one: they can be many. */
    tally: (kind: Kind, owner: string): readonly RangeTally[] => tally.all(...prefixBounds(kind, owner)),
    /** The ids of the first records of an owner; by default, of all. */
    ids: (kind: Kind, owner: string, most = Number.MAX_SAFE_INTEGER): readonly string[] =>
      ids.all(...prefixBounds(kind, owner), most),
    /**
     * Reads all records; returns the damaged ones, and those of unknown kinds.
     *
     * @throws DamagedData if they are out of order, so that searches would miss some: SQLite's own check does not notice
     */
    damaged(): { readonly kind: string; readonly id: string }[] {
      const found: { readonly kind: string; readonly id: string }[] = [];
      let last = { kind: "", id: "" };
      for (const row of everything.iterate()) {
        if (compare(last.kind, row.kind) >= 0 && (last.kind !== row.kind || compare(last.id, row.id) >= 0))
          throw new DamagedData("records out of order");
        if (!known.has(row.kind) || row.checksum !== recordChecksum(row)) found.push({ kind: row.kind, id: row.id });
        last = row;
      }
      return found;
    },
  };
}

export type Records = ReturnType<typeof recordsOf>;

/** How the records of user.db are read and changed. */
export interface RecordAccess {
  readonly records: Records;
  readonly read: <T>(work: () => T) => T;
  /** Runs work in one transaction. */
  readonly change: (work: () => void) => void;
  /** @throws StoreError "This cannot be stored: " and the sentence */
  readonly refuse: (sentence: string) => never;
}

/** What refers to a connection is deleted with it, also if another process has just done so. */
export function assertConnection({ records, refuse }: RecordAccess, id: string): void {
  if (!records.has("connection", id)) refuse("its connection was removed meanwhile.");
}

/** The value of a record; null if there is none, or it is damaged. */
export function soundValue<T>(found: Found | null): T | null {
  return found === null || found.isDamaged ? null : (found.value as T);
}

/** As SQLite: by UTF-8. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function foundOf(row: Row): Found {
  const { id, content } = row;
  if (row.checksum !== recordChecksum(row)) return { id, isDamaged: true, text: content };
  return { id, isDamaged: false, value: JSON.parse(content) };
}

function recordChecksum({ kind, id, content }: Omit<Row, "checksum">): number {
  return crc32(JSON.stringify([kind, id, content]));
}
