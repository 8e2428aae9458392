import { statSync } from "node:fs";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";

/** Of a file that a colleague shared, in bytes; ten years of a hundred stations take a fifth of it. */
const MOST_FILE_BYTES = 32e9;
/** Of the description, with all views in it. */
const MOST_CONTENT_BYTES = 25_000_000;
/** Of a station, a network or an extent, all its texts together. */
const MOST_ROW_BYTES = 20_000;
/** Of one chunk or column: a day of a receiver that measures twenty times a second. */
const MOST_ROWS_OF_CHUNK = 2_000_000;
/** How much smaller than its rows a file can be: a day of one value takes more than a hundred bytes. */
const MOST_ROWS_PER_BYTE = 2_000;

const SMALL_TABLES = ["station", "network", "catalogue", "site", "extent"];

/**
 * Makes sure that a file with our tables and sound pages does not ask for more memory or time than its size is worth. Looks
 * at lengths and counts only.
 *
 * @throws DamagedData
 */
export function demandLimits(db: Db, path: string): void {
  const { size } = statSync(path);
  const one = (sql: string): number => Number(db.prepare(sql).pluck().get() ?? 0);
  demand(size <= MOST_FILE_BYTES, "bytes");
  demand(one("SELECT count(*) FROM session") === 1, "descriptions");
  demand(one("SELECT max(octet_length(content)) FROM session") <= MOST_CONTENT_BYTES, "words");
  for (const table of SMALL_TABLES) {
    const columns = (db.pragma(`table_info(${table})`) as { readonly name: string }[]).map((c) => c.name);
    const bytes = columns.map((name) => `coalesce(octet_length(${name}), 0)`).join(" + ");
    demand(one(`SELECT max(${bytes}) FROM ${table}`) <= MOST_ROW_BYTES, "words");
  }
  for (const table of ["chunk", "chunk_column"]) {
    demand(one(`SELECT count(*) FROM ${table} WHERE NOT n BETWEEN 0 AND ${MOST_ROWS_OF_CHUNK}`) === 0, "rows");
    demand(one(`SELECT total(n) FROM ${table}`) <= size * MOST_ROWS_PER_BYTE, "rows");
  }
}

function demand(isWithin: boolean, what: string): void {
  if (!isWithin) throw new DamagedData(`more ${what} than a session has`);
}
