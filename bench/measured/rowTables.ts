// The peers at scale: the same stations in a table with a row per epoch, in SQLite and in DuckDB.
import { statSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import Database from "better-sqlite3";
import type { JobSpec } from "#shared/job/job.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { report, timed } from "../harness/report.ts";
import { worldRows } from "../harness/worldRows.ts";

export interface RowTablesArguments {
  readonly engine: "sqlite" | "duckdb";
  readonly path: string;
  /** The stations whose rows are used. */
  readonly spec: JobSpec;
  readonly stations: number;
  readonly columns: number;
  readonly runs: number;
}

/** Milliseconds of each run. */
export interface RowTablesTimes {
  readonly draw: readonly number[];
  readonly availability: readonly number[];
  readonly snapshot: readonly number[];
  readonly bytes: number;
}

interface Table {
  insert(station: number, stationId: string): Promise<void> | void;
  copy(from: number, to: number): Promise<void> | void;
  finish(): Promise<void> | void;
  /** Reads every row of the result. */
  all(sql: string): Promise<void> | void;
  close(): void;
}

const PATTERNS = 3;

await report(async (args: RowTablesArguments): Promise<RowTablesTimes> => {
  const { engine, path, spec, stations, columns, runs } = args;
  const table = engine === "sqlite" ? sqliteTable(path, spec) : await duckdbTable(path, spec);
  for (const [i, id] of spec.stationIds.slice(0, PATTERNS).entries()) await table.insert(i, id);
  for (let station = PATTERNS; station < stations; station++) await table.copy(station % PATTERNS, station);
  await table.finish();

  const { startMs, endMs } = spec.range;
  // SQLite truncates the quotient of integers; DuckDB has a separate operator for it.
  const over = engine === "sqlite" ? "/" : "//";
  const each = async (sql: (run: number) => string): Promise<number[]> => {
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push((await timed(() => table.all(sql(run)))).seconds * 1_000);
    return times;
  };
  const draw = await each(
    (run) => `SELECT (time - ${startMs}) ${over} ${Math.ceil((endMs - startMs) / columns)} AS bin,
      count(ztd), min(ztd), max(ztd), avg(ztd) FROM epoch WHERE station = ${run} GROUP BY bin`,
  );
  const availability = await each(
    () => `SELECT station, (time - ${startMs}) ${over} ${DAY_MS} AS day, count(ztd) FROM epoch GROUP BY station, day`,
  );
  const snapshot = await each((run) => {
    const momentMs = startMs + run * 3 * DAY_MS + 7 * HOUR_MS;
    const [from, to] = [momentMs - 15 * MINUTE_MS, momentMs + 15 * MINUTE_MS];
    return `SELECT station, ztd, min(abs(time - ${momentMs})) FROM epoch
      WHERE station IN (SELECT number FROM station) AND time BETWEEN ${from} AND ${to} AND ztd IS NOT NULL
      GROUP BY station${engine === "sqlite" ? "" : ", ztd"}`;
  });
  table.close();
  return { draw, availability, snapshot, bytes: statSync(path).size };
});

function sqliteTable(path: string, spec: JobSpec): Table {
  const db = new Database(path);
  db.pragma("page_size = 8192");
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  db.exec(
    `CREATE TABLE station (number INTEGER PRIMARY KEY);
     CREATE TABLE epoch (station INTEGER, time INTEGER, ztd REAL, ztd_sigma REAL, pwv REAL,
                         PRIMARY KEY (station, time)) WITHOUT ROWID`,
  );
  const add = db.prepare("INSERT INTO station VALUES (?)");
  const insert = db.prepare("INSERT INTO epoch VALUES (?, ?, ?, ?, ?)");
  const copy = db.prepare("INSERT INTO epoch SELECT ?, time, ztd, ztd_sigma, pwv FROM epoch WHERE station = ?");
  return {
    insert: (station, stationId) =>
      db.transaction(() => {
        add.run(station);
        for (const row of rowsOf(stationId, spec)) insert.run(station, ...row);
      })(),
    copy(from, to) {
      add.run(to);
      copy.run(to, from);
    },
    finish() {
      db.pragma("wal_checkpoint(TRUNCATE)");
      db.exec("ANALYZE");
    },
    all: (sql) => void db.prepare(sql).all(),
    close: () => db.close(),
  };
}

async function duckdbTable(path: string, spec: JobSpec): Promise<Table> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run("CREATE TABLE station (number INTEGER)");
  await connection.run("CREATE TABLE epoch (station INTEGER, time BIGINT, ztd DOUBLE, ztd_sigma DOUBLE, pwv DOUBLE)");
  return {
    async insert(station, stationId) {
      await connection.run(`INSERT INTO station VALUES (${station})`);
      const appender = await connection.createAppender("epoch");
      for (const [time, ...values] of rowsOf(stationId, spec)) {
        appender.appendInteger(station);
        appender.appendBigInt(BigInt(time));
        for (const value of values) {
          if (value === null) appender.appendNull();
          else appender.appendDouble(value);
        }
        appender.endRow();
      }
      appender.closeSync();
    },
    async copy(from, to) {
      await connection.run(`INSERT INTO station VALUES (${to})`);
      await connection.run(
        `INSERT INTO epoch SELECT ${to}, time, ztd, ztd_sigma, pwv FROM epoch WHERE station = ${from} ORDER BY time`,
      );
    },
    finish: async () => void (await connection.run("CHECKPOINT")),
    all: async (sql) => void (await connection.runAndReadAll(sql)).getRows(),
    close: () => instance.closeSync(),
  };
}

type Row = readonly [time: number, ztd: number | null, sigma: number | null, pwv: number | null];

function* rowsOf(stationId: string, spec: JobSpec): IterableIterator<Row> {
  for (const { timesMs, scalars } of worldRows(stationId, spec, 1)) {
    for (const [i, time] of timesMs.entries())
      yield [time, orNull(scalars.ztd?.[i]), orNull(scalars.ztd_sigma?.[i]), orNull(scalars.pwv?.[i])];
  }
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
