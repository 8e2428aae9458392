import { describe, expect, it } from "vitest";
import { openSeriesFile } from "#formats/open/index.ts";
import { scratchFolder } from "../tools.ts";
import { generated, openedSeries, plainRows, seriesBy } from "./support.ts";

// The layouts of CF-1.8, appendix H, made by ncgen from descriptions of our own.

const folder = scratchFolder();
const KINDS = ["classic", "64-bit offset", "nc4", "nc7"];
const START_2026 = Date.UTC(2026, 0, 1);

describe.each(KINDS)("as %s", (kind) => {
  it("reads the rows of stations one after the other", async (context) => {
    const file = await openedSeries(generated(context, folder, "cont_ragged", kind));
    expect(file.format).toBe(kind.startsWith("nc") ? "netcdf4" : "netcdf3");
    expect([file.title, file.source]).toEqual(["Three stations", "Nobody"]);
    expect(file.series.map((s) => [s.label, s.quantity.name, s.rows])).toEqual([
      ["ALFA", "humidity", 2],
      ["ALFA", "temp", 2],
      ["BRAVO", "humidity", 0],
      ["BRAVO", "temp", 0],
      ["Ch ar", "humidity", 5],
      ["Ch ar", "temp", 5],
    ]);
    const bravo = seriesBy(file, "BRAVO", "temp");
    expect(bravo.range).toBeNull();
    expect(bravo.position).toEqual({ latitudeDeg: -45.25, longitudeDeg: -10, height: 3, heightReference: "ground" });
    expect(plainRows(file, bravo, 0)).toEqual([]);
    expect(plainRows(file, seriesBy(file, "ALFA", "humidity"), 0)).toEqual([
      [0, 0.5],
      [43_200, null],
    ]);
    const day = 86_400;
    // Packed, one missing, one outside its range, and rows out of order and repeated.
    expect(plainRows(file, seriesBy(file, "Ch ar", "temp"), 20_000 * day * 1_000)).toEqual([
      [0, null],
      [day / 8, 7],
      [day / 8, 8],
      [day / 4, null],
      [day, -25],
    ]);
    expect(file.notes).toEqual([
      expect.stringMatching(/outside the valid range.*“temp”/),
      expect.stringMatching(/out of order in one time axis: all rows are kept, sorted/),
      expect.stringMatching(/Duplicate epochs in one time axis: all rows are kept/),
    ]);
    file.close();
  });

  it("reads rows of all stations mixed, and converts what it knows, saying so", async (context) => {
    const file = await openedSeries(generated(context, folder, "index_ragged", kind));
    const kirkko = seriesBy(file, "KIRKKO", "ztd");
    expect(kirkko.quantity).toMatchObject({
      unit: "mm",
      variable: "ztd",
      conversion: expect.stringContaining("1,000"),
    });
    expect(plainRows(file, kirkko, START_2026)).toEqual([
      [0, 2_250],
      [2_700, 2_375],
      [3_600, 2_125],
    ]);
    expect(plainRows(file, seriesBy(file, "KALLIO", "ztd"), START_2026)).toEqual([
      [0, 2_500],
      [1_800, 2_062.5],
    ]);
    expect(file.notes).toContain("Rows that belong to nothing by “stationIndex” are left out: 1.");
    file.close();
  });

  it("reads stations that share their times, time first", async (context) => {
    const file = await openedSeries(generated(context, folder, "multi-timeseries-orthogonal", kind));
    const from = Date.UTC(2026, 2, 1);
    expect(file.series.map((s) => [s.label, s.quantity.name])).toEqual([
      ["ALFA", "humidity"],
      ["BRAVO", "humidity"],
    ]);
    expect(new Set(file.series.map((s) => s.timesId)).size).toBe(1);
    expect(file.series[0]!.position).toMatchObject({ height: 500, heightReference: "reference ellipsoid" });
    expect(plainRows(file, file.series[0]!, from)).toEqual([
      [0, 1],
      [30, null],
      [60, 5],
    ]);
    expect(plainRows(file, file.series[1]!, from)).toEqual([
      [0, 2],
      [30, 4],
      [60, 6],
    ]);
    expect(file.notes).toEqual(["Numbers without a time are not shown: “iwv”."]);
    file.close();
  });

  it("reads stations with times of their own", async (context) => {
    const file = await openedSeries(generated(context, folder, "multi-timeseries-incomplete", kind));
    expect(file.series.map((s) => [s.label, s.rows, s.quantity.variable])).toEqual([
      ["17", 2, "pwv"],
      ["4", 3, "pwv"],
    ]);
    expect(plainRows(file, file.series[0]!, START_2026)).toEqual([
      [0, 10],
      [30, 20],
    ]);
    expect(plainRows(file, file.series[1]!, START_2026)).toEqual([
      [10, 30],
      [40, null],
      [70, 50],
    ]);
    file.close();
  });

  it("reads each point of a grid at its place", async (context) => {
    const file = await openedSeries(generated(context, folder, "grid", kind));
    expect(file.series.map((s) => [s.position?.latitudeDeg, s.position?.longitudeDeg, s.quantity.variable])).toEqual([
      [60.5, 24.5, "pwv"],
      [60.5, 24.75, "pwv"],
      [60.5, -10, "pwv"],
      [60.25, 24.5, "pwv"],
      [60.25, 24.75, "pwv"],
      [60.25, -10, "pwv"],
    ]);
    expect(plainRows(file, file.series[4]!, START_2026)).toEqual([
      [0, 12],
      [3_600, 15],
    ]);
    file.close();
  });

  it("reads a single station from scalar variables", async (context) => {
    const file = await openedSeries(generated(context, folder, "single-timeseries", kind));
    const from = START_2026 + 12 * 3_600_000;
    const position = { latitudeDeg: 60.25, longitudeDeg: 24.5, height: 33, heightReference: "geoid" };
    expect(file.series).toMatchObject([
      { label: "ÄÖstation", quantity: { name: "ztd", variable: "ztd", conversion: null }, position },
      { label: "ÄÖstation", quantity: { name: "flag", variable: null }, position },
    ]);
    expect(plainRows(file, seriesBy(file, "ÄÖstation", "ztd"), from)).toEqual([
      [0, 2_400.5],
      [3_600, null],
      [10_800, 2_401.25],
    ]);
    // Stored as -1, and meant as 255.
    expect(plainRows(file, seriesBy(file, "ÄÖstation", "flag"), from).map(([, v]) => v)).toEqual([0, 255, 3]);
    expect(file.source).toBe("One receiver");
    file.close();
  });
});

