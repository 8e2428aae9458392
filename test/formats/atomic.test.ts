import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync, readFileSync, chmodSync, existsSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { temporaryFolders } from "../support/folder.ts";
import { writeSatelliteCsv, writeTimeSeriesCsv } from "#formats/csv/index.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { openNetcdf } from "../support/openNetcdf.ts";
import { gateShare } from "../support/endurance.ts";
import { writeParquetFile } from "#formats/parquet/index.ts";
import { writeSatelliteNetcdf } from "#formats/netcdf/satellites/write.ts";
import { writeSinexTro } from "#formats/sinex/index.ts";
import type { SeriesFileSource, WriteOptions } from "#formats/source.ts";
import { writePlainSqlite } from "#main/export/sqlite.ts";
import { writeTimeSeriesXlsx } from "#formats/xlsx/index.ts";
import { regularRows, sourceOf, START_MS, station } from "./sources.ts";
import { mustSucceed, namesIn } from "./tools.ts";

const emptyFolder = temporaryFolders();

/** Of each of two stations. */
const ROWS = 2_400;
const series = sourceOf({
  stations: [station(0), station(1)],
  variables: ["ztd", "ztd_sigma"],
  rows: [regularRows(ROWS, 1), regularRows(ROWS, 2)],
  blockRows: 60,
});
const sky = sourceOf({
  stations: [station(0)],
  variables: ["prn", "el", "az", "snr"],
  rows: [
    Array.from({ length: 1_600 }, (_, i) => ({
      timeMs: START_MS + i * 30_000,
      values: { prn: "G01,G02", el: "10,20", az: "30,40", snr: "45,44" },
    })),
  ],
  blockRows: 20,
});

type Writer = (path: string, source: SeriesFileSource, options?: WriteOptions) => Promise<{ ok: boolean }>;
const WRITERS: readonly (readonly [string, Writer, SeriesFileSource])[] = [
  ["series NetCDF", writeTimeSeriesNetcdf, series],
  ["ragged NetCDF", (p, s, o) => writeTimeSeriesNetcdf(p, s, { ...o, layout: "ragged" }), series],
  ["series NetCDF-3", (p, s, o) => writeTimeSeriesNetcdf(p, s, { ...o, container: "netcdf3" }), series],
  ["series CSV", writeTimeSeriesCsv, series],
  ["Parquet in one file", writeParquetFile, series],
  ["SINEX_TRO", writeSinexTro, series],
  ["series SQLite", (p, s, o = {}) => writePlainSqlite(p, { series: s, satellites: null }, o), series],
  ["Excel", writeTimeSeriesXlsx, series],
  ["satellite NetCDF", writeSatelliteNetcdf, sky],
  ["satellite CSV", writeSatelliteCsv, sky],
];

