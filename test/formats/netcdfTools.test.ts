import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { writeSatelliteNetcdf } from "#formats/netcdf/satellites/write.ts";
import { regularRows, sourceOf, START_MS, station, type PlainRow, type PlainSource } from "./sources.ts";
import { mustSucceed, runPython, runTool, scratchFolder } from "./tools.ts";

// Reads exported files with third-party programs.

const folder = scratchFolder();
const shared = join(folder, "shared.nc");
const ragged = join(folder, "ragged.nc");
const intervals = join(folder, "intervals.nc");
const many = join(folder, "many.nc");
const satellites = join(folder, "satellites.nc");
const texts = join(folder, "texts.nc");

const plain: PlainSource = {
  stations: [station(0, { displayName: 'Ääni, "東京"' }), station(1)],
  variables: ["ztd", "ztd_sigma", "pwv"],
  rows: [regularRows(70_000, 1), regularRows(69_000, 2)],
};
const skyRows: PlainRow[] = [0, 1, 2].map((i) => ({
  timeMs: START_MS + i * 30_000,
  values: { prn: "G01,E11", el: "10.5,80", az: "0,359.9", snr: `45.${i}/40,44/38` },
}));

beforeAll(async () => {
  const files = [
    await writeTimeSeriesNetcdf(shared, sourceOf(plain)),
    await writeTimeSeriesNetcdf(ragged, sourceOf(plain), { layout: "ragged" }),
    await writeTimeSeriesNetcdf(
      intervals,
      sourceOf({ ...plain, rows: [regularRows(96, 1, 900_000), []], intervalSeconds: 900 }),
    ),
    await writeTimeSeriesNetcdf(
      many,
      sourceOf({
        stations: Array.from({ length: 500 }, (_, i) => station(i)),
        variables: ["ztd"],
        rows: Array.from({ length: 500 }, (_, i) => regularRows(i % 4, i)),
      }),
    ),
    await writeSatelliteNetcdf(
      satellites,
      sourceOf({ stations: [station(0)], variables: ["snr", "el", "az", "prn"], rows: [skyRows] }),
    ),
    await writeTimeSeriesNetcdf(
      texts,
      sourceOf({ stations: [station(0)], variables: ["prn", "snr"], rows: [skyRows] }),
    ),
  ];
  for (const file of files) mustSucceed<unknown>(file);
});

describe("ncdump", () => {
  it("reads the headers of every type of file", (context) => {
    const header = runTool(context, "ncdump", ["-h", shared]);
    expect(header).toContain("time = UNLIMITED ; // (70000 currently)");
    expect(header).toContain("double ztd(time, station) ;");
    expect(header).toContain("char station_id(station, station_id_strlen) ;");
    expect(runTool(context, "ncdump", ["-h", ragged])).toContain("obs = 139000 ;");
    expect(runTool(context, "ncdump", ["-h", many])).toContain("station = 500 ;");
    expect(runTool(context, "ncdump", ["-h", satellites])).toContain("cn0_2(obs) ;");
    expect(runTool(context, "ncdump", ["-h", texts])).toContain("string prn(time, station) ;");
  });

  it("reads the exact values", (context) => {
    const dump = runTool(context, "ncdump", ["-p", "9,17", "-v", "ztd", shared]);
    const data = dump.slice(dump.indexOf(" ztd =") + 6, dump.lastIndexOf(";")).replaceAll(/[{}]/g, "");
    const values = data.split(",").map((v) => (v.trim() === "_" ? null : Number(v)));
    const expected = Array.from({ length: 70_000 }, (_, i) => plain.rows.map((rows) => rows[i]?.values.ztd ?? null));
    expect(values).toStrictEqual(expected.flat());
  });

  it("reads the texts of satellites", (context) => {
    const dump = runTool(context, "ncdump", ["-v", "snr", texts]).replaceAll(/\s+/g, " ");
    expect(dump).toContain('"45.0/40,44/38", "45.1/40,44/38", "45.2/40,44/38"');
  });
});

describe("ncks and cdo", () => {
  it("read every type of file with ncks", (context) => {
    for (const file of [shared, ragged, intervals, many, satellites, texts]) runTool(context, "ncks", ["-m", file]);
    const cut = join(folder, "cut.nc");
    runTool(context, "ncks", ["-O", "-d", "time,10,12", "-v", "ztd", shared, cut]);
    expect(runTool(context, "ncdump", ["-v", "ztd", cut])).toContain(String(plain.rows[0]![11]!.values.ztd));
  });

  it("list variables, positions and steps with cdo", (context) => {
    const info = runTool(context, "cdo", ["-s", "sinfon", shared]);
    expect(info).toContain("ztd_sigma");
    expect(info).toContain("degrees_north");
    expect(info).toContain("70000 steps");
  });
});

describe("xarray", () => {
  it("decodes times, values, names and missing values", (context) => {
    const result = runPython(
      context,
      ["xarray"],
      `
d = xarray.open_dataset(${JSON.stringify(shared)})
print(json.dumps({
  "first": str(d.time.values[0]), "last": str(d.time.values[-1]),
  "ids": [str(v) for v in d.station_id.values], "names": [str(v) for v in d.station_name.values],
  "sum": float(d.ztd[:, 0].sum()), "pwv": int(d.pwv[:, 0].count()), "missing": int(d.ztd[:, 1].isnull().sum()),
}))`,
    );
    expect(result).toMatchObject({
      first: "2026-01-01T00:00:00.000000000",
      last: "2026-01-25T07:19:30.000000000",
      ids: plain.stations.map((s) => s.id),
      names: plain.stations.map((s) => s.displayName),
      pwv: 7_000,
      missing: 1_000,
    });
    const sum = plain.rows[0]!.reduce((total, r) => total + Number(r.values.ztd), 0);
    expect((result as { sum: number }).sum).toBeCloseTo(sum, 3);
  });

  it("decodes the bounds of intervals, and ragged files", (context) => {
    const result = runPython(
      context,
      ["xarray"],
      `
i = xarray.open_dataset(${JSON.stringify(intervals)})
r = xarray.open_dataset(${JSON.stringify(ragged)})
s = xarray.open_dataset(${JSON.stringify(satellites)})
n = int(r.row_size[0])
print(json.dumps({
  "bounds": [str(v) for v in i.time_bnds.values[1]],
  "second": str(r.time.values[n]), "ztd": float(r.ztd[n + 5]),
  "pairs": [str(v) for v in s.pair_id.values], "cn0": [float(v) for v in s.cn0_1.values],
}))`,
    );
    expect(result).toEqual({
      bounds: ["2026-01-01T00:15:00.000000000", "2026-01-01T00:30:00.000000000"],
      second: "2026-01-01T00:00:00.000000000",
      ztd: plain.rows[1]![5]!.values.ztd,
      pairs: [`${station(0).id} E11`, `${station(0).id} G01`],
      cn0: [44, 44, 44, 45, 45.1, 45.2],
    });
  });
});

describe("netCDF4-python", () => {
  it("reads attributes beyond 64 kB", async (context) => {
    const path = join(folder, "query.nc");
    const source = sourceOf({ ...plain, rows: [[], []] });
    const query = "ä".repeat(100_000);
    await writeTimeSeriesNetcdf(path, { ...source, provenance: { ...source.provenance, query } });
    const script = `print(json.dumps(len(netCDF4.Dataset(${JSON.stringify(path)}).query)))`;
    expect(runPython(context, ["netCDF4"], script)).toBe(100_000);
  });
});