it("shows numbers over time in groups, along further dimensions, and at times that are texts", async (context) => {
  const file = await openedSeries(generated(context, folder, "plain"));
  expect(plainRows(file, seriesBy(file, "count", "count"), START_2026)).toEqual([
    [0, 1],
    [86_400, null],
  ]);
  expect(plainRows(file, seriesBy(file, "old", "old"), START_2026)).toEqual([
    [0, 5],
    [1.5, null],
  ]);
  expect(plainRows(file, seriesBy(file, "band 2.5", "power"), START_2026)).toEqual([
    [0, 2],
    [1.5, 5],
  ]);
  expect(file.notes).toEqual([
    "Texts over time are not shown: “note”.",
    "Numbers without a time are not shown: “lonely”.",
    "Coordinates that are named and not in the file: “nowhere”.",
    expect.stringMatching(/outside the valid range.*“count”/),
  ]);
  file.close();
});

it("shows what moves without a place, and makes no series of what has no time", async (context) => {
  const file = await openedSeries(generated(context, folder, "trajectory"));
  expect(file.series).toMatchObject([{ label: "Aranda", position: null, rows: 3, quantity: { variable: "pwv" } }]);
  expect(plainRows(file, file.series[0]!, START_2026)).toEqual([
    [0, 10],
    [60, 11],
    [120, 12],
  ]);
  expect(file.notes).toContain("The positions change with time: they are not shown.");
  file.close();
});

it("says why there is nothing to show", async (context) => {
  const path = generated(context, folder, "other-calendar");
  const answer = await openSeriesFile(path);
  expect(answer).toMatchObject({
    ok: false,
    error: {
      kind: "unreadable",
      message: expect.stringMatching(/nothing over time.*“time” follows the calendar “noleap”/),
    },
  });
});
