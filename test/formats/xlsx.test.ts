import { join } from "node:path";
import { beforeAll, expect, it, type TestContext } from "vitest";
import { writeSatelliteXlsx, writeStationsXlsx, writeTimeSeriesXlsx } from "#formats/xlsx/index.ts";
import type { WrittenFile } from "#formats/source.ts";
import { sourceOf, START_MS, station } from "./sources.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";
import { mustSucceed, runPython, scratchFolder } from "./tools.ts";

// openpyxl reads all workbooks of these tests in one run of Python.
const folder = scratchFolder();
const NAMES = ["series", "fine", "sheets", "satellites", "stations", "empty"] as const;
const pathOf = (name: (typeof NAMES)[number]): string => join(folder, `${name}.xlsx`);
let splitReport: WrittenFile;
const hostile = '=1+1 <&"東京';
const stations = [station(0, { displayName: hostile }), station(1, { height: null })];

beforeAll(async () => {
  const rows = [
    [
      { timeMs: START_MS, values: { ztd: 2400.123456789012, pwv: null } },
      { timeMs: START_MS + 30_000, values: { ztd: -0.1, pwv: 12 } },
    ],
    [{ timeMs: Date.UTC(2024, 1, 29, 23, 59, 59), values: { ztd: 1e-300, pwv: 1e21 } }],
  ];
  const source = sourceOf({ stations, variables: ["ztd", "pwv"], rows });
  const stationFields = ["station_name", "latitude_deg", "longitude_deg", "height_m"] as const;
  mustSucceed(await writeTimeSeriesXlsx(pathOf("series"), source, { stationFields }));
  const fine = [[{ timeMs: START_MS + 1_250, values: { ztd: 1 } }], []];
  mustSucceed(await writeTimeSeriesXlsx(pathOf("fine"), sourceOf({ stations, variables: ["ztd"], rows: fine })));
  const many = Array.from({ length: 10 }, (_, i) => ({ timeMs: START_MS + i * 1_000, values: { ztd: i } }));
  const split = sourceOf({ stations, variables: ["ztd"], rows: [many, []] });
  splitReport = mustSucceed(await writeTimeSeriesXlsx(pathOf("sheets"), split, { sheetRows: 5 }));
  const seen = [{ timeMs: START_MS, values: { prn: "G01,E11", el: "12.5,", az: "1,359.9", snr: "45.1/38.2,44" } }];
  const sky = sourceOf({ stations, variables: ["snr", "el", "az", "prn"], rows: [seen, []] });
  mustSucceed(await writeSatelliteXlsx(pathOf("satellites"), sky));
  mustSucceed(await writeStationsXlsx(pathOf("stations"), stations));
  mustSucceed(await writeTimeSeriesXlsx(pathOf("empty"), sourceOf({ stations, variables: ["ztd"], rows: [[], []] })));
});

type Cell = string | number | null;
interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
  readonly formulas: number;
  readonly formats: readonly string[];
  readonly frozen: string | null;
}
let found: Record<(typeof NAMES)[number], Sheet[]> | null = null;

function workbooks(context: TestContext) {
  const script = `
def text(v): return v.isoformat() if hasattr(v, "isoformat") else v
print(json.dumps({name: [{
  "name": s.title,
  "rows": [[text(c.value) for c in r] for r in s.iter_rows()],
  "formulas": sum(c.data_type == "f" for r in s.iter_rows() for c in r),
  "formats": sorted({c.number_format for r in s.iter_rows(min_row=2) for c in r if c.is_date}),
  "frozen": s.freeze_panes,
} for s in openpyxl.load_workbook("%s/%s.xlsx" % (${JSON.stringify(folder)}, name)).worksheets] for name in ${JSON.stringify(NAMES)}}))`;
  found ??= runPython(context, ["openpyxl"], script) as NonNullable<typeof found>;
  return found;
}

