import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { JobSpec } from "#shared/job/job.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { ensureBuilt } from "../../scripts/build.ts";
import { catalogueOf, makeDeskFolder } from "../desktop/folders.ts";
import { clickStation } from "../desktop/hands.ts";
import { inWindow, launch } from "../desktop/window.ts";
import { measured } from "../harness/child.ts";
import { scalarJob } from "../harness/data.ts";
import { exponentOf } from "../harness/exponent.ts";
import { withFolder } from "../harness/folder.ts";
import { atMost } from "../harness/goals.ts";
import { median, percentile } from "../harness/statistics.ts";
import type { Bench, Figure, Finding, Goal, Peer } from "../harness/types.ts";
import type { ExportFileArguments, Exported } from "../measured/exportFile.ts";
import type { FillManyArguments } from "../measured/fillMany.ts";
import type { ManyStationsArguments, ManyStationsTimes } from "../measured/manyStations.ts";
import type { RowTablesArguments, RowTablesTimes } from "../measured/rowTables.ts";

const STATION_YEARS = [10, 100, 500];
/** Tables with a row per epoch take a hundred times as much space: 500 station-years would take 20 GB. */
const MOST_OF_PEERS = 100;
const CATALOGUES = [100, 1_000, 5_000];
const COLUMNS = 2_000;
const WINDOW_MB = 300;
const CORE_MB = 400;
/** The factor by which a query of one station may become slower from 10 station-years to 500. */
const SAME = 1.2;

/** The samples at one size. */
interface Measured {
  readonly size: number;
  readonly samples: readonly number[];
  readonly peer?: Peer;
}

export const scale: Figure = {
  name: "scale",
  about: `caches of ${STATION_YEARS.join(", ")} station-years, catalogues of ${CATALOGUES.join(", ")} stations`,
  async *measure(bench) {
    ensureBuilt();
    const browser = await launch();
    try {
      yield* await withFolder(bench.folder, (folder) => stationYears(bench, browser, folder));
      yield* await withFolder(bench.folder, (folder) => catalogues(bench, browser, folder));
    } finally {
      await browser.close();
    }
  },
};

interface AtSize {
  readonly stations: number;
  readonly bytes: number;
  readonly core: ManyStationsTimes;
  readonly month: Exported;
  readonly window: InWindow;
  readonly sqlite: RowTablesTimes | null;
  readonly duckdb: RowTablesTimes | null;
}

async function stationYears(bench: Bench, browser: Browser, folder: string): Promise<Finding[]> {
  const sizes = bench.scale.isQuick ? STATION_YEARS.map((n) => n / 2) : STATION_YEARS;
  const spec = scalarJob(10, bench.scale.yearDays);
  const stationIds = Array.from({ length: Math.max(...sizes) }, (_, i) => `station-${i}`);
  const cachePath = join(folder, "many.db");
  const found: AtSize[] = [];
  let first = 0;
  for (const stations of sizes) {
    bench.say(`scale: filling a cache to ${stations} station-years …`);
    const ids = stationIds.slice(0, stations);
    const fill: FillManyArguments = { cachePath, spec, stationIds: ids, first };
    const { bytes } = await measured<{ readonly bytes: number }>("fillMany.ts", fill);
    first = stations;
    bench.say(`scale: measuring ${stations} station-years …`);
    found.push(await atSize(bench, browser, { folder, cachePath, spec: { ...spec, stationIds: ids }, bytes }));
  }
  return findingsOf(found);
}

interface FilledCache {
  readonly folder: string;
  readonly cachePath: string;
  readonly spec: JobSpec;
  readonly bytes: number;
}

