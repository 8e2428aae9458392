import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { NetCDFReader } from "netcdfjs";
import { describe, expect, it } from "vitest";
import { type NetcdfOptions, writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { openNetcdf } from "../support/openNetcdf.ts";
import { ClassicWriter } from "#formats/netcdf3/classic.ts";
import { writeSatelliteNetcdf } from "#formats/netcdf/satellites/write.ts";
import { bothRows, opened } from "./readBack.ts";
import { plainSource, regularRows, sourceOf, START_MS, station, type PlainSource } from "./sources.ts";
import { mustSucceed, runPython, runTool, scratchFolder } from "./tools.ts";
import { gateCases } from "../support/endurance.ts";

const folder = scratchFolder();
let files = 0;

async function written(plain: PlainSource, options: NetcdfOptions = {}) {
  const path = join(folder, `${files++}.nc`);
  return mustSucceed(await writeTimeSeriesNetcdf(path, sourceOf(plain), { ...options, container: "netcdf3" })).path;
}

const SCALARS = ["ztd", "ztd_sigma", "pwv"] as const;
const plain: PlainSource = {
  stations: [station(0, { displayName: 'Ääni, "東京"', latitudeDeg: null }), station(1)],
  variables: SCALARS,
  rows: [regularRows(7_000, 1), regularRows(6_900, 2)],
};
const sky: PlainSource = {
  stations: [station(0)],
  variables: ["prn", "el", "az", "snr"],
  rows: [
    [0, 1, 2].map((i) => ({
      timeMs: START_MS + i * 30_000,
      values: { prn: "G01,E11", el: "10.5,80", az: "0,359.9", snr: `45.${i}/40,44/38` },
    })),
  ],
};

describe("values of a classic file", () => {
  it.each(["grid", "ragged", "auto"] as const)("round-trip exactly: %s", async (layout) => {
    await fc.assert(
      fc.asyncProperty(plainSource(SCALARS), async (plain) => {
        const file = await opened(await written(plain, { layout }));
        expect(file.format).toBe("netcdf3");
        const { found, expected } = bothRows(file, plain);
        expect(found).toStrictEqual(expected);
        file.close();
      }),
      { numRuns: gateCases(25) },
    );
  });

  it("match those that netcdfjs reads", async () => {
    const path = await written({ ...plain, rows: [regularRows(100, 1), regularRows(90, 2)] });
    const reader = new NetCDFReader(readFileSync(path));
    expect(reader.version).toBe("64-bit offset format");
    const ztd = (reader.getDataVariable("ztd") as number[][]).map(([first]) => first);
    expect(ztd).toEqual(regularRows(100, 1).map((r) => r.values.ztd));
    expect(reader.getAttribute("featureType")).toBe("timeSeries");
  });

  it("include the bounds of intervals, and stations without rows", async () => {
    const rows = [regularRows(96, 1, 900_000), []];
    const file = await opened(await written({ ...plain, rows, intervalSeconds: 900 }));
    expect([
      ...(file.read("time_bnds", [
        [95, 96],
        [0, 2],
      ]) as Float64Array),
    ]).toEqual([START_MS / 1000 + 95 * 900, START_MS / 1000 + 96 * 900]);
    expect(file.read("station_id")).toEqual(plain.stations.map((s) => s.id));
    expect(file.read("station_name")).toEqual(plain.stations.map((s) => s.displayName));
    file.close();
  });

  it("may be absent", async (context) => {
    const path = await written({ ...plain, rows: [[], []] });
    const file = await opened(path);
    expect(file.variable("ztd")!.shape).toEqual([0, 2]);
    file.close();
    expect(runTool(context, "ncdump", ["-h", path])).toContain("time = UNLIMITED ; // (0 currently)");
  });

  it("may be stored beyond 4 GB", async (context) => {
    const path = join(folder, "far.nc");
    const cells = 450_000_000;
    await ClassicWriter.write(path, async (file) => {
      file.dimension("obs", cells);
      file.doubles({ name: "a", dimensions: ["obs"], attributes: {} }, [1]);
      file.doubles({ name: "b", dimensions: ["obs"], attributes: {} }, [1]);
      file.write("a", [cells - 1], Float64Array.of(1.5));
      file.write("b", [cells - 2], Float64Array.of(2.5, 3.5));
    });
    const file = await opened(path);
    expect(file.read("a", [[cells - 1, cells]])).toEqual(Float64Array.of(1.5));
    expect(file.read("b", [[cells - 2, cells]])).toEqual(Float64Array.of(2.5, 3.5));
    file.close();
    const read = runPython(
      context,
      ["netCDF4"],
      `d = netCDF4.Dataset(${JSON.stringify(path)})\nprint(json.dumps([d["a"][-1].item(), d["b"][-2].item(), d["b"][-1].item()]))`,
    );
    expect(read).toEqual([1.5, 2.5, 3.5]);
  });

  it("that exceed the size limit of a variable are rejected with a message before anything is written", async () => {
    const path = join(folder, "large.nc");
    const writing = ClassicWriter.write(path, async (file) => {
      file.dimension("obs", 575_000_000);
      file.doubles({ name: "ztd", dimensions: ["obs"], attributes: {} }, [1]);
    });
    await expect(writing).rejects.toMatchObject({
      error: { kind: "tooLarge", message: expect.stringMatching(/ztd would take 4\.6 GB.*NetCDF-4/) },
    });
    expect(statSync(path).size).toBe(0);
  });
});

describe("satellites in a classic file", () => {
  it("are stored as numbers, one series per station and satellite", async (context) => {
    const path = join(folder, "sky.nc");
    mustSucceed(await writeSatelliteNetcdf(path, sourceOf(sky), { container: "netcdf3" }));
    const file = await opened(path);
    expect(file.read("prn")).toEqual(["E11", "G01"]);
    expect([...(file.read("elevation") as Float64Array)]).toEqual([80, 80, 80, 10.5, 10.5, 10.5]);
    expect([...(file.read("cn0_1") as Float64Array)]).toEqual([44, 44, 44, 45, 45.1, 45.2]);
    file.close();
    expect(runTool(context, "ncdump", ["-v", "azimuth", path])).toContain("azimuth = 359.9, 359.9, 359.9, 0, 0, 0 ;");
  });

  it("are rejected as texts with a message", async () => {
    const result = await writeTimeSeriesNetcdf(join(folder, "texts.nc"), sourceOf(sky), { container: "netcdf3" });
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining("Choose NetCDF-4") } });
    expect(await openNetcdf(join(folder, "texts.nc"))).toMatchObject({ ok: false });
  });
});
