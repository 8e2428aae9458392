import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openCache } from "#main/store/index.ts";
import { ensureBuilt } from "../../scripts/build.ts";
import { catalogueOf, fillLarge, makeDeskFolder } from "../desktop/folders.ts";
import { clearSelection, clickStation, pan, zoom } from "../desktop/hands.ts";
import { measurePeer, type PeerArrays } from "../peerPage/index.ts";
import { type Frame, inWindow, launch } from "../desktop/window.ts";
import { peer } from "../harness/alternate.ts";
import { measured, pythonPeer } from "../harness/child.ts";
import { benchStations, scalarJob } from "../harness/data.ts";
import { filledCache } from "../harness/filled.ts";
import { withFolder } from "../harness/folder.ts";
import { atMost, timesPeer } from "../harness/goals.ts";
import { findPlotting } from "../harness/tools.ts";
import { percentile } from "../harness/statistics.ts";
import { type Bench, type Figure, type Finding, PRECISIONS, type Tool } from "../harness/types.ts";
import type { ExportFileArguments } from "../measured/exportFile.ts";

const STEP_MS = 30_000;
const PEER_FRAMES = 24;
const LARGE_BYTES = 1e9;
const CATALOGUE = 10_000;
const HEAP_MB = 300;
const IN_SIGHT = "real browser, real core over the WebSocket, ZTD ± σ and PWV panels; rasterization included";

/** The window itself, in a real browser over the real bridge, driven by real input. */
export const desktop: Figure = {
  name: "desktop",
  about: "the window: click to lines, pan and zoom, list of stations, cold start",
  async *measure(bench) {
    ensureBuilt();
    const browser = await launch();
    try {
      yield* await withFolder(bench.folder, (folder) => drawing(bench, browser, folder));
      yield* await withFolder(bench.folder, (folder) => typing(bench, browser, folder));
      yield* await withFolder(bench.folder, (folder) => coldStart(bench, browser, folder));
    } finally {
      await browser.close();
    }
  },
};

async function drawing(bench: Bench, browser: Browser, folder: string): Promise<Finding[]> {
  const precision = PRECISIONS[0]!;
  const { path: cachePath } = await filledCache(bench, precision);
  const { stationIds, range } = scalarJob(10, bench.scale.yearDays);
  const stations = catalogueOf(stationIds);
  const arrays = readArrays(cachePath, stationIds.slice(0, 3), bench.scale.yearDays);
  const one: PeerArrays = { ...arrays, stations: arrays.stations.slice(0, 1) };
  const matplotlib = await drawnByMatplotlib(bench, cachePath, folder);
  const samples = {
    one: [] as number[],
    ten: [] as number[],
    three: [] as Frame[],
    tenFrames: [] as Frame[],
    heapMb: [] as number[],
    uplotFirst: [] as number[],
    echartsFirst: [] as number[],
    uplotFrames: [] as number[],
    echartsFrames: [] as number[],
  };
  for (let run = 0; run < bench.scale.runs; run++) {
    bench.say(`desktop: drawing, ${run + 1} of ${bench.scale.runs} …`);
    const desk = makeDeskFolder(join(folder, `desk-${run}`), { from: cachePath, stations, chosen: [], range });
    await inWindow(browser, desk.path, 0, async (window) => {
      const { page } = window;
      // Stations that this core has not read yet, one after the other.
      for (let i = 0; i < 4; i++) samples.one.push(await window.clickToDrawn(1, () => clickStation(page, i)));
      await clickStation(page, 0);
      samples.ten.push(await window.clickToDrawn(10, () => clickStation(page, 9, true)));
      await page.waitForTimeout(1_500);
      for (const hand of [pan, zoom]) samples.tenFrames.push(...(await window.frames(() => hand(page))));
      await clearSelection(page);
      await clickStation(page, 0);
      await window.clickToDrawn(3, () => clickStation(page, 2, true));
      await page.waitForTimeout(1_500);
      for (const hand of [pan, zoom]) samples.three.push(...(await window.frames(() => hand(page))));
      samples.heapMb.push((await window.mostHeapBytes()) / 1e6);
    });
    for (const name of ["uplot", "echarts"] as const) {
      const first = await measurePeer(browser, name, one, 1);
      const moving = await measurePeer(browser, name, arrays, PEER_FRAMES);
      samples[`${name}First`].push(first.firstMs);
      samples[`${name}Frames`].push(...moving.frames);
    }
  }
  const year = "desktop: click to a cached station-year drawn";
  const three = "desktop: pan and zoom, 3 station-years, work per frame p95";
  return [
    drawn(year, samples.one, null, atMost(50, "ms")),
    drawn(
      year,
      samples.one,
      peer("matplotlib, the same picture", matplotlib.tool, matplotlib.samePictureMs),
      timesPeer(8),
    ),
    drawn(year, samples.one, peer("matplotlib, the line of ZTD alone", matplotlib.tool, matplotlib.oneLineMs), null),
    drawn(year, samples.one, has("plain uPlot, arrays in the page", samples.uplotFirst), null),
    drawn(year, samples.one, has("ECharts, arrays in the page", samples.echartsFirst), null),
    drawn("desktop: click to 10 station-years drawn", samples.ten, null, atMost(200, "ms")),
    moved(three, samples.three, has("plain uPlot, all points", p95(samples.uplotFrames)), atMost(8, "ms")),
    moved(three, samples.three, has("ECharts, sampled", p95(samples.echartsFrames)), null),
    moved("desktop: pan and zoom, 10 station-years, work per frame p95", samples.tenFrames, null, atMost(16, "ms")),
    {
      name: "desktop: most JavaScript memory of the page in all of it",
      unit: "MB",
      better: "less",
      samples: samples.heapMb,
      peer: null,
      goal: atMost(HEAP_MB, "MB"),
      note: null,
    },
  ];
}