async function atSize(
  bench: Bench,
  browser: Browser,
  { folder, cachePath, spec, bytes }: FilledCache,
): Promise<AtSize> {
  const stations = spec.stationIds.length;
  const { runs } = bench.scale;
  const args: ManyStationsArguments = { cachePath, spec, columns: COLUMNS, runs };
  const core = await measured<ManyStationsTimes>("manyStations.ts", args);
  const { startMs } = spec.range;
  const month = { ...spec, range: { startMs, endMs: startMs + Math.min(31, bench.scale.yearDays) * DAY_MS } };
  const exporting: ExportFileArguments = { folder, cachePath, spec: month, format: "netcdf", keepAs: null };
  const peers = async (engine: RowTablesArguments["engine"]): Promise<RowTablesTimes | null> => {
    if (stations > MOST_OF_PEERS) return null;
    bench.say(`scale: the same in ${engine} …`);
    return withFolder(folder, (own) => {
      const table: RowTablesArguments = {
        engine,
        path: join(own, "rows.db"),
        spec: scalarJob(10, bench.scale.yearDays),
        stations,
        columns: COLUMNS,
        runs,
      };
      return measured<RowTablesTimes>("rowTables.ts", table);
    });
  };
  return {
    stations,
    bytes,
    core,
    month: await measured<Exported>("exportFile.ts", exporting),
    window: await withFolder(folder, (own) => inOneWindow(browser, own, spec, cachePath)),
    sqlite: await peers("sqlite"),
    duckdb: await peers("duckdb"),
  };
}

interface InWindow {
  readonly startMs: number;
  readonly clickMs: readonly number[];
  readonly heapMb: number;
  readonly coreMb: number;
}

const DRAWN_AT_START = 3;
const CLICKS = 4;

async function inOneWindow(browser: Browser, folder: string, spec: JobSpec, from: string): Promise<InWindow> {
  const { stationIds, range } = spec;
  const stations = catalogueOf(stationIds);
  const busy = makeDeskFolder(join(folder, "drawn"), {
    from,
    stations,
    chosen: stationIds.slice(0, DRAWN_AT_START),
    range,
  });
  const startMs = await inWindow(browser, busy.path, DRAWN_AT_START, async (window) => window.coldMs);
  const idle = makeDeskFolder(join(folder, "clicked"), { from, stations, chosen: [], range });
  return inWindow(browser, idle.path, 0, async (window) => {
    const clickMs: number[] = [];
    // This core has not read these stations yet.
    for (let i = 0; i < CLICKS; i++) clickMs.push(await window.clickToDrawn(1, () => clickStation(window.page, i)));
    return { startMs, clickMs, heapMb: (await window.mostHeapBytes()) / 1e6, coreMb: window.corePeakMb() };
  });
}

function findingsOf(found: readonly AtSize[]): Finding[] {
  const rows = (of: (at: AtSize) => readonly number[], peers?: (of: RowTablesTimes) => readonly number[]): Measured[] =>
    found.map((at) => ({ size: at.stations, samples: of(at), ...peersOf(at, peers) }));
  return [
    ...curve(
      "one station-year drawn from the cache",
      "ms",
      rows(
        (at) => at.core.draw,
        (of) => of.draw,
      ),
      "same",
    ),
    ...curve(
      "one variable of a station-year read",
      "ms",
      rows((at) => at.core.read),
      "same",
    ),
    ...curve(
      "gaps of one station-year",
      "ms",
      rows((at) => at.core.gapsOfOne),
      "same",
    ),
    ...curve(
      "window: click to a station-year drawn",
      "ms",
      rows((at) => at.window.clickMs),
      "same",
    ),
    ...curve(
      "window: start to 3 station-years drawn",
      "ms",
      rows((at) => [at.window.startMs]),
      null,
    ),
    ...curve(
      "availability of all",
      "ms",
      rows(
        (at) => at.core.availability,
        (of) => of.availability,
      ),
      "linear",
    ),
    ...curve(
      "snapshot of all",
      "ms",
      rows(
        (at) => at.core.snapshot,
        (of) => of.snapshot,
      ),
      "linear",
    ),
    ...curve(
      "gaps of all",
      "ms",
      rows((at) => at.core.gapsOfAll),
      "linear",
    ),
    ...curve(
      "a month of all to NetCDF-4",
      "s",
      rows((at) => at.month.seconds),
      "linear",
    ),
    ...curve(
      "memory of that export",
      "MB",
      rows((at) => [at.month.peakMb]),
      atMost(CORE_MB, "MB"),
    ),
    ...curve(
      "memory of reading all that",
      "MB",
      rows((at) => [at.core.peakMb]),
      atMost(CORE_MB, "MB"),
    ),
    ...curve(
      "JavaScript memory of the window",
      "MB",
      rows((at) => [at.window.heapMb]),
      atMost(WINDOW_MB, "MB"),
    ),
    ...curve(
      "memory of the window's core and shell",
      "MB",
      rows((at) => [at.window.coreMb]),
      atMost(CORE_MB, "MB"),
    ),
    ...curve(
      "size of the file",
      "MB",
      rows(
        (at) => [at.bytes / 1e6],
        (of) => [of.bytes / 1e6],
      ),
      "linear",
    ),
  ];
}

