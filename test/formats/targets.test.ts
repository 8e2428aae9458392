import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolders } from "../support/folder.ts";
import { writeTimeSeriesCsv } from "#formats/csv/index.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { ownerMark, sweepFolder } from "#formats/leftovers.ts";
import { writeParquetDataset } from "#formats/parquet/index.ts";
import { type ByteSink, writeThroughSink } from "#formats/sink.ts";
import { writeThroughTemporary } from "#formats/temporary.ts";
import { placeProblem, windowsProblem } from "#main/app/exports/place.ts";
import { siblingPath, sidecarPath } from "#main/export/names.ts";
import { utf8Bytes, siblingName } from "#shared/file/fileName.ts";
import { regularRows, sourceOf, station } from "./sources.ts";
import { describeUnless, itUnless, WINDOWS_LACKS } from "../support/needs.ts";
import { gateCases } from "../support/endurance.ts";

const emptyFolder = temporaryFolders();

const source = sourceOf({ stations: [station(0)], variables: ["ztd"], rows: [regularRows(500, 1)], blockRows: 100 });

async function expectedBytes(): Promise<Buffer> {
  const path = join(emptyFolder(), "plain.csv");
  await writeTimeSeriesCsv(path, source);
  return readFileSync(path);
}

function namedPipe(): string {
  const path = join(emptyFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  return path;
}

function ownTemporaries(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.includes(ownerMark()));
}

function temporaryOf(mark: string, ending = "part"): string {
  return `.0123456789abcdef.${mark}.zenith-${ending}`;
}

describeUnless(WINDOWS_LACKS, "a symbolic link", () => {
  it("is followed through other links to an existing or new file, and is kept", async () => {
    const [here, there] = [emptyFolder(), emptyFolder()];
    writeFileSync(join(there, "old.csv"), "older", { mode: 0o600 });
    symlinkSync(join("..", basename(there), "old.csv"), join(here, "second.csv"));
    symlinkSync("second.csv", join(here, "first.csv"));
    symlinkSync(join(there, "new.csv"), join(here, "dangling.csv"));
    for (const name of ["first.csv", "dangling.csv"]) {
      expect(await placeProblem(join(here, name), "csv")).toBeNull();
      expect(await writeTimeSeriesCsv(join(here, name), source)).toMatchObject({ ok: true });
    }
    const expected = await expectedBytes();
    expect(readFileSync(join(there, "old.csv"))).toEqual(expected);
    expect(readFileSync(join(there, "new.csv"))).toEqual(expected);
    // The new file keeps the permissions of the old one.
    expect(statSync(join(there, "old.csv")).mode & 0o777).toBe(0o600);
    expect(readdirSync(here).toSorted()).toEqual(["dangling.csv", "first.csv", "second.csv"]);
    expect(readlinkSync(join(here, "first.csv"))).toBe("second.csv");
    expect(readdirSync(there).toSorted()).toEqual(["new.csv", "old.csv"]);
  });

  it("to a Parquet dataset is kept, and its target is replaced", async () => {
    const [here, there] = [emptyFolder(), emptyFolder()];
    symlinkSync(join(there, "real.parquet"), join(here, "year.parquet"));
    for (let turn = 0; turn < 2; turn++)
      expect(await writeParquetDataset(join(here, "year.parquet"), source)).toMatchObject({ ok: true });
    expect(readdirSync(here)).toEqual(["year.parquet"]);
    expect(lstatSync(join(here, "year.parquet")).isSymbolicLink()).toBe(true);
    expect(readdirSync(there)).toEqual(["real.parquet"]);
  });

  it("that is circular, or points into a missing folder, is rejected with a message before writing", async () => {
    const folder = emptyFolder();
    symlinkSync("b", join(folder, "a"));
    symlinkSync("a", join(folder, "b"));
    symlinkSync(join(folder, "none", "file.csv"), join(folder, "c"));
    expect(await placeProblem(join(folder, "a"), "csv")).toMatchObject({
      message: expect.stringContaining("in a circle"),
    });
    expect(await placeProblem(join(folder, "c"), "csv")).toMatchObject({
      message: expect.stringContaining("does not exist"),
    });
  });

  itUnless(
    process.getuid?.() === 0 ? null : "only root can create a link of another user",
    "of another user in a world-writable folder is not followed",
    async () => {
      const folder = emptyFolder();
      chmodSync(folder, 0o1777);
      writeFileSync(join(folder, "precious"), "precious");
      symlinkSync(join(folder, "precious"), join(folder, "trap.csv"));
      lchownSync(join(folder, "trap.csv"), 65_534, 65_534);
      expect(await placeProblem(join(folder, "trap.csv"), "csv")).toMatchObject({
        message: expect.stringContaining("another user"),
      });
      expect(await writeTimeSeriesCsv(join(folder, "trap.csv"), source)).toMatchObject({ ok: false });
      expect(readFileSync(join(folder, "precious"), "utf8")).toBe("precious");
    },
  );
});

