import { defined } from "#shared/defined.ts";
import { isVariable, type VariableKind, variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { columnNamesOf, type Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";

/** Maximum number of chunks in memory. */
const BUCKETS_PER_STEP = 48;
/** Limit for untrusted files; our own steps are far smaller. */
const MAX_STEP_BYTES = 256_000_000;

export interface SlicedTable {
  readonly table: "chunk" | "chunk_column" | "pyramid";
  /** Column that identifies related rows, with the others before `bucket_ms` in the key. */
  readonly name: "kind" | "variable";
  readonly blobs: string;
}

export const CHUNK_TABLES: readonly SlicedTable[] = [
  { table: "chunk", name: "kind", blobs: "length(times)" },
  { table: "chunk_column", name: "variable", blobs: "length(data) + coalesce(length(present), 0)" },
  { table: "pyramid", name: "variable", blobs: "length(data)" },
];

/** Identifies chunks of one station: all of a kind (or of a variable) in one mode. */
export interface SliceKey {
  readonly site: number;
  /** A kind or a variable, depending on the table. */
  readonly name: string;
  readonly interval: number;
  readonly raw: number;
}

/** Returns the keys of a station in a table. */
export function sliceKeys(db: Db, { table, name }: SlicedTable, site: number): SliceKey[] {
  return db
    .prepare<[number], SliceKey>(
      `SELECT DISTINCT site, ${name} AS name, interval_seconds AS interval, raw FROM ${table} WHERE site = ?`,
    )
    .all(site);
}

/** Copies rows between two files of the same format unchanged, with their checksums; nothing is decoded. */
interface Transfer {
  /** Copies chunks in steps; yields the number of rows of each step. */
  slices(of: SlicedTable, key: SliceKey, buckets: readonly TimeRange[]): Generator<number>;
  /** Copies a small table, or the rows that match; returns their number. */
  rows(table: string, where?: string, ...values: readonly unknown[]): number;
}

/** @param to has all tables that are copied; `from` has at least their columns */
export function transferBetween(from: Db, to: Db): Transfer {
  const columnsOf = (table: string): string[] => columnNamesOf(to, table).filter((name) => name !== "id");
  const insertInto = (table: string, columns: readonly string[]) =>
    to.prepare<unknown[]>(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`);
  const prepared = new Map(CHUNK_TABLES.map((of) => [of.table, prepare(of)]));

  function prepare({ table, name, blobs }: SlicedTable) {
    const columns = columnsOf(table);
    const within = `site = ? AND ${name} = ? AND interval_seconds = ? AND raw = ? AND bucket_ms >= ? AND bucket_ms < ?`;
    return {
      buckets: from
        .prepare<unknown[], number>(`SELECT bucket_ms FROM ${table} WHERE ${within} ORDER BY bucket_ms`)
        .pluck(),
      bytes: from.prepare<unknown[], number>(`SELECT total(${blobs}) FROM ${table} WHERE ${within}`).pluck(),
      read: from
        .prepare<unknown[], unknown[]>(`SELECT ${columns.join()} FROM ${table} WHERE ${within} ORDER BY bucket_ms`)
        .raw(),
      insert: insertInto(table, columns),
    };
  }

  return {
    *slices({ table }, { site, name, interval, raw }, ranges) {
      const { buckets, bytes, read, insert } = defined(prepared.get(table));
      for (const { startMs, endMs } of ranges) {
        const all = buckets.all(site, name, interval, raw, startMs, endMs);
        for (let i = 0; i < all.length; i += BUCKETS_PER_STEP) {
          const step = all.slice(i, i + BUCKETS_PER_STEP);
          const key = [site, name, interval, raw, defined(step.at(0)), defined(step.at(-1)) + 1];
          if ((bytes.get(...key) ?? 0) > MAX_STEP_BYTES) throw new DamagedData("a chunk of impossible size");
          const rows = read.all(...key);
          for (const row of rows) insert.run(...row);
          yield rows.length;
        }
      }
    },
    rows(table, where = "TRUE", ...values) {
      const columns = columnsOf(table);
      const insert = insertInto(table, columns);
      const rows = from
        .prepare<unknown[], unknown[]>(`SELECT ${columns.join()} FROM ${table} WHERE ${where}`)
        .raw()
        .iterate(...values);
      let n = 0;
      for (const row of rows) {
        insert.run(...row);
        n++;
      }
      return n;
    },
  };
}

/** Returns the kind of the data of a key; null if its name is neither a kind nor a variable. */
export function kindOf({ name }: SliceKey): VariableKind | null {
  if (name === "scalar" || name === "satellite") return name;
  return isVariable(name) ? variableKind(name) : null;
}