describe.each(gateShare(WRITERS))("%s", (_, write, source) => {
  it("reports progress, replaces an existing file and leaves no temporary file", async () => {
    const path = join(emptyFolder(), "file");
    writeFileSync(path, "older");
    const seen: number[] = [];
    const result = await write(path, source, { onProgress: (rows) => seen.push(rows) });
    expect(result.ok).toBe(true);
    expect(namesIn(join(path, ".."))).toEqual(["file"]);
    expect(readFileSync(path, "latin1").startsWith("older")).toBe(false);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(source === series ? 2 * ROWS : 3_200);
  });

  it("keeps the existing file and leaves no temporary file when cancelled", async () => {
    for (const blocksBefore of [0, 1, 60]) {
      const folder = emptyFolder();
      writeFileSync(join(folder, "file"), "older");
      const controller = new AbortController();
      let blocks = 0;
      const cancelling: SeriesFileSource = {
        ...source,
        *blocks(i) {
          for (const block of source.blocks(i)) {
            if (blocks++ === blocksBefore) controller.abort();
            yield block;
          }
        },
      };
      if (blocksBefore === 0) controller.abort();
      const result = await write(join(folder, "file"), cancelling, { signal: controller.signal });
      expect(result).toMatchObject({ ok: false, error: { kind: "cancelled" } });
      expect(readFileSync(join(folder, "file"), "utf8")).toBe("older");
      expect(namesIn(folder)).toEqual(["file"]);
    }
  });

  it("yields to the event loop", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await write(join(emptyFolder(), "file"), source);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });

  it("reports a failing source and leaves no file", async () => {
    const folder = emptyFolder();
    const failing: SeriesFileSource = {
      ...source,
      *blocks(i) {
        yield* [...source.blocks(i)].slice(0, 3);
        throw new Error("the database is locked");
      },
    };
    const failed = await write(join(folder, "file"), failing);
    expect(failed).toMatchObject({ ok: false, error: { kind: "source", cause: "the database is locked" } });
    expect(namesIn(folder)).toEqual([]);
  });

  it("rejects an unusable path with a message", async () => {
    const folder = emptyFolder();
    expect(await write(join(folder, "none", "file"), source)).toMatchObject({ ok: false, error: { kind: "noFolder" } });
    writeFileSync(join(folder, "plain"), "");
    expect(await write(join(folder, "plain", "file"), source)).toMatchObject({
      ok: false,
      error: { kind: "noFolder" },
    });
    mkdirSync(join(folder, "taken"));
    expect(await write(join(folder, "taken"), source)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/folder|permitted|holds/) },
    });
    expect(namesIn(folder)).toEqual(["plain", "taken"]);
  });

  it("reports a folder without write permission", async (context) => {
    if (process.getuid?.() === 0) context.skip("root may write everywhere");
    const folder = emptyFolder();
    chmodSync(folder, 0o500);
    const result = await write(join(folder, "file"), source);
    chmodSync(folder, 0o700);
    expect(result).toMatchObject({ ok: false, error: { kind: "noPermission" } });
  });
});

it.each(WRITERS.slice(0, 4))(
  "%s: a source that changes between two passes is rejected, except by CSV",
  async (name, write, source) => {
    let passes = 0;
    const changing: SeriesFileSource = {
      ...source,
      *blocks(i) {
        const all = [...source.blocks(i)];
        yield* passes++ < source.stations.length ? all : all.slice(1);
      },
    };
    const result = await write(join(emptyFolder(), "file"), changing);
    // CSV has no declared sizes: it writes and counts the rows of the second pass.
    expect(result.ok).toBe(name === "series CSV");
  },
);

const SCRIPT = join(import.meta.dirname, "writeForever.ts");
const HALF = join(import.meta.dirname, "replaceHalf.ts");