describeUnless(WINDOWS_LACKS, "a special file", () => {
  it.each([
    ["CSV", writeTimeSeriesCsv],
    ["NetCDF", writeTimeSeriesNetcdf],
  ])("is written to and kept: %s to a named pipe", async (_, write) => {
    const pipe = namedPipe();
    expect(await placeProblem(pipe, "csv")).toBeNull();
    const plain = join(emptyFolder(), "plain");
    const reader = spawn("cat", [pipe], { stdio: ["ignore", "pipe", "inherit"] });
    const [read, written] = await Promise.all([reader.stdout.toArray(), write(pipe, source)]);
    expect(written).toMatchObject({ ok: true });
    await write(plain, source);
    expect(Buffer.concat(read as Buffer[]).length).toBe(statSync(plain).size);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(ownTemporaries()).toEqual([]);
  });

  it("is closed without an error if the reader stops early", async () => {
    const pipe = namedPipe();
    const reader = spawn("head", ["-c", "10", pipe], { stdio: ["ignore", "pipe", "inherit"] });
    const large = sourceOf({
      stations: [station(0)],
      variables: ["ztd"],
      rows: [regularRows(20_000, 1)],
      blockRows: 1_000,
    });
    const [read, written] = await Promise.all([reader.stdout.toArray(), writeTimeSeriesCsv(pipe, large)]);
    expect(Buffer.concat(read as Buffer[]).toString()).toBe("station_id");
    expect(written).toMatchObject({ ok: true });
    expect(ownTemporaries()).toEqual([]);
  });

  it("without a reader blocks the export until it is cancelled", async () => {
    const pipe = namedPipe();
    const stop = new AbortController();
    // The data are ready; only the reader is missing.
    const write = async (): Promise<void> => void setImmediate(() => stop.abort());
    const written = await writeThroughTemporary(pipe, write, { signal: stop.signal });
    expect(written).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    expect(ownTemporaries()).toEqual([]);
  });

  it("whose reader takes no more bytes blocks the export until it is cancelled", async () => {
    const pipe = namedPipe();
    await using _reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const stop = new AbortController();
    const write = async (sink: ByteSink): Promise<void> => {
      // More than a pipe holds.
      await sink.write(new Uint8Array(1 << 22));
      setImmediate(() => stop.abort());
      await sink.flush();
    };
    expect(await writeThroughSink(pipe, write, { signal: stop.signal })).toMatchObject({
      ok: false,
      error: { kind: "cancelled" },
    });
  });

  it("such as /dev/null is not replaced", async () => {
    expect(await writeTimeSeriesNetcdf("/dev/null", source)).toMatchObject({ ok: true });
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
    expect(ownTemporaries()).toEqual([]);
  });

  itUnless(existsSync("/dev/full") ? null : "this system has no /dev/full", "that is full is reported", async () => {
    expect(await writeTimeSeriesCsv("/dev/full", source)).toMatchObject({ ok: false, error: { kind: "noSpace" } });
    expect(ownTemporaries()).toEqual([]);
  });

  it("such as a socket is rejected before writing", async () => {
    const path = join(emptyFolder(), "socket");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    expect(await placeProblem(path, "csv")).toMatchObject({ message: expect.stringContaining("a socket") });
    await new Promise((resolve) => server.close(resolve));
  });
});

