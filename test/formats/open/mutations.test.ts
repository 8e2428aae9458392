import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCost } from "#formats/cost/index.ts";
import { writeTimeSeriesCsv } from "#formats/csv/index.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { writeParquetFile } from "#formats/parquet/index.ts";
import { writeSinexTro } from "#formats/sinex/index.ts";
import { writeTimeSeriesXlsx } from "#formats/xlsx/index.ts";
import { openForeign } from "#main/app/files/foreign.ts";
import { FileReader } from "#main/app/files/guest/reader.ts";
import { startGuest } from "#main/app/files/guest/start.ts";
import { writePlainSqlite } from "#main/export/sqlite.ts";
import type { Variable } from "#shared/service/variables.ts";
import { gateCases, tries } from "../../support/endurance.ts";
import { regularRows, sourceOf, station } from "../sources.ts";
import { mustSucceed, scratchFolder } from "../tools.ts";

type NetcdfOptions = NonNullable<Parameters<typeof writeTimeSeriesNetcdf>[2]>;

// Changed, cut and swapped bytes of every format: a message or a file, within the limits of the process that reads it; and
// where the format has checksums, never other values without a word.

const folder = scratchFolder();
const source = (intervalSeconds: number | null = null) =>
  sourceOf({
    stations: [station(0), station(1)],
    variables: ["ztd", "pwv"] as Variable[],
    rows: [regularRows(300, 0), regularRows(200, 50)],
    ...(intervalSeconds === null ? {} : { intervalSeconds }),
  });
const netcdf = (options: NetcdfOptions) => async (path: string) =>
  mustSucceed(await writeTimeSeriesNetcdf(path, source(), options));

/** Formats whose content is compared with checksums as a whole. */
const WRITERS: readonly (readonly [name: string, isChecked: boolean, write: (path: string) => Promise<unknown>])[] = [
  ["a.csv", false, async (path) => mustSucceed(await writeTimeSeriesCsv(path, source()))],
  ["a.tro", false, async (path) => mustSucceed(await writeSinexTro(path, source()))],
  ["a.dat", false, async (path) => mustSucceed(await writeCost(path, source(60)))],
  ["ragged.nc", true, netcdf({ container: "netcdf4", layout: "ragged" })],
  ["grid.nc", true, netcdf({ container: "netcdf4", layout: "grid" })],
  ["ragged3.nc", false, netcdf({ container: "netcdf3", layout: "ragged" })],
  ["grid3.nc", false, netcdf({ container: "netcdf3", layout: "grid" })],
  [
    "a.sqlite",
    false,
    async (path) => mustSucceed(await writePlainSqlite(path, { series: source(), satellites: null }, {})),
  ],
  ["a.parquet", true, async (path) => mustSucceed(await writeParquetFile(path, source()))],
  ["a.xlsx", true, async (path) => mustSucceed(await writeTimeSeriesXlsx(path, source(), {}))],
  [
    "a.csv.gz",
    true,
    async (path) => {
      mustSucceed(await writeTimeSeriesCsv(`${path}.csv`, source()));
      writeFileSync(path, gzipSync(readFileSync(`${path}.csv`)));
    },
  ],
];

/** Where a change of a NetCDF-4 file may be silent: HDF5 has no checksums of the indices of chunks, and of its heap. */
function uncheckedIn(name: string, bytes: Buffer): (start: number, end: number) => boolean {
  if (!/[a-z]\.nc$/.test(name)) return () => false;
  const text = bytes.toString("latin1");
  const parts = [...text.matchAll(/TREE|GCOL/g)].map(({ 0: word, index: start }) => {
    // A heap states its size; a node of the index has 64 children, with keys of 24 bytes and 8 for each axis.
    const size = word === "GCOL" ? bytes.readUInt32LE(start + 8) : 24 + 65 * 32 + 64 * 8;
    return { start, end: start + size };
  });
  return (start, end) => parts.some((part) => start < part.end && end > part.start);
}

const lost: string[] = [];
let guestPid: string | null = null;
const reader = new FileReader({
  onLost: (id) => void lost.push(id),
  scratchFolder: () => folder,
  start(listener) {
    guestPid = null;
    return startGuest(listener);
  },
});
afterAll(() => reader.end());

interface Shown {
  /** Of a file that is not opened. */
  readonly message: string | null;
  /** By series: its rows, or the message instead of them. */
  readonly series: ReadonlyMap<string, { readonly rows: string } | { readonly message: string }>;
  readonly notes: readonly string[];
}

