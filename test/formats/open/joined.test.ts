import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { openLocal } from "#formats/foreign/file.ts";
import { openSource, type SeriesFile } from "#formats/open/index.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { mustSucceed, scratchFolder } from "../tools.ts";
import { openedSeries, plainRows, seriesBy } from "./support.ts";

// Folders of files, opened as one.

const scratch = scratchFolder();
const DAY_S = 86_400;
const START = Date.UTC(2026, 0, 1);
let last = 0;

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(scratch, String(++last));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Three rows of a day; the last one is on the next day. */
function day(n: number, station = "KALL", ztd = 2_300): string {
  const rows = [0, 0.5, 1.25].map((part) => {
    const time = new Date(START + (n + part) * DAY_S * 1_000).toISOString();
    return `${time},${station},${ztd + n + part},${n}`;
  });
  return ["time,station,ztd_mm,count", ...rows].join("\n") + "\n";
}

const labels = (file: SeriesFile): string[] => [...new Set(file.series.map(({ label }) => label))];

it("joins days into one series per station and quantity, in time order", async () => {
  const file = await openedSeries(
    folderOf({
      "2026/first.csv": day(2),
      "2026/second.csv": day(0) + day(0, "RIGA").split("\n").slice(1).join("\n"),
      "2026/third.csv": day(1),
    }),
  );
  expect(file.series.map(({ label, quantity, rows }) => [label, quantity.name, rows])).toEqual([
    ["KALL", "ztd", 9],
    ["KALL", "count", 9],
    ["RIGA", "ztd", 3],
    ["RIGA", "count", 3],
  ]);
  const [ztd, counted, riga] = file.series;
  const half = DAY_S / 2;
  expect(plainRows(file, ztd!, START)).toEqual([
    [0, 2_300],
    [half, 2_300.5],
    [2 * half, 2_301],
    [2.5 * half, 2_301.25],
    [3 * half, 2_301.5],
    [4 * half, 2_302],
    [4.5 * half, 2_302.25],
    [5 * half, 2_302.5],
    [6.5 * half, 2_303.25],
  ]);
  expect(plainRows(file, counted!, START).map(([, value]) => value)).toEqual([0, 0, 1, 0, 1, 2, 1, 2, 2]);
  expect(ztd!.range).toEqual({ startMs: START, endMs: START + 3.25 * DAY_S * 1_000 + 1 });
  expect(counted!.timesId).toBe(ztd!.timesId);
  expect(riga!.timesId).not.toBe(ztd!.timesId);
  expect(file.notes).toEqual(["A table separated by commas; times state their differences from UTC."]);
  file.close();
});

it("separates two products of the same days", async () => {
  const file = await openedSeries(folderOf({ "a.csv": day(0), "b.csv": day(0, "KALL", 2_400), "c.csv": day(1) }));
  expect(labels(file)).toEqual(["KALL (a.csv)", "KALL (b.csv)", "KALL (c.csv)"]);
  expect(plainRows(file, seriesBy(file, "KALL (b.csv)", "ztd"), START)[0]).toEqual([0, 2_400]);
  expect(new Set(file.series.map(({ id }) => id)).size).toBe(file.series.length);
  expect(file.notes).toContain("Several files hold the same stations at the same times: their series are kept apart.");
  file.close();
});

/** Two rows of a day, without a station. */
function twoRows(n: number): string {
  return `time,ztd_mm\n2026-01-0${n}T00:00:00Z,${2_400 + n}\n2026-01-0${n}T00:01:00Z,2400\n`;
}

it("separates files that name no station by their names, but not by their dates", async () => {
  const stations = await openedSeries(folderOf({ "KALL/ztd.csv": twoRows(1), "ZUGS/ztd.csv": twoRows(2) }));
  expect(labels(stations)).toEqual(["KALL/ztd", "ZUGS/ztd"]);
  stations.close();
  const days = await openedSeries(
    folderOf({ "kall-jan-1.csv": twoRows(1), "kall-jan-2.csv": twoRows(2), "kall-mar-3.csv": twoRows(3) }),
  );
  expect(labels(days)).toEqual(["kall"]);
  expect(days.series[0]!.rows).toBe(6);
  days.close();
  const both = await openedSeries(
    folderOf({
      "KALL/2026-01-01.csv": twoRows(1),
      "KALL/2026-01-02.csv": twoRows(2),
      "ZUGS/2026-01-03.csv": twoRows(3),
    }),
  );
  expect(labels(both)).toEqual(["KALL", "ZUGS/2026-01-03"]);
  expect(both.notes).toContainEqual(expect.stringMatching(/^Files that do not name their station are told apart/));
  both.close();
});

