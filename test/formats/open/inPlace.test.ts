import { readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { hdf5Library } from "#formats/netcdf/library.ts";
import type { SeriesFile } from "#formats/open/index.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { messageOf } from "#shared/fault.ts";
import { regularRows, sourceOf, station } from "../sources.ts";
import { mustSucceed, scratchFolder } from "../tools.ts";
import { tries } from "../../support/endurance.ts";

// The HDF5 library identifies a file by its inode, which stays the same when the file is overwritten. A read must return
// the current content, even if reading the previous content failed.

const folder = scratchFolder();

async function validBytes(rows: number): Promise<Buffer> {
  const path = join(folder, `${rows}.nc`);
  const plain = { stations: [station(0)], variables: ["ztd", "pwv"] as const, rows: [regularRows(rows, 0)] };
  mustSucceed(await writeTimeSeriesNetcdf(path, sourceOf(plain), { container: "netcdf4", layout: "grid" }));
  return readFileSync(path);
}

/** Number of rows of the first series, -1 if they cannot be read. */
function rowsOf(file: SeriesFile): number {
  try {
    return file.rows(0).timesMs.length;
  } catch {
    return -1;
  }
}

async function rowsAt(path: string): Promise<number | string> {
  const opened = await openSeriesFile(path);
  if (!opened.ok) return opened.error.message;
  const rows = rowsOf(opened.value);
  opened.value.close();
  return rows;
}

it("reads a valid file that replaced a damaged one, and leaves no file open", async () => {
  const [before, after] = [await validBytes(20), await validBytes(13)];
  const library = await hdf5Library();
  const open = openStreams(library);
  let failed = 0;
  for (let at = 0; at < before.length; at += Math.ceil(before.length / tries(25, 200))) {
    const path = join(folder, `damaged-${at}.nc`);
    writeFileSync(path, Buffer.from(before).fill(255, at, at + 4));
    if (typeof (await rowsAt(path)) === "string") failed++;
    writeFileSync(path, after);
    expect(await rowsAt(path), `after ${at}`).toBe(13);
  }
  expect(failed).toBeGreaterThan(5);
  // The library was never reloaded; otherwise the test would prove nothing.
  expect(await hdf5Library()).toBe(library);
  expect(openStreams(library)).toBe(open);
});

it("rejects a damaged file that replaced a valid one", async () => {
  const path = join(folder, "worse.nc");
  writeFileSync(path, await validBytes(20));
  const first = mustSucceed(await openSeriesFile(path));
  writeFileSync(path, Buffer.alloc(40_000, readFileSync(path).subarray(0, 8)));
  expect(await rowsAt(path)).toMatch(/damaged|ends too early/);
  first.close();
});

it("reads the current content of a file that was overwritten while it was open", async () => {
  const path = join(folder, "anew.nc");
  writeFileSync(path, await validBytes(20));
  const first = mustSucceed(await openSeriesFile(path));
  writeFileSync(path, await validBytes(13));
  expect(await rowsAt(path)).toBe(13);
  first.close();
  expect(await rowsAt(path)).toBe(13);
});

/** The values of the second series, or why they cannot be read. */
function readSecond(file: SeriesFile): Float64Array | string {
  try {
    return file.rows(1).values;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

describe.each(["netcdf4", "netcdf3"] as const)("a %s file that is open", (container) => {
  /** A file of two stations, of which the first has been read; and another version of it. */
  async function halfRead(
    name: string,
  ): Promise<{ path: string; file: SeriesFile; second: Float64Array; later: Buffer }> {
    const versions: Buffer[] = [];
    const path = join(folder, `${container} ${name}.nc`);
    for (const rows of [9_000, 8_000]) {
      const stations = [station(0), station(1)];
      const plain = { stations, variables: ["ztd"] as const, rows: [regularRows(rows, 0), regularRows(rows, 1)] };
      mustSucceed(await writeTimeSeriesNetcdf(path, sourceOf(plain), { container, layout: "grid" }));
      versions.push(readFileSync(path));
    }
    const [now, later] = versions as [Buffer, Buffer];
    writeFileSync(path, now);
    const whole = mustSucceed(await openSeriesFile(path));
    const second = whole.rows(1).values.slice();
    whole.close();
    const file = mustSucceed(await openSeriesFile(path));
    file.rows(0);
    return { path, file, second, later };
  }

  /** Values of one version, or none: a grid of a classic file is read as a whole, and stays in memory. */
  function expected(second: Float64Array): unknown {
    const refusal: unknown = expect.stringMatching(/^Another program has changed this file since it was opened/);
    return container === "netcdf3" ? second : refusal;
  }

  it("is not read any further after another program has changed it", async () => {
    const { path, file, second, later } = await halfRead("changed");
    writeFileSync(path, later);
    expect(readSecond(file)).toEqual(expected(second));
    file.close();
    const again = mustSucceed(await openSeriesFile(path));
    expect(again.rows(1).values.length).toBe(8_000);
    again.close();
  });

  it("is not read any further after another program has cut it off", async () => {
    const { path, file, second } = await halfRead("cut");
    truncateSync(path, 20_000);
    expect(readSecond(file)).toEqual(expected(second));
    file.close();
  });

  it("is read as it was after another file has taken its name", async () => {
    const { path, file, second, later } = await halfRead("replaced");
    writeFileSync(`${path}.new`, later);
    renameSync(`${path}.new`, path);
    expect(readSecond(file)).toEqual(second);
    file.close();
  });
});

function openStreams({ Module }: Awaited<ReturnType<typeof hdf5Library>>): number {
  return (Module.FS as unknown as { streams: unknown[] }).streams.filter(Boolean).length;
}