describe("a process", () => {
  it.each(gateShare(["netcdf", "csv", "sqlite"]))(
    "that is killed leaves no file under the final name: %s",
    async (kind) => {
      const folder = emptyFolder();
      const path = join(folder, "file");
      const child = spawn(process.execPath, [SCRIPT, kind, path], { stdio: ["ignore", "pipe", "inherit"] });
      await new Promise((resolve) => child.stdout.once("data", resolve));
      await sleep(100);
      child.kill("SIGKILL");
      await new Promise((resolve) => child.once("close", resolve));
      expect(existsSync(path)).toBe(false);
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.zenith-part$/)]);
    },
  );

  it("that is killed between the two renames of a folder leaves the old one, which gets its name back", async () => {
    const folder = emptyFolder();
    const target = join(folder, "year.parquet");
    mkdirSync(target);
    writeFileSync(join(target, "old"), "");
    const child = spawn(process.execPath, [HALF, target], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
    expect(existsSync(target)).toBe(false);
    // The next export to the same folder.
    expect(await writeTimeSeriesCsv(join(folder, "file"), series)).toMatchObject({ ok: true });
    expect(readdirSync(folder)).toEqual(["file", "year.parquet"]);
    expect(readdirSync(target)).toEqual(["old"]);
  });

  it.each(gateShare(["sqlite", "netcdf", "csv"]))(
    "whose disk is full reports an error with a message and leaves no file: %s",
    (kind) => {
      if (process.platform === "win32") return;
      const folder = emptyFolder();
      // A limit on the file size simulates a full disk: writes beyond it fail in the same place.
      const command = `trap '' XFSZ; ulimit -f 200; exec "$0" "$@"`;
      const done = spawnSync("bash", ["-c", command, process.execPath, SCRIPT, kind, join(folder, "file"), "20"], {
        encoding: "utf8",
      });
      const result = JSON.parse(done.stdout.trim().split("\n").at(-1)!) as object;
      const message = expect.stringContaining(`: ${join(folder, "file")}`);
      expect(result).toMatchObject({ ok: false, error: { kind: expect.stringMatching(/noSpace|io/), message } });
      expect(namesIn(folder)).toEqual([]);
    },
  );

  it("whose temporary folder is full names that folder in the error, not the stream", () => {
    if (process.platform === "win32") return;
    const folder = emptyFolder();
    const command = `trap '' XFSZ; ulimit -f 200; TMPDIR=${JSON.stringify(folder)} exec "$0" "$@"`;
    const words = ["-c", command, process.execPath, SCRIPT, "netcdf", "/dev/null", "20"];
    const { stdout } = spawnSync("bash", words, { encoding: "utf8" });
    const message = expect.stringContaining(`: ${folder}`);
    expect(JSON.parse(stdout.trim().split("\n").at(-1)!)).toMatchObject({ ok: false, error: { message } });
    expect(namesIn(folder)).toEqual([]);
  });
});

it("concurrent writes do not interfere with each other", async () => {
  const folder = emptyFolder();
  const paths = [0, 1, 2, 3].map((i) => join(folder, `${i}.nc`));
  await Promise.all(
    paths.map((path, i) => (i === 3 ? writeSatelliteNetcdf(path, sky) : writeTimeSeriesNetcdf(path, series))),
  );
  for (const path of paths.slice(0, 3)) {
    const file = mustSucceed(await openNetcdf(path));
    const [one = [], other = []] = [1, 2].map((seed) => regularRows(ROWS, seed).map((r) => r.values.ztd));
    expect([...(file.read("ztd") as Float64Array)]).toEqual(one.flatMap((value, i) => [value, other[i]]));
    file.close();
  }
});

it("a finished file opens under a path with spaces and Unicode characters", async () => {
  const path = join(emptyFolder(), "path with spaces, Ünïcode and 東京.nc");
  expect(await writeTimeSeriesNetcdf(path, series)).toMatchObject({ ok: true, value: { path } });
  expect(await openNetcdf(path)).toMatchObject({ ok: true });
});

it("an export removes old temporary files of killed programs, but no recent ones", async () => {
  const folder = emptyFolder();
  const [old, fresh, other] = [".0123456789abcdef.zenith-part", ".fedcba9876543210.zenith-part", "notes.zenith-part"];
  for (const name of [old, fresh, other]) writeFileSync(join(folder, name), "");
  const longAgo = new Date(Date.now() - 2 * 86_400_000);
  for (const name of [old, other]) utimesSync(join(folder, name), longAgo, longAgo);
  expect(await writeTimeSeriesCsv(join(folder, "file"), series)).toMatchObject({ ok: true });
  expect(namesIn(folder)).toEqual([fresh, "file", other].toSorted());
});

it("an export measures the age of temporary files by the clock of the disk", async () => {
  const folder = emptyFolder();
  const fresh = ".0123456789abcdef.zenith-part";
  writeFileSync(join(folder, fresh), "");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 86_400_000 });
  try {
    expect(await writeTimeSeriesCsv(join(folder, "file"), series)).toMatchObject({ ok: true });
  } finally {
    vi.useRealTimers();
  }
  expect(namesIn(folder)).toEqual([fresh, "file"].toSorted());
});