it.each([
  ["02963.csv", "02974.csv"],
  ["P001.csv", "P002.csv"],
  ["0001.csv", "0002.csv"],
  ["SA01_jan.csv", "SA02_jan.csv"],
  ["site_A1_2026-01-01.csv", "site_A2_2026-01-02.csv"],
])("separates files whose names differ in numbers that are none of their times: %s, %s", async (one, other) => {
  const stations = await openedSeries(folderOf({ [one]: twoRows(1), [other]: twoRows(2) }));
  expect(labels(stations)).toHaveLength(2);
  stations.close();
});

it.each([
  ["kall0010.26z", "kall0020.26z"],
  ["kall_260101.csv", "kall_260102.csv"],
  ["kall-2026-1-1.csv", "kall-2026-1-2.csv"],
  ["01jan2026.csv", "02jan2026.csv"],
  ["2026-01/kall_01.csv", "2026-01/kall_02.csv"],
  ["20260101_000000_kall.csv", "20260102_000000_kall.csv"],
  ["part-00001.csv", "part-00002.csv"],
])("joins files whose names differ in their times: %s, %s", async (one, other) => {
  const days = await openedSeries(folderOf({ [one]: twoRows(1), [other]: twoRows(2) }));
  expect(days.series.map(({ rows }) => rows)).toEqual([4]);
  days.close();
});

it("takes the station from a folder that names it", async () => {
  const file = await openedSeries(
    folderOf({
      "station=KALL/data_0.csv": twoRows(1),
      "station=KALL/data_1.csv": twoRows(2),
      "station=N%20Y/a.csv": twoRows(1),
      "site_id=9%/a.csv": twoRows(1),
    }),
  );
  expect(file.series.map(({ label, stationId, rows }) => [label, stationId, rows])).toEqual([
    ["9%", "9%", 2],
    ["KALL", "KALL", 4],
    ["N Y", "N Y", 2],
  ]);
  file.close();
});

it("joins files of different formats", async () => {
  const tro = `%=TRO 2.00 A\n+TROP/DESCRIPTION\n TIME SYSTEM UTC\n TROPO PARAMETER NAMES TROTOT\n TROPO PARAMETER UNITS 1e+03\n-TROP/DESCRIPTION\n+TROP/SOLUTION\n KALL 2026:002:00000 2310\n-TROP/SOLUTION\n%=ENDTRO\n`;
  const file = await openedSeries(folderOf({ "a.csv": day(0), "b.tro": tro }));
  expect(labels(file)).toContain("KALL");
  file.close();
});

it("lists skipped files, and names the file of each note", async () => {
  const file = await openedSeries(
    folderOf({
      "1.csv": day(0),
      "2.csv": `${day(1)}yesterday,KALL,1,1\n`,
      "notes.html": "<html>",
      "empty.csv": "",
      ".hidden": "x",
      "_manifest.json": "{}",
    }),
  );
  expect(labels(file)).toEqual(["KALL"]);
  expect(file.notes).toEqual([
    "A table separated by commas; times state their differences from UTC.",
    "2.csv: Lines without a time that can be read are left out: 1.",
    expect.stringMatching(/^Left out: “empty\.csv”\. This file is empty/),
    expect.stringMatching(/^Left out: “notes\.html”\. This is a web page/),
  ]);
  file.close();
});

async function message(folder: string): Promise<string> {
  const result = await openSeriesFile(folder);
  return result.ok ? "opened" : result.error.message;
}