function peersOf(at: AtSize, of?: (times: RowTablesTimes) => readonly number[]): { readonly peer?: Peer } {
  // The faster of the two.
  const all = [
    { name: "SQLite, a row per epoch", times: at.sqlite },
    { name: "DuckDB, a row per epoch", times: at.duckdb },
  ].flatMap(({ name, times }) => (of && times ? [{ name, samples: of(times) }] : []));
  const [best] = all.toSorted((a, b) => median(a.samples) - median(b.samples));
  return best ? { peer: best } : {};
}

/**
 * Returns a finding for each size. Constant values are compared with the smallest size, growing ones with a line.
 *
 * @param goal "same": at the largest size at most 1.2 times the smallest; "linear": at most in proportion to the size;
 *   a bound for each size; or null
 */
function curve(name: string, unit: string, all: readonly Measured[], goal: "same" | "linear" | Goal | null): Finding[] {
  const [smallest, largest] = [all[0]!, all.at(-1)!];
  const exponent = exponentOf(all.map(({ size, samples }) => [size, median(samples)]));
  const times = median(largest.samples) / median(smallest.samples);
  const most = goal === "same" ? SAME : largest.size / smallest.size;
  const ofWhole: Goal = { text: `≤ ${most} × the smallest`, reached: () => times <= most };
  const note = `exponent ${exponent.toFixed(2)}, ${times.toFixed(2)} × from ${smallest.size} to ${largest.size}`;
  return all.map(({ size, samples, peer = null }) => ({
    name: `scale: ${name}, ${size}`,
    unit,
    better: "less",
    samples,
    peer,
    goal: goal === null || typeof goal === "object" ? goal : size === largest.size ? ofWhole : null,
    note: size === largest.size ? note : null,
  }));
}

const KEYS = [..."kalli 12", ...Array<string>(8).fill("Backspace")];

async function catalogues(bench: Bench, browser: Browser, folder: string): Promise<Finding[]> {
  const sizes = bench.scale.isQuick ? CATALOGUES.map((n) => n / 5) : CATALOGUES;
  const { range } = scalarJob(1, 7);
  const starts: Measured[] = [];
  const keys: Measured[] = [];
  const heaps: Measured[] = [];
  for (const size of sizes) {
    bench.say(`scale: a catalogue of ${size} stations …`);
    const ids = Array.from({ length: size }, (_, i) => `station-${i}`);
    const path = join(folder, String(size));
    const desk = makeDeskFolder(path, { from: null, stations: catalogueOf(ids), chosen: [], range });
    await inWindow(browser, desk.path, 0, async (window) => {
      const work: number[] = [];
      await window.page.getByLabel("Find a station").click();
      for (const key of KEYS) {
        const frames = await window.frames(async () => {
          await window.page.keyboard.press(key);
          await window.page.waitForTimeout(60);
        });
        work.push(Math.max(0, ...frames.map((frame) => frame.work)));
      }
      starts.push({ size, samples: [window.coldMs] });
      keys.push({ size, samples: [percentile(work, 0.95)] });
      heaps.push({ size, samples: [(await window.mostHeapBytes()) / 1e6] });
    });
  }
  return [
    ...curve("window: start to the list of stations", "ms", starts, "linear"),
    ...curve("list of stations, work per key p95", "ms", keys, atMost(16, "ms")),
    ...curve("JavaScript memory with that catalogue", "MB", heaps, atMost(WINDOW_MB, "MB")),
  ];
}
