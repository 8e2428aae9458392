import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, closeSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { JobSpec } from "#shared/job/job.ts";
import { measured, run } from "../harness/child.ts";
import { timed } from "../harness/report.ts";
import type { Bench } from "../harness/types.ts";
import type { SqlRowsArguments } from "../measured/sqlRows.ts";

export interface SqliteCsvArguments {
  readonly bench: Bench;
  readonly folder: string;
  readonly spec: JobSpec;
  readonly decimals: number | null;
}

/** Seconds of each run: with times as stored integers, and as texts like in our file. */
export interface SqliteCsv {
  readonly integer: readonly number[];
  readonly iso: readonly number[];
  /** Import of that text with `.import` into a table with a key of station and time. */
  readonly imported: readonly number[];
}

/** Exports the same rows from a table with one row per epoch with SQLite's shell; null if it is not installed. */
export async function sqliteCsv({ bench, folder, spec, decimals }: SqliteCsvArguments): Promise<SqliteCsv | null> {
  if ("absent" in bench.sqlite3) return null;
  const path = join(folder, "rows.db");
  const args: SqlRowsArguments = { path, spec, decimals, columns: 1, runs: 1 };
  await measured("sqlRows.ts", args);
  const integer: number[] = [];
  const iso: number[] = [];
  const imported: number[] = [];
  for (let round = 0; round < bench.scale.runs; round++) {
    integer.push(await exported(bench.sqlite3.path, path, "time"));
    const iso8601 = "strftime('%Y-%m-%dT%H:%M:%SZ', time / 1000, 'unixepoch')";
    iso.push(await exported(bench.sqlite3.path, path, iso8601, `${path}.text`));
    imported.push(await importedFrom(bench.sqlite3.path, `${path}.text`));
  }
  return { integer, iso, imported };
}

async function importedFrom(sqlite3: string, text: string): Promise<number> {
  const target = `${text}.db`;
  const table =
    "CREATE TABLE measurement (station_id TEXT NOT NULL, time TEXT NOT NULL, ztd REAL, ztd_sigma REAL, pwv REAL, " +
    "PRIMARY KEY (station_id, time)) WITHOUT ROWID";
  const commands = [
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    table,
    `.import --csv --skip 1 "${text}" measurement`,
  ];
  const { seconds } = await timed(() => run(sqlite3, [target, ...commands]));
  rmSync(target);
  rmSync(text);
  return seconds;
}

/** @param keptAs path of the text; without it the text is removed */
async function exported(sqlite3: string, path: string, time: string, keptAs?: string): Promise<number> {
  const sql = `SELECT id AS station_id, ${time} AS time, ztd, ztd_sigma, pwv FROM station JOIN epoch ON epoch.station = number`;
  const target = keptAs ?? `${path}.csv`;
  const file = openSync(target, "w");
  const { seconds, value: code } = await timed(async () => {
    const child = spawn(sqlite3, ["-csv", "-header", path, sql], { stdio: ["ignore", file, "inherit"] });
    return ((await once(child, "close")) as [number | null])[0];
  });
  closeSync(file);
  if (keptAs === undefined) rmSync(target);
  if (code !== 0) throw new Error(`sqlite3 ended with ${code}.`);
  return seconds;
}
