import { join } from "node:path";
import { openCache } from "#main/store/index.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { ensureBuilt } from "../../scripts/build.ts";
import { catalogueOf, makeDeskFolder } from "../desktop/folders.ts";
import { clickStation } from "../desktop/hands.ts";
import { processorFrames } from "../desktop/processor.ts";
import { type Frame, inWindow, launch, type Window } from "../desktop/window.ts";
import { peer } from "../harness/alternate.ts";
import { measured, pythonPeer } from "../harness/child.ts";
import { benchStations, satelliteJob } from "../harness/data.ts";
import { withFolder } from "../harness/folder.ts";
import { atMost } from "../harness/goals.ts";
import { percentile } from "../harness/statistics.ts";
import { findPlotting } from "../harness/tools.ts";
import type { Bench, Figure, Finding } from "../harness/types.ts";
import { worldRows } from "../harness/worldRows.ts";
import type { ExportFileArguments } from "../measured/exportFile.ts";
import type { SkyArguments, SkyTimes } from "../measured/sky.ts";
import { settled } from "../../test/support/judge.ts";

const STATIONS = 6;
const HOURS = 12;
const DAY_HOURS = 24;
const STEPS = 120;

/** The satellites of a station, from the cache and in a real browser over the real bridge. */
export const sky: Figure = {
  name: "sky",
  about: "the sky plot: a day from the cache, click to drawn, frames while the time moves",
  async *measure(bench) {
    yield* await withFolder(bench.folder, async (folder) => {
      const spec: JobSpec = { ...satelliteJob(1), stationIds: benchStations().slice(0, STATIONS) };
      const cachePath = join(folder, "satellites.db");
      fill(cachePath, spec);
      return [...(await reading(bench, cachePath, spec)), ...(await drawing(bench, cachePath, spec, folder))];
    });
  },
};

function fill(cachePath: string, spec: JobSpec): void {
  const cache = openCache(cachePath);
  cache.replaceCatalogue(catalogueOf(spec.stationIds), [], Date.now());
  for (const stationId of spec.stationIds) {
    const writer = cache.openResponse({ ...spec, stationIds: [stationId] });
    for (const block of worldRows(stationId, spec, 1)) writer.add(block);
    writer.commit(settled(spec.range));
  }
  cache.close();
}

async function reading(bench: Bench, cachePath: string, spec: JobSpec): Promise<Finding[]> {
  const args: SkyArguments = { cachePath, spec, runs: Math.max(bench.scale.runs, 5) };
  const times = await measured<SkyTimes>("sky.ts", args);
  const common = { unit: "ms", better: "less" as const, peer: null, goal: null, note: null };
  const name = "sky: a day of satellites at 30 s, from the cache as numbers";
  return [
    { ...common, name, samples: times.day },
    { ...common, name: `${name}, first look after opening`, samples: times.first },
  ];
}

