import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FormatFailure } from "#formats/error.ts";
import { openNetcdf } from "#formats/netcdf/read.ts";
import { CHUNK, type NetcdfSink } from "#formats/netcdf/sink.ts";
import { RemoteWriter } from "#formats/netcdf/thread/remote.ts";
import { mustSucceed, scratchFolder } from "./tools.ts";

const folder = scratchFolder();
const CHUNKS = 16;

/** One axis of noise, `CHUNKS` chunks long: more than may wait for the thread. */
async function writeNoise(file: NetcdfSink, valueOf: (i: number) => number): Promise<number> {
  const block = new Float64Array(CHUNK);
  file.dimension("obs", CHUNKS * CHUNK);
  file.doubles({ name: "ztd", dimensions: ["obs"], attributes: { units: "mm" } }, [CHUNK]);
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    // The same array every time: what was handed over must not change with it.
    for (let i = 0; i < CHUNK; i++) block[i] = valueOf(chunk * CHUNK + i);
    file.write("ztd", [chunk * CHUNK], [CHUNK], block);
    await file.drained();
  }
  return CHUNKS * CHUNK;
}

const noise = (i: number): number => 2_400 + ((i * 2_654_435_761) % 1_000_003) / 7;

describe("the thread of the HDF5 library", () => {
  it("writes what was handed over, in order, though the writer fills the same arrays again", async () => {
    const path = join(folder, "noise.nc");
    expect(await RemoteWriter.write(path, (file) => writeNoise(file, noise))).toBe(CHUNKS * CHUNK);
    const file = mustSucceed(await openNetcdf(path));
    const values = file.read("ztd") as Float64Array;
    expect(values.length).toBe(CHUNKS * CHUNK);
    expect(values.findIndex((value, i) => value !== noise(i))).toBe(-1);
    file.close();
  });

  it("keeps several files apart, and what fails in one leaves the others alone", async () => {
    const broken = RemoteWriter.write(join(folder, "no", "such", "folder.nc"), (file) => writeNoise(file, noise));
    const sound = RemoteWriter.write(join(folder, "sound.nc"), (file) => writeNoise(file, (i) => i));
    const refused = RemoteWriter.write(join(folder, "refused.nc"), async (file) => {
      file.dimension("station", 1_000);
      file.chars(
        "name",
        "station",
        Array.from({ length: 1_000 }, () => "x".repeat(70_000)),
        {},
      );
    });
    await expect(broken).rejects.toThrow(/no such file/i);
    await expect(refused).rejects.toThrow(FormatFailure);
    expect(await sound).toBe(CHUNKS * CHUNK);
    const file = mustSucceed(await openNetcdf(join(folder, "sound.nc")));
    expect((file.read("ztd") as Float64Array).every((value, i) => value === i)).toBe(true);
    file.close();
  });

  it("gives back what the writer itself throws", async () => {
    const failing = RemoteWriter.write(join(folder, "cancelled.nc"), async (file) => {
      file.dimension("obs", 3);
      throw new FormatFailure("cancelled", "Cancelled; no file was written.");
    });
    await expect(failing).rejects.toMatchObject({ error: { kind: "cancelled" } });
  });

  it("keeps no program alive that is done", () => {
    const path = join(folder, "small.nc");
    const thread = join(import.meta.dirname, "../../src/formats/netcdf/thread");
    const script = `import { startHdf5Thread } from ${JSON.stringify(join(thread, "thread.ts"))};
      import { RemoteWriter } from ${JSON.stringify(join(thread, "remote.ts"))};
      await startHdf5Thread();
      await RemoteWriter.write(${JSON.stringify(path)}, async (file) => file.dimension("obs", 3));`;
    const program = join(folder, "program.mjs");
    writeFileSync(program, script);
    const done = spawnSync(process.execPath, [program], { timeout: 20_000, encoding: "utf8" });
    expect([done.status, done.stderr]).toEqual([0, ""]);
    expect(existsSync(path)).toBe(true);
  });
});