/** All that is shown of a file, as a guest reads it. */
async function shown(path: string): Promise<Shown> {
  const opened = await openForeign(reader, path, { signal: AbortSignal.timeout(60_000) });
  if (!opened.ok) return { message: opened.error.message, series: new Map(), notes: [] };
  const { series, notes, rows, close } = opened.value;
  const found = new Map<string, { readonly rows: string } | { readonly message: string }>();
  for (const { id, ...about } of series) {
    const own = await rows(id);
    found.set(
      JSON.stringify([about.label, about.quantity, about.position, about.cell]),
      own.ok ? { rows: `${own.value.timesMs.join()} ${own.value.values.join()}` } : own.error,
    );
  }
  close();
  return { message: null, series: found, notes };
}

/** Whether a change is told: by a message instead of the file, of rows, or by a note on an absent series; or shows the same. */
function isTold(before: Shown, { message, series, notes }: Shown): boolean {
  if (message !== null) return true;
  const same = [...before.series].every(([about, own]) => {
    const now = series.get(about);
    return now === undefined ? notes.length > before.notes.length : "message" in now || isDeepStrictEqual(now, own);
  });
  return same && [...series.keys()].every((about) => before.series.has(about));
}

/** The most memory that the process which reads files has used so far, MB; 0 where the system does not tell. */
function mostMemoryMb(): number {
  if (process.platform !== "linux") return 0;
  guestPid ??= readdirSync("/proc").find(isGuest) ?? null;
  const status = guestPid === null ? "" : readFileSync(`/proc/${guestPid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
}

function isGuest(pid: string): boolean {
  try {
    const isChild = readFileSync(`/proc/${pid}/status`, "utf8").includes(`\nPPid:\t${process.pid}\n`);
    return isChild && /guest(.main\.ts|\.js)/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  } catch {
    // Not a process, or one that has ended.
    return false;
  }
}

describe.each(WRITERS)("%s", (name, isChecked, write) => {
  let bytes = Buffer.alloc(0);
  let before: Shown;

  beforeAll(async () => {
    const path = join(folder, name);
    await write(path);
    bytes = readFileSync(path);
    before = await shown(path);
  });

  it("is shown as it is", () => {
    expect(before.message).toBeNull();
    expect(before.series.size).toBeGreaterThanOrEqual(4);
  });

  it("is shown or rejected with a message, within 10 s and 512 MB, however it is changed", async () => {
    const place = fc.nat();
    const change = fc.oneof(
      fc.record({ kind: fc.constant("bit" as const), at: place, bit: fc.nat(7) }),
      fc.record({ kind: fc.constant("byte" as const), at: place, value: fc.nat(255) }),
      fc.record({ kind: fc.constant("cut" as const), at: place }),
      fc.record({ kind: fc.constant("zeros" as const), at: place }),
    );
    const isUnchecked = uncheckedIn(name, bytes);
    const path = join(folder, `changed-${name}`);
    await fc.assert(
      fc.asyncProperty(change, async (each) => {
        const copy = Buffer.from(bytes);
        const at = each.at % bytes.length;
        const end = each.kind === "zeros" ? Math.min(copy.length, at + 512) : at + 1;
        if (each.kind === "bit") copy[at]! ^= 1 << each.bit;
        else if (each.kind === "byte") copy[at] = each.value;
        else if (each.kind === "zeros") copy.fill(0, at, end);
        writeFileSync(path, each.kind === "cut" ? copy.subarray(0, at) : copy);
        const after = await shown(path);
        const messages = [after, ...after.series.values()].flatMap((each) =>
          "message" in each ? (each.message ?? []) : [],
        );
        for (const message of messages) expect(message).toMatch(/^.{20,}[.”]( Write .*)?$/s);
        // The process that read it was not ended because of its time, its memory or a crash.
        expect([lost, messages.filter((message) => / was (not opened|closed): /.test(message))]).toEqual([[], []]);
        expect(mostMemoryMb()).toBeLessThan(512);
        // Of what has no checksum, other values may be shown.
        expect(!isChecked || isUnchecked(at, end) || isTold(before, after)).toBe(true);
      }),
      // This byte hid the last rows of the Parquet file, and who had written it.
      { numRuns: tries(gateCases(12), 375), examples: [[{ kind: "byte", at: 6_451, value: 236 }]] },
    );
  });
});
