import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { hdf5Library } from "#formats/netcdf/library.ts";
import { type FileRows, FormatFailure, type SeriesFile } from "#formats/open/index.ts";
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

/** The bytes of a valid file. */
async function validBytes(container: "netcdf3" | "netcdf4", layout: "grid" | "ragged"): Promise<Buffer> {
  const path = join(folder, `${container}-${layout}.nc`);
  mustSucceed(await writeTimeSeriesNetcdf(path, sourceOf(plain), { container, layout }));
  return readFileSync(path);
}

/** Opens the bytes as a file and reads its series; returns the message if the file is rejected. */
async function outcome(bytes: Uint8Array, name = "hostile.nc"): Promise<string | null> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const result = await openSeriesFile(path);
  if (!result.ok) return result.error.message;
  const { series, notes } = result.value;
  for (const note of notes) expect(note).toMatch(/^\S.{5,600}\.$/s);
  for (const [i, { rows, range, timesId }] of series.slice(0, 8).entries()) {
    expect(timesId).not.toBe("");
    expect(rows === 0).toBe(range === null);
    const { timesMs, values } = rowsOrEmpty(result.value, i);
    expect(values).toHaveLength(timesMs.length);
    expect(timesMs.every((ms, k) => k === 0 || ms >= timesMs[k - 1]!)).toBe(true);
  }
  result.value.close();
  return null;
}

/** Unreadable rows throw a `FormatFailure`; any other error is a bug. */
function rowsOrEmpty(file: SeriesFile, index: number): FileRows {
  try {
    return file.rows(index);
  } catch (thrown) {
    if (!(thrown instanceof FormatFailure)) throw thrown;
    return { timesMs: new Float64Array(0), values: new Float64Array(0) };
  }
}

const MESSAGE = /^[A-Z“1-9].{10,}\.( |$)/s;

it.each([
  ["an empty file", Buffer.alloc(0)],
  ["a picture", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1")],
  ["unrelated text", Buffer.from("hello, world\n1,2\n")],
  ["an unknown table", Buffer.from("date;ztd\n2026-01-01;2400\n")],
  ["a header alone", Buffer.from("station_id,time,ztd_mm\r\n")],
  ["a table without numbers", Buffer.from("station_id,time\r\na,2026-01-01T00:00:00Z\r\n")],
  ["rows without times", Buffer.from("station_id,time,ztd_mm\r\na,yesterday,1\r\n")],
  ["only the signature of NetCDF-3", Buffer.from("CDF\x01", "latin1")],
  ["an empty CDF-5 file", Buffer.from("CDF\x05\0\0\0\0\0\0\0\0\0\0\0\0", "latin1")],
  ["only the signature of HDF5", Buffer.from("\x89HDF\r\n\x1a\n", "latin1")],
])("rejects %s with a message", async (name, bytes) => {
  expect(await outcome(bytes, `${name.replaceAll(" ", "-")}.nc`)).toMatch(MESSAGE);
});

it("rejects a missing quotation mark with a message", async () => {
  const bytes = Buffer.concat([Buffer.from('station_id,time,ztd_mm\r\n"a'), Buffer.alloc(3_000_000, "x,\n")]);
  expect(await outcome(bytes, "hostile.csv")).toMatch(
    /names 3 columns, and its first row has|quotation mark is missing/,
  );
});

it("reports the lines that it skips in a table", async () => {
  const lines = [
    "station_id,time,ztd_mm",
    "a,2026-01-01T00:00:00Z,2001",
    "a,nonsense,2",
    "a",
    "a,2026-01-01T00:00:30Z,x",
  ];
  const path = join(folder, "lines.csv");
  writeFileSync(path, `${lines.join("\n")}\n`);
  const { series, notes } = mustSucceed(await openSeriesFile(path));
  expect(series).toMatchObject([{ rows: 2 }]);
  expect(notes).toEqual([
    expect.stringMatching(/another number of fields.*: 1\./),
    expect.stringMatching(/without a time.*: 1\./),
    expect.stringMatching(/not numbers.*: 1\./),
  ]);
});

it("rejects a missing file with a message", async () => {
  const path = join(folder, "gone.nc");
  expect(await openSeriesFile(path)).toMatchObject({ ok: false, error: { message: expect.stringContaining(path) } });
});

it.each([
  ["netcdf3", "grid"],
  ["netcdf3", "ragged"],
  ["netcdf4", "grid"],
  ["netcdf4", "ragged"],
] as const)(
  "reads %s, %s, with missing or changed bytes, or rejects it with a message",
  { timeout: 120_000 },
  async (container, layout) => {
    const bytes = await validBytes(container, layout);
    expect(await outcome(bytes)).toBeNull();
    const place = fc.oneof(
      { weight: 3, arbitrary: fc.nat({ max: Math.min(bytes.length, 3_000) - 1 }) },
      { weight: 2, arbitrary: fc.nat({ max: bytes.length - 1 }) },
    );
    const byte = fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 255, 127, 128, 1));
    const changes = fc.array(fc.tuple(place, fc.array(byte, { minLength: 1, maxLength: 8 })), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(changes, fc.option(fc.nat({ max: bytes.length }), { freq: 4 }), async (changed, length) => {
        const copy = Buffer.from(bytes.subarray(0, length ?? bytes.length));
        for (const [at, with_] of changed)
          copy.set(with_.slice(0, Math.max(0, copy.length - at)), Math.min(at, copy.length));
        expect((await outcome(copy)) ?? "It is shown as far as it goes.").toMatch(MESSAGE);
      }),
      { numRuns: 50, interruptAfterTimeLimit: 60_000 },
    );
    // A damaged file does not affect files that are opened later.
    expect(await outcome(bytes)).toBeNull();
  },
);

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
  writeFileSync(path, await validBytes("netcdf4", "ragged"));
  const before = mustSucceed(await openSeriesFile(path));
  // As some damaged files do.
  (await hdf5Library()).Module.HEAPU8.fill(255);
  expect(() => before.rows(0)).toThrow(/close it and open it again/);
  before.close();
  const after = mustSucceed(await openSeriesFile(path));
  expect(after.rows(0).timesMs).toHaveLength(20);
  after.close();
});
