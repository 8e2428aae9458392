import { copyFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import type { Variable } from "#shared/service/variables.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { writePlainSqlite } from "#main/export/sqlite.ts";
import { type PlainRow, regularRows, sourceOf, START_MS, station } from "../sources.ts";
import { mustSucceed, scratchFolder } from "../tools.ts";
import { openedSeries, plainRows } from "./support.ts";

// An exported database that was changed afterwards is rejected with a message, or shown without the changed values.

const folder = scratchFolder();
const ours = join(folder, "ours.sqlite");
const changed = join(folder, "changed.sqlite");
const plain = { stations: [station(0), station(1)], variables: ["ztd", "pwv"] as Variable[] };
const rows = [regularRows(200, 0), regularRows(150, 50)];

beforeAll(async () => {
  mustSucceed(await writePlainSqlite(ours, { series: sourceOf({ ...plain, rows }), satellites: null }, {}));
});

async function after(sql: string): Promise<Awaited<ReturnType<typeof openSeriesFile>>> {
  copyFileSync(ours, changed);
  const db = new Database(changed);
  db.exec(sql);
  db.close();
  return openSeriesFile(changed);
}

describe("a changed database", () => {
  it.each([
    [
      "a view instead of the table of rows",
      "DROP TABLE measurement; CREATE VIEW measurement AS SELECT 'a', 'b', 1.0, 2.0",
    ],
    [
      "a virtual table of rows",
      "DROP TABLE measurement; CREATE VIRTUAL TABLE measurement USING fts3(station_id, time, ztd_mm)",
    ],
    ["no table of rows", "DROP TABLE measurement"],
  ])("is rejected with a message: %s", async (_, sql) => {
    const result = await after(sql);
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringMatching(/^This .{20,}\.$/) } });
  });

  // Nothing of the file is run.
  it.each([
    "CREATE INDEX i ON measurement (ztd_mm)",
    "CREATE INDEX i ON measurement (abs(ztd_mm))",
    "CREATE TRIGGER t AFTER INSERT ON station BEGIN SELECT 1; END",
    "CREATE TABLE other (x)",
    "CREATE VIEW v AS SELECT * FROM measurement",
    "PRAGMA application_id = 7",
    "ALTER TABLE measurement ADD COLUMN x REAL AS (abs(-9223372036854775808))",
    "ANALYZE",
    "VACUUM",
    "PRAGMA journal_mode = WAL",
  ])("has all its rows after %s", async (sql) => {
    const [before, since] = [await after("SELECT 1"), await after(sql)].map((each) => mustSucceed(each));
    expect(since!.series).toEqual(before!.series);
    expect(since!.rows(0)).toEqual(before!.rows(0));
    for (const file of [before!, since!]) file.close();
  });

  it("is shown without values of another type and texts that are too long", async () => {
    const result = await after(
      "UPDATE measurement SET ztd_mm = x'00ff' WHERE time = (SELECT min(time) FROM measurement);" +
        "UPDATE station SET name = hex(zeroblob(1000000))",
    );
    const file = mustSucceed(result);
    expect(new Set(file.series.map((s) => s.label))).toEqual(new Set([station(0).id, station(1).id]));
    expect(plainRows(file, file.series[0]!, START_MS)[0]).toEqual([0, null]);
    file.close();
  });
});

it("a database with satellites is opened, with a note on the satellites if it has other series", async () => {
  const sky: PlainRow[] = [{ timeMs: START_MS, values: { prn: "G01", el: "12.5", az: "1.0", snr: "45.1" } }];
  const satellites = sourceOf({
    stations: [station(0)],
    variables: ["prn", "el", "az", "snr"],
    rows: [sky],
  });
  const path = join(folder, "both.sqlite");
  mustSucceed(await writePlainSqlite(path, { series: sourceOf({ ...plain, rows }), satellites }, {}));
  const both = await openedSeries(path);
  expect(both.series).toHaveLength(4);
  expect(both.notes.join(" ")).toContain("satellites");
  both.close();
  const alone = join(folder, "sky.sqlite");
  mustSucceed(await writePlainSqlite(alone, { series: null, satellites }, {}));
  const file = await openedSeries(alone);
  expect(file.series.map((s) => `${s.label} ${s.quantity.name}`)).toContain("Station 0 G01 el");
  file.close();
});

it("a database of other programs, with one table of any size, has its rows", async () => {
  const path = join(folder, "other.sqlite");
  const db = new Database(path);
  db.exec(
    'CREATE TABLE obs ([rowid name] INTEGER PRIMARY KEY, "time" TEXT, `ztd_mm` REAL CHECK (ztd_mm > 0), site VARCHAR(9), note TEXT)',
  );
  const insert = db.prepare("INSERT INTO obs VALUES (?, ?, ?, ?, ?)");
  const times = Array.from({ length: 12_000 }, (_, i) => START_MS + 30_000 * i);
  db.transaction(() => {
    for (const [i, ms] of times.entries())
      insert.run(
        i,
        new Date(ms).toISOString(),
        i % 7 === 0 ? 2_400 : 2_400 + i / 1_000,
        "KALL",
        i % 1_000 === 0 ? "x".repeat(9_000) : "",
      );
  })();
  db.close();
  const file = await openedSeries(path);
  const { timesMs, values } = file.rows(file.series.findIndex(({ quantity }) => quantity.variable === "ztd"));
  expect([...timesMs]).toEqual(times);
  expect([...values]).toEqual(times.map((_, i) => (i % 7 === 0 ? 2_400 : 2_400 + i / 1_000)));
  file.close();
});