describe("file names", () => {
  const name = fc
    .tuple(fc.integer({ min: 200, max: 260 }), fc.constantFrom("a", "ü", "東", "🛰"), fc.constantFrom(".csv", ".nc", ""))
    .map(([bytes, letter, ending]) => {
      const letters = Math.floor((bytes - ending.length) / utf8Bytes(letter));
      const rest = bytes - ending.length - letters * utf8Bytes(letter);
      return letter.repeat(letters) + "x".repeat(rest) + ending;
    });

  it("up to the limit of the disk are written with their companions, and longer ones are rejected with a message", async () => {
    const works = fc.asyncProperty(name, async (longName) => {
      const folder = emptyFolder();
      const path = join(folder, longName);
      const sibling = siblingPath(path, "-satellites");
      const names = [path, sidecarPath(path), sibling, sidecarPath(sibling)].map((place) => basename(place));
      const fits = utf8Bytes(longName) <= 255;
      const message = `The name of the file has ${utf8Bytes(longName)} bytes, and this disk takes 255. Choose a shorter name.`;
      const problem = await placeProblem(path, "csv");
      const written = await Promise.all(names.map((place) => writeTimeSeriesCsv(join(folder, place), source)));
      expect(problem?.message).toBe(fits ? undefined : message);
      expect(written.map(({ ok }) => ok)).toEqual([fits, true, true, true]);
      expect(readdirSync(folder).toSorted()).toEqual((fits ? names : names.slice(1)).toSorted());
    });
    await fc.assert(works, { numRuns: gateCases(40) });
  });

  it("of companion files are unique and within the limit, and unchanged if they fit", () => {
    const differ = fc.property(name, name, (a, b) => {
      expect(siblingName(a, "-satellites") === siblingName(b, "-satellites")).toBe(a === b);
      expect(utf8Bytes(siblingName(a, "-satellites", ".json"))).toBeLessThanOrEqual(255);
    });
    fc.assert(differ);
    expect(siblingName("out.nc", "-satellites", ".json")).toBe("out-satellites.nc.json");
  });

  it("in paths that are too long for Windows programs are reported", () => {
    expect(windowsProblem(`C:\\${"a".repeat(257)}`, "win32")).toContain("260 characters");
    expect(windowsProblem(`C:\\${"a".repeat(256)}`, "win32")).toBeNull();
    expect(windowsProblem(`/${"a".repeat(400)}`, "linux")).toBeNull();
  });
});

it("sweepFolder removes files of ended programs and old files of other computers, but none of running programs", async () => {
  const folder = emptyFolder();
  const [here] = ownerMark().split("-");
  const gone = spawn("true");
  await new Promise((resolve) => gone.once("close", resolve));
  const alive = spawn("sleep", ["60"]);
  const swept = [
    temporaryOf(`${here}-${gone.pid}`),
    temporaryOf(`${here}-${gone.pid}`, "part-journal"),
    temporaryOf(`${here}-${gone.pid}`, "old"),
    temporaryOf("00000000-1"),
  ];
  const kept = [
    temporaryOf(`${here}-${alive.pid}`),
    temporaryOf(ownerMark()),
    temporaryOf("11111111-1"),
    ".notes.zenith-part",
    "0123456789abcdef.zenith-part",
  ];
  const longAgo = new Date(Date.now() - 50 * 60_000);
  for (const name of [...swept, ...kept]) {
    if (name.endsWith("old")) mkdirSync(join(folder, name));
    else writeFileSync(join(folder, name), "");
    if (name !== temporaryOf("11111111-1") && name !== swept[0]) utimesSync(join(folder, name), longAgo, longAgo);
  }
  sweepFolder(folder);
  alive.kill();
  expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted());
});

itUnless(
  process.getuid?.() === 0 ? null : "only root can make files of another user",
  "sweepFolder touches nothing that another user made or can exchange",
  () => {
    const folder = emptyFolder();
    const kept = [temporaryOf("00000000-1"), temporaryOf("00000000-2"), temporaryOf("00000000-3", "old")];
    const longAgo = new Date(Date.now() - 50 * 60_000);
    for (const [i, name] of kept.entries()) {
      const path = join(folder, name);
      if (i === 0) writeFileSync(path, "");
      else mkdirSync(path);
      if (i === 1) chmodSync(path, 0o777);
      else chownSync(path, 65_534, 65_534);
      utimesSync(path, longAgo, longAgo);
    }
    sweepFolder(folder);
    expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted());
  },
);
