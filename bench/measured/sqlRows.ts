// The peer of the store: the same rows in an SQLite table, one row per epoch.
import { statSync } from "node:fs";
import Database from "better-sqlite3";
import type { JobSpec } from "#shared/job/job.ts";
import { report, timed } from "../harness/report.ts";
import { worldRows } from "../harness/worldRows.ts";
import type { ReadTimes } from "./read.ts";
import type { Filled } from "./fill.ts";

export interface SqlRowsArguments {
  readonly path: string;
  readonly spec: JobSpec;
  readonly decimals: number | null;
  readonly columns: number;
  readonly runs: number;
}

export type SqlRowsFigures = Filled & ReadTimes;

await report(async ({ path, spec, decimals, columns, runs }: SqlRowsArguments): Promise<SqlRowsFigures> => {
  const db = new Database(path);
  db.pragma("page_size = 8192");
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  db.exec(
    `CREATE TABLE station (number INTEGER PRIMARY KEY, id TEXT NOT NULL);
     CREATE TABLE epoch (station INTEGER, time INTEGER, ztd REAL, ztd_sigma REAL, pwv REAL,
                         PRIMARY KEY (station, time)) WITHOUT ROWID`,
  );
  const rowsPerSecond: number[] = [];
  let rows = 0;
  for (const [number, stationId] of spec.stationIds.entries()) {
    db.prepare("INSERT INTO station VALUES (?, ?)").run(number, stationId);
    const insert = db.prepare("INSERT INTO epoch VALUES (?, ?, ?, ?, ?)");
    const blocks = [...worldRows(stationId, spec, decimals)];
    const { seconds, value } = await timed(() => {
      let count = 0;
      db.transaction(() => {
        for (const { timesMs, scalars } of blocks) {
          const [ztd, sigma, pwv] = [scalars.ztd!, scalars.ztd_sigma!, scalars.pwv!];
          // SQLite stores NaN as NULL, a missing value.
          for (let i = 0; i < timesMs.length; i++) insert.run(number, timesMs[i], ztd[i], sigma[i], pwv[i]);
          count += timesMs.length;
        }
      })();
      return count;
    });
    rows += value;
    rowsPerSecond.push(value / seconds);
  }
  db.pragma("wal_checkpoint(TRUNCATE)");

  const { startMs, endMs } = spec.range;
  const select = db.prepare("SELECT time, ztd FROM epoch WHERE station = ? AND time >= ? AND time < ?").raw();
  const read = (station: number): void => {
    const times: number[] = [];
    const values: number[] = [];
    for (const [time, value] of select.iterate(station, startMs, endMs) as IterableIterator<[number, number]>) {
      times.push(time);
      values.push(value);
    }
  };
  // The integers are literals: a bound parameter would be a double, and the column would not be an integer.
  const group = db.prepare(
    `SELECT (time - ${startMs}) / ${Math.ceil((endMs - startMs) / columns)} AS column,
            count(ztd), min(ztd), max(ztd), avg(ztd) FROM epoch
     WHERE station = ? AND time >= ? AND time < ? GROUP BY column`,
  );
  const decimate = (station: number): void => {
    group.all(station, startMs, endMs);
  };
  const stations = spec.stationIds.length;
  const everyStation = async (work: (station: number) => void): Promise<number[]> => {
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await ms(() => work(run % stations)));
    return times;
  };
  const times = { read: await everyStation(read), decimate: await everyStation(decimate), decimateAll: [] as number[] };
  for (let run = 0; run < runs; run++) {
    times.decimateAll.push(await ms(() => spec.stationIds.forEach((_, station) => decimate(station))));
  }
  db.close();
  return { rows, bytes: statSync(path).size, rowsPerSecond, ...times };
});

async function ms(work: () => void): Promise<number> {
  return (await timed(work)).seconds * 1_000;
}
