import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { hdf5Library } from "#formats/netcdf/library.ts";
import { writeParquetFile } from "#formats/parquet/index.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { regularRows, sourceOf, station } from "../sources.ts";
import { mustSucceed, runPython, scratchFolder } from "../tools.ts";

// Any file is described or rejected with a message, without a crash or a long wait.

const folder = scratchFolder();
const plain = {
  stations: [station(0), station(1)],
  variables: ["ztd", "pwv"] as const,
  rows: [regularRows(20, 0), regularRows(9, 1)],
};

async function refusal(bytes: Uint8Array, name = "hostile.nc"): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const result = await openSeriesFile(path);
  return result.ok ? "opened" : result.error.message;
}

it.each([
  ["an empty file", Buffer.alloc(0)],
  ["a picture", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1")],
  ["unrelated text", Buffer.from("hello, world\n1,2\n")],
  ["an unknown table", Buffer.from("a;b\n1;2\n")],
  ["a header alone", Buffer.from("station_id,time,ztd_mm\r\n")],
  ["a table without numbers", Buffer.from("station_id,time\r\na,2026-01-01T00:00:00Z\r\n")],
  ["rows without times", Buffer.from("station_id,time,ztd_mm\r\na,yesterday,1\r\n")],
  ["only the signature of NetCDF-3", Buffer.from("CDF\x01", "latin1")],
  ["an empty CDF-5 file", Buffer.from("CDF\x05\0\0\0\0\0\0\0\0\0\0\0\0", "latin1")],
  ["only the signature of HDF5", Buffer.from("\x89HDF\r\n\x1a\n", "latin1")],
])("rejects %s with a message", async (name, bytes) => {
  expect(await refusal(bytes, `${name.replaceAll(" ", "-")}.nc`)).toMatch(/^[A-Z“].{10,}\.$/s);
});

it("rejects a NetCDF-4 file with zeros over its names, which the library would read for ever, with a message", async () => {
  const path = join(folder, "ragged.nc");
  mustSucceed(await writeTimeSeriesNetcdf(path, sourceOf(plain), { container: "netcdf4", layout: "ragged" }));
  const bytes = readFileSync(path);
  const heap = bytes.indexOf("GCOL");
  expect(await refusal(bytes, "whole.nc")).toBe("opened");
  expect(await refusal(bytes.fill(0, heap + 16, heap + 528))).toMatch(/may be damaged\.$/);
});

it("rejects Parquet pages whose headers name a dictionary that is absent, and shows no other values", async () => {
  const path = join(folder, "pages.parquet");
  mustSucceed(await writeParquetFile(path, sourceOf(plain)));
  const bytes = readFileSync(path);
  // Plain values, with levels in runs.
  const header = Buffer.from([0x15, 0, 0x15, 6, 0x15, 6]);
  expect(bytes.includes(header)).toBe(true);
  for (let at = bytes.indexOf(header); at >= 0; at = bytes.indexOf(header, at + 1)) {
    const changed = Buffer.from(bytes);
    changed[at + 1] = 4;
    expect(await refusal(changed, "changed.parquet")).toMatch(/damaged/);
  }
});

it("rejects a missing quotation mark with a message", async () => {
  const bytes = Buffer.concat([Buffer.from('station_id,time,ztd_mm\r\n"a'), Buffer.alloc(3_000_000, "x,\n")]);
  expect(await refusal(bytes, "hostile.csv")).toMatch(
    /names 3 columns, and its first row has|quotation mark is missing/,
  );
});

it("rejects a missing file with a message", async () => {
  const path = join(folder, "gone.nc");
  expect(await openSeriesFile(path)).toMatchObject({ ok: false, error: { message: expect.stringContaining(path) } });
});

it("opens a file that declares more values than any disk can store, and reports the omitted ones", async (context) => {
  const path = join(folder, "huge.nc");
  runPython(
    context,
    ["netCDF4"],
    `
with netCDF4.Dataset(${JSON.stringify(path)}, "w") as d:
    d.set_fill_off()
    for name, size in [("time", 900000000000), ("station", 4000000000), ("obs", 3000000)]: d.createDimension(name, size)
    d.createVariable("time", "f8", ("time",), chunksizes=(65536,)).units = "seconds since 2026-01-01"
    d.createVariable("ztd", "f4", ("time",), chunksizes=(65536,)).units = "m"
    d.createVariable("when", "i4", ("station", "obs"), chunksizes=(256, 256)).units = "seconds since 2026-01-01"
    d.createVariable("late", "f4", ("station", "obs"), chunksizes=(256, 256)).coordinates = "when"
print("null")
`,
  );
  expect(readFileSync(path).length).toBeLessThan(100_000);
  const file = mustSucceed(await openSeriesFile(path));
  expect(file.series.length).toBeLessThanOrEqual(20_000);
  expect(file.notes).toContain("This file has more rows than can be looked at here: the last ones are left out.");
  expect(file.notes).toContain("This file has 4,000,000,001 series: the first 20,000 are shown.");
  expect(file.rows(0).timesMs.length).toBeLessThan(3_000_000);
  file.close();
});

it("reloads the HDF5 library after a damaged file aborted it", async () => {
  const path = join(folder, "before.nc");
  mustSucceed(await writeTimeSeriesNetcdf(path, sourceOf(plain), { container: "netcdf4", layout: "ragged" }));
  const before = mustSucceed(await openSeriesFile(path));
  // As some damaged files do.
  (await hdf5Library()).Module.HEAPU8.fill(255);
  expect(() => before.rows(0)).toThrow(/close it and open it again/);
  before.close();
  const after = mustSucceed(await openSeriesFile(path));
  expect(after.rows(0).timesMs).toHaveLength(20);
  after.close();
});
