import { defined } from "#shared/defined.ts";
import type { VariableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";

/** Chunks whose blobs are in memory at a time. */
const BUCKETS_A_STEP = 48;
/** The chunks of no step of ours come near it; a file that claims more is not read into memory. */
const MOST_STEP_BYTES = 256_000_000;

export interface SlicedTable {
  readonly table: "chunk" | "chunk_column" | "pyramid";
  /** What belongs together: the columns before `bucket_ms` of its key. */
  readonly name: "kind" | "variable";
  readonly blobs: string;
}

export const CHUNK_TABLES: readonly SlicedTable[] = [
  { table: "chunk", name: "kind", blobs: "length(times)" },
  { table: "chunk_column", name: "variable", blobs: "length(data) + coalesce(length(present), 0)" },
  { table: "pyramid", name: "variable", blobs: "length(data)" },
];

/** Chunks of one station, all of a kind (or of a variable) in one mode. */
export interface SliceKey {
  readonly site: number;
  /** A kind or a variable, as the table has it. */
  readonly name: string;
  readonly interval: number;
  readonly raw: number;
}

/** Copies rows between two files of the same form as they lie, checksums and all: nothing is decoded. */
export interface Transfer {
  keys(of: SlicedTable, site: number): SliceKey[];
  /** One step for some chunks; gives how many. */
  slices(of: SlicedTable, key: SliceKey, buckets: readonly TimeRange[]): Generator<number>;
  /** A small table as a whole, or those of its rows that fit; gives how many. */
  rows(table: string, where?: string, ...values: readonly unknown[]): number;
}

/** @param to has all tables that are asked for; `from` has their columns, perhaps among others */
export function transferBetween(from: Db, to: Db): Transfer {
  const columnsOf = (table: string): string[] =>
    (to.pragma(`table_info(${table})`) as { readonly name: string }[]).map((c) => c.name).filter((c) => c !== "id");
  const insertInto = (table: string, columns: readonly string[]) =>
    to.prepare<unknown[]>(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`);
  const prepared = new Map(CHUNK_TABLES.map((of) => [of.table, prepare(of)]));

  function prepare({ table, name, blobs }: SlicedTable) {
    const columns = columnsOf(table);
    const within = `site = ? AND ${name} = ? AND interval_seconds = ? AND raw = ? AND bucket_ms >= ? AND bucket_ms < ?`;
    return {
      keys: from.prepare<[number], SliceKey>(
        `SELECT DISTINCT site, ${name} AS name, interval_seconds AS interval, raw FROM ${table} WHERE site = ?`,
      ),
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
    keys: ({ table }, site) => defined(prepared.get(table)).keys.all(site),
    *slices({ table }, { site, name, interval, raw }, ranges) {
      const { buckets, bytes, read, insert } = defined(prepared.get(table));
      for (const { startMs, endMs } of ranges) {
        const all = buckets.all(site, name, interval, raw, startMs, endMs);
        for (let i = 0; i < all.length; i += BUCKETS_A_STEP) {
          const key = [site, name, interval, raw, all[i]!, (all[i + BUCKETS_A_STEP - 1] ?? defined(all.at(-1))) + 1];
          if ((bytes.get(...key) ?? 0) > MOST_STEP_BYTES) throw new DamagedData("a chunk of impossible size");
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

/** The kind to which the chunks of a key belong. */
export function isKind(name: string): name is VariableKind {
  return name === "scalar" || name === "satellite";
}