/** A finding of one sample: the 95th percentile. */
function p95(samples: readonly number[]): number[] {
  return [percentile(samples, 0.95)];
}

function has(name: string, samples: readonly number[]): Finding["peer"] {
  return { name, samples };
}

function drawn(name: string, samples: readonly number[], peer: Finding["peer"], goal: Finding["goal"]): Finding {
  const note = `${name}: ${IN_SIGHT}; p95 ${percentile(samples, 0.95).toFixed(0)} ms`;
  return { name, unit: "ms", better: "less", samples, peer, goal, note };
}

function moved(name: string, frames: readonly Frame[], peer: Finding["peer"], goal: Finding["goal"]): Finding {
  const work = frames.map((f) => f.work);
  const between = frames.map((f) => f.ms);
  const note = `${name}: ${frames.length} frames of real input, median ${percentile(work, 0.5).toFixed(1)} ms; from frame to frame p95 ${percentile(between, 0.95).toFixed(1)} ms`;
  return { name, unit: "ms", better: "less", samples: p95(work), peer, goal, note };
}

async function typing(bench: Bench, browser: Browser, folder: string): Promise<Finding[]> {
  const ids = Array.from({ length: CATALOGUE }, (_, i) => `station-${i}`);
  const { range } = scalarJob(1, 7);
  const desk = makeDeskFolder(folder, { from: null, stations: catalogueOf(ids), chosen: [], range });
  const keys: number[] = [];
  await inWindow(browser, desk.path, 0, async (window) => {
    const { page } = window;
    await page.getByLabel("Find a station").click();
    for (let run = 0; run < bench.scale.runs; run++) {
      for (const key of [..."kalli 12", ...Array<string>(8).fill("Backspace")]) {
        const frames = await window.frames(async () => {
          await page.keyboard.press(key);
          await page.waitForTimeout(60);
        });
        keys.push(Math.max(0, ...frames.map((f) => f.work)));
      }
    }
  });
  return [
    {
      name: "desktop: list of 10,000 stations, work per key p95",
      unit: "ms",
      better: "less",
      samples: [percentile(keys, 0.95)],
      peer: null,
      goal: atMost(16, "ms"),
      note: `list of 10,000 stations: ${keys.length} keys, median ${percentile(keys, 0.5).toFixed(1)} ms`,
    },
  ];
}

async function coldStart(bench: Bench, browser: Browser, folder: string): Promise<Finding[]> {
  const bytes = bench.scale.isQuick ? LARGE_BYTES / 20 : LARGE_BYTES;
  bench.say("desktop: filling a large cache …");
  const { range } = scalarJob(1, bench.scale.yearDays);
  const large = join(folder, "large.db");
  const ids = fillLarge(large, benchStations()[0]!, range, bytes);
  const chosen = ids.slice(0, 3);
  const desk = makeDeskFolder(join(folder, "desk"), { from: large, stations: catalogueOf(ids), chosen, range });
  const starts: number[] = [];
  for (let run = 0; run < bench.scale.runs; run++) {
    starts.push(await inWindow(browser, desk.path, chosen.length, async (window) => window.coldMs));
  }
  const size = `${(desk.cacheBytes / 1e9).toFixed(2)} GB`;
  return [
    {
      name: `desktop: cold start to usable, cache of ${size}`,
      unit: "ms",
      better: "less",
      samples: starts,
      peer: null,
      goal: atMost(1_500, "ms"),
      note: "cold start: from the start of the shell's process to three station-years drawn in a tab of a browser's open window",
    },
  ];
}

/** ZTD of the stations on their common grid. */
function readArrays(cachePath: string, stationIds: readonly string[], days: number): PeerArrays {
  const { range } = scalarJob(1, days);
  const n = (range.endMs - range.startMs) / STEP_MS;
  const cache = openCache(cachePath);
  const stations = stationIds.map((stationId) => {
    const values = new Float64Array(n).fill(Number.NaN);
    const rows = cache.rows({ stationId, variables: ["ztd"], range, intervalSeconds: null, raw: false });
    const ztd = rows.columns.ztd;
    rows.timesMs.forEach((timeMs, i) => {
      if (ztd?.kind === "scalar") values[Math.round((timeMs - range.startMs) / STEP_MS)] = ztd.values[i]!;
    });
    return values;
  });
  cache.close();
  return { timesMs: Float64Array.from({ length: n }, (_, i) => range.startMs + i * STEP_MS), stations };
}

interface Drawn {
  readonly tool: Tool;
  readonly samePictureMs: readonly number[];
  readonly oneLineMs: readonly number[];
}

async function drawnByMatplotlib(bench: Bench, cachePath: string, folder: string): Promise<Drawn> {
  const tool = findPlotting(bench.python);
  if ("absent" in tool) return { tool, samePictureMs: [], oneLineMs: [] };
  const path = join(folder, "series.nc");
  const args: ExportFileArguments = {
    folder,
    cachePath,
    spec: scalarJob(1, bench.scale.yearDays),
    format: "netcdf",
    keepAs: path,
  };
  await measured("exportFile.ts", args);
  const seconds = await pythonPeer<{ readonly samePicture: readonly number[]; readonly oneLine: readonly number[] }>(
    tool.path,
    "draw_series.py",
    { path, runs: Math.max(3, bench.scale.runs) },
  );
  return { tool, samePictureMs: inMs(seconds.samePicture), oneLineMs: inMs(seconds.oneLine) };
}

function inMs(seconds: readonly number[]): number[] {
  return seconds.map((s) => s * 1_000);
}