it("a workbook round-trips dates, numbers and empty cells exactly", (context) => {
  const [sheet, ...more] = workbooks(context).series;
  const id = stations.map((s) => s.id);
  expect(more).toEqual([]);
  expect(sheet).toMatchObject({ name: "Measurements", frozen: "A2", formats: ["yyyy-mm-dd hh:mm:ss"] });
  expect(sheet!.rows).toEqual([
    ["station_id", "station_name", "latitude_deg", "longitude_deg", "height_m", "time", "ztd_mm", "pwv_mm"],
    [id[0], '=1+1 <&"東京', 60, 20.5, 50.25, "2026-01-01T00:00:00", 2400.123456789012, null],
    [id[0], '=1+1 <&"東京', 60, 20.5, 50.25, "2026-01-01T00:00:30", -0.1, 12],
    [id[1], "Station 1", 60.001, 20.5, null, "2024-02-29T23:59:59", 1e-300, 1e21],
  ]);
});

it("a workbook contains text that starts with = as text, not as a formula", (context) => {
  expect(workbooks(context).series[0]!.formulas).toBe(0);
});

it("times have fractions of a second if one of them needs them", (context) => {
  const [sheet] = workbooks(context).fine;
  expect(sheet!.formats).toEqual(["yyyy-mm-dd hh:mm:ss.000"]);
  expect(sheet!.rows[1]![1]).toBe("2026-01-01T00:00:01.250000");
});

it("rows continue on a new sheet with the same header when a sheet is full", (context) => {
  const sheets = workbooks(context).sheets;
  expect(splitReport).toMatchObject({ rows: 10 });
  expect(sheets.map((s) => s.rows.length)).toEqual([5, 5, 3]);
  for (const { rows } of sheets) expect(rows[0]).toEqual(["station_id", "time", "ztd_mm"]);
  expect(sheets.flatMap((s) => s.rows.slice(1).map((r) => r[2]))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it("rows continue on a new sheet after 1,048,576 rows", { timeout: 240_000 }, async (context) => {
  context.skip(!IS_ENDURANCE, "a million rows take 80 s, and are written in npm run endurance");
  const [rows, blockRows] = [1_100_000, 2_880];
  const path = join(folder, "large.xlsx");
  const { blocks: _, ...source } = sourceOf({ stations: [station(0)], variables: ["ztd"], rows: [[]] });
  const blocks = function* () {
    for (let from = 0; from < rows; from += blockRows) {
      const length = Math.min(blockRows, rows - from);
      const timesMs = Float64Array.from({ length }, (_, i) => START_MS + (from + i) * 30_000);
      const values = Float64Array.from({ length }, (_, i) => from + i);
      yield { timesMs, columns: { ztd: { kind: "scalar" as const, values, present: null } } };
    }
  };
  expect(mustSucceed(await writeTimeSeriesXlsx(path, { ...source, blocks }))).toMatchObject({ rows });
  const script = `
sheets = openpyxl.load_workbook(${JSON.stringify(path)}, read_only=True).worksheets
print(json.dumps([sum(1 for _ in sheets[0].rows), [[c.isoformat() if hasattr(c, "isoformat") else c for c in r[1:]] for r in sheets[1].iter_rows(values_only=True)]]))`;
  const [first, second] = runPython(context, ["openpyxl"], script) as [number, [string, number | string][]];
  expect(first).toBe(1_048_576);
  expect(second.length).toBe(rows - 1_048_575 + 1);
  expect(second.slice(0, 2)).toEqual([
    ["time", "ztd_mm"],
    ["2026-12-31T02:07:30", 1_048_575],
  ]);
  expect(second.at(-1)).toEqual(["2027-01-17T22:39:30", rows - 1]);
});

it("a satellite workbook has one row per satellite and time", (context) => {
  expect(workbooks(context).satellites[0]!.rows).toEqual([
    ["station_id", "time", "prn", "el_deg", "az_deg", "cn0_1_dbhz", "cn0_2_dbhz"],
    [stations[0]!.id, "2026-01-01T00:00:00", "G01", 12.5, 1, 45.1, 38.2],
    [stations[0]!.id, "2026-01-01T00:00:00", "E11", null, 359.9, 44, null],
  ]);
});

it("stations have a separate workbook, and a workbook without rows opens", (context) => {
  const { stations: table, empty } = workbooks(context);
  expect(table[0]!.rows.map((r) => r[0])).toEqual(["station_id", ...stations.map((s) => s.id)]);
  expect(table[0]!.rows[1]!.at(-1)).toBe("WGS84_ELLIPSOID");
  expect(empty[0]!.rows).toEqual([["station_id", "time", "ztd_mm"]]);
});