it("rejects a folder without readable files with a message", async () => {
  mkdirSync(join(scratch, "nothing"));
  expect(await message(join(scratch, "nothing"))).toBe("This folder is empty.");
  expect(await message(folderOf({ "a.html": "<html>", "b.html": "<html>" }))).toMatch(
    /^None of these files can be opened\. a\.html: This is a web page/,
  );
  expect(await message(folderOf({ "zarr.json": "{}", "ztd/c/0": "x" }))).toMatch(/^This is a Zarr store/);
});

it("stops when it is cancelled", async () => {
  const stop = new AbortController();
  stop.abort();
  const result = await openSeriesFile(folderOf({ "1.csv": day(0), "2.csv": day(1) }), { signal: stop.signal });
  expect(result).toMatchObject({ ok: false, error: { kind: "cancelled", message: "Opening was stopped." } });
});

const asking = (heading: string, day: number, pwv: number): string =>
  `${heading}\n2026-01-0${day}T00:00:00Z,KALL,${pwv}\n2026-01-0${day}T00:05:00Z,KALL,${pwv + 0.1}\n`;

const question = (message: RegExp, header: string) => ({
  error: { kind: "undecided", message: expect.stringMatching(message), asked: { table: { header } } },
});
const IN_CM = { columns: [{ column: "pwv", role: "pwv" as const, unit: "cm" }], noValue: null };

it("leaves out descriptions in which no column can be a time, as beside the products of DWD", async () => {
  const folder = folderOf({
    "Metadaten_00403.txt": "Stations_id;Breite;von_datum;Name\n403;52.45;18930101;Berlin-Dahlem\n",
    "produkt_00403.txt": "STATIONS_ID;MESS_DATUM;TT_TU;eor\n403;2026030100;8.2;eor\n403;2026030101;8.4;eor\n",
  });
  const { series, notes, unreadFiles } = await openedSeries(folder);
  expect(series).toMatchObject([{ stationId: "403", rows: 2, quantity: { name: "TT_TU" } }]);
  expect(notes).toContainEqual(expect.stringMatching(/^Left out: “Metadaten_00403\.txt”\./));
  expect(unreadFiles).toEqual([]);
});

it("asks the first question of its files, and applies the answer to those with its header", async () => {
  const folder = folderOf({
    "a.csv": asking("time,site,pwv", 1, 25),
    "b.csv": asking("time,station,pwv", 2, 2),
    "c.csv": asking("time,station,pwv", 3, 3),
  });
  expect(await openSeriesFile(folder)).toMatchObject(question(/^b\.csv: .* may be mm or cm/, "time,station,pwv"));
  const answer = { columns: IN_CM, columnsOf: "time,station,pwv" };
  const file = await openedSeries(folder, answer);
  expect(file.series.map((_, i) => [...file.rows(i).values])).toEqual([[25, 25.1, 20, 21, 30, 31]]);
  writeFileSync(join(folder, "d.csv"), asking("time,id,pwv", 4, 4));
  expect(await openSeriesFile(folder, answer)).toMatchObject(question(/^d\.csv: /, "time,id,pwv"));
});

it("applies columns without a header to all files that have them, and opens each once", async () => {
  const texts = [asking("time,site,pwv", 1, 2), asking("time,station,iwv", 2, 2), asking("time,station,pwv", 3, 3)];
  const folder = folderOf({ "a.csv": texts[0]!, "b.csv": texts[1]!, "c.csv": texts[2]! });
  const opened: string[] = [];
  const parts = ["a.csv", "b.csv", "c.csv"].map((name) => ({
    name,
    open: () => (opened.push(name), openLocal(join(folder, name))),
  }));
  const columns = { ...IN_CM, columns: [...IN_CM.columns, { column: "iwv", role: "pwv" as const, unit: "mm" }] };
  const file = mustSucceed(await openSource({ parts }, { columns }));
  expect(file.series.map((_, i) => [...file.rows(i).values])).toEqual([
    [20, 21, 30, 31],
    [2, 2.1],
  ]);
  expect(opened).toEqual(["a.csv", "b.csv", "c.csv"]);
  file.close();
  const unknown = { ...IN_CM, columns: [...columns.columns, { column: "zwd", role: "number" as const, unit: null }] };
  expect(await openSeriesFile(folder, { columns: unknown })).toMatchObject({
    error: { message: "None of these files has a column “zwd”." },
  });
});