async function drawing(bench: Bench, cachePath: string, spec: JobSpec, folder: string): Promise<Finding[]> {
  const matplotlib = findPlotting(bench.python);
  const peerMs = "absent" in matplotlib ? [] : await drawnByMatplotlib(bench, matplotlib.path, cachePath, spec, folder);
  const first: number[] = [];
  const frames: Frame[] = [];
  const processor: number[] = [];
  const byTheHour: number[] = [];
  ensureBuilt();
  const browser = await launch();
  try {
    for (let run = 0; run < bench.scale.runs; run++) {
      bench.say(`sky: ${run + 1} of ${bench.scale.runs} …`);
      const stations = catalogueOf(spec.stationIds);
      const { range } = spec;
      const desk = makeDeskFolder(join(folder, `desk-${run}`), { from: cachePath, stations, chosen: [], range });
      await inWindow(browser, desk.path, 0, async (window) => {
        first.push(...(await clicks(window)));
        frames.push(...(await window.frames(() => moveTime(window))));
        processor.push(...(await processorFrames(browser, window.page, () => moveTime(window))));
        await choose(window, "Tracks of 24 h");
        byTheHour.push(...(await processorFrames(browser, window.page, () => moveByTheHour(window))));
      });
    }
  } finally {
    await browser.close();
  }
  const work = frames.map((f) => f.work);
  const between = frames.map((f) => f.ms);
  const moved = "sky: the time slider moved, work per frame p95";
  return [
    {
      name: "sky: click to the sky plot of a cached day at 30 s drawn",
      unit: "ms",
      better: "less",
      samples: first,
      peer: peer("matplotlib from NetCDF", matplotlib, peerMs),
      goal: atMost(100, "ms"),
      note: "real browser, real core over the WebSocket; reading the day, tracks of 2 h and all marks; rasterization included",
    },
    {
      name: moved,
      unit: "ms",
      better: "less",
      samples: [percentile(work, 0.95)],
      peer: null,
      goal: atMost(16, "ms"),
      note: `${frames.length} frames of real keys, median ${percentile(work, 0.5).toFixed(1)} ms; from frame to frame median ${percentile(between, 0.5).toFixed(1)} ms`,
    },
    {
      name: `${moved}, of the processor alone`,
      unit: "ms",
      better: "less",
      samples: [percentile(processor, 0.95)],
      peer: null,
      goal: atMost(16, "ms"),
      note: `without what other programs took meanwhile; ${processor.length} frames, median ${percentile(processor, 0.5).toFixed(1)} ms`,
    },
    {
      name: `${moved}, by the hour with tracks of 24 h, of the processor alone`,
      unit: "ms",
      better: "less",
      samples: [percentile(byTheHour, 0.95)],
      peer: null,
      goal: atMost(16, "ms"),
      note: `${byTheHour.length} frames, median ${percentile(byTheHour, 0.5).toFixed(1)} ms`,
    },
  ];
}

/** The code is compiled on stations that are not measured. */
async function clicks(window: Window): Promise<number[]> {
  await window.page.getByRole("tab", { name: "Satellites" }).click();
  const all: number[] = [];
  for (let i = 0; i < STATIONS; i++) all.push(await window.clickToDrawn(1, () => clickStation(window.page, i)));
  return all.slice(STATIONS / 2);
}

/** Moves from the beginning of the day by hours, then by epochs. */
async function moveTime({ page }: Window): Promise<void> {
  await page.getByRole("slider", { name: "Moment of the sky plot" }).focus();
  await page.keyboard.press("Home");
  for (let step = 0; step < STEPS; step++) await page.keyboard.press(step < HOURS ? "PageUp" : "ArrowRight");
}

async function choose({ page }: Window, tracks: string): Promise<void> {
  await page.getByRole("button", { name: /Tracks of/ }).click();
  await page.getByRole("option", { name: tracks }).click();
}

/** Moves from the end of the day, where the tracks are longest, to its beginning and back. */
async function moveByTheHour({ page }: Window): Promise<void> {
  await page.getByRole("slider", { name: "Moment of the sky plot" }).focus();
  await page.keyboard.press("End");
  for (let step = 0; step < DAY_HOURS; step++) await page.keyboard.press("PageDown");
  for (let step = 0; step < DAY_HOURS; step++) await page.keyboard.press("PageUp");
}

async function drawnByMatplotlib(
  bench: Bench,
  python: string,
  cachePath: string,
  spec: JobSpec,
  folder: string,
): Promise<readonly number[]> {
  const path = join(folder, "satellites.nc");
  const one = { ...spec, stationIds: spec.stationIds.slice(0, 1) };
  const args: ExportFileArguments = { folder, cachePath, spec: one, format: "netcdf3", keepAs: path };
  await measured("exportFile.ts", args);
  const runs = Math.max(3, bench.scale.runs);
  const { seconds } = await pythonPeer<{ readonly seconds: readonly number[] }>(python, "draw_sky.py", { path, runs });
  return seconds.map((s) => s * 1_000);
}
