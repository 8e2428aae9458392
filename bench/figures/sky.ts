import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openCache } from "#main/store/index.ts";
import { ensureBuilt } from "../../scripts/build.ts";
import { catalogueOf, makeDeskFolder } from "../desktop/folders.ts";
import { clickStation } from "../desktop/hands.ts";
import { type Frame, inWindow, launch } from "../desktop/window.ts";
import { benchStations, satelliteJob } from "../harness/data.ts";
import { withFolder } from "../harness/folder.ts";
import { atMost } from "../harness/goals.ts";
import { percentile } from "../harness/statistics.ts";
import type { Bench, Figure, Finding } from "../harness/types.ts";
import { worldRows } from "../harness/worldRows.ts";

const STATIONS = 6;
const STEPS = 120;
const HOUR_STEPS = 12;

/** The view of satellites in a real browser over the real bridge. */
export const sky: Figure = {
  name: "sky",
  about: "the sky plot: click to a day drawn, frames while the time moves",
  async *measure(bench) {
    ensureBuilt();
    const browser = await launch();
    try {
      yield* await withFolder(bench.folder, (folder) => drawing(bench, browser, folder));
    } finally {
      await browser.close();
    }
  },
};

async function drawing(bench: Bench, browser: Browser, folder: string): Promise<Finding[]> {
  const stationIds = benchStations().slice(0, STATIONS);
  const { range, variables } = satelliteJob(1);
  const cachePath = join(folder, "satellites.db");
  const cache = openCache(cachePath);
  for (const stationId of stationIds) {
    const answer = cache.openAnswer({
      stationIds: [stationId],
      variables,
      range,
      intervalSeconds: null,
      raw: false,
    });
    for (const block of worldRows(stationId, { range, variables }, 1)) answer.add(block);
    answer.commit({ fetchedAtMs: Date.now(), finalUntilMs: () => range.endMs });
  }
  cache.close();
  const first: number[] = [];
  const frames: Frame[] = [];
  for (let run = 0; run < bench.scale.runs; run++) {
    bench.say(`sky: ${run + 1} of ${bench.scale.runs} …`);
    const desk = makeDeskFolder(join(folder, `desk-${run}`), {
      from: cachePath,
      stations: catalogueOf(stationIds),
      chosen: [],
      range,
    });
    await inWindow(browser, desk.path, 0, async (window) => {
      const { page } = window;
      await page.getByRole("tab", { name: "Satellites" }).click();
      // The code is compiled on stations that are not measured.
      for (let i = 0; i < STATIONS; i++) {
        const ms = await window.clickToDrawn(1, () => clickStation(page, i));
        if (i >= STATIONS / 2) first.push(ms);
      }
      await page.waitForTimeout(1_500);
      await page.getByRole("slider", { name: "Moment of the sky plot" }).focus();
      await page.keyboard.press("Home");
      const moved = await window.frames(async () => {
        for (let step = 0; step < STEPS; step++) await page.keyboard.press(step < HOUR_STEPS ? "PageUp" : "ArrowRight");
      });
      frames.push(...moved);
    });
  }
  const work = frames.map((f) => f.work);
  const between = frames.map((f) => f.ms);
  return [
    {
      name: "sky: click to the sky plot of a cached day at 30 s drawn",
      unit: "ms",
      better: "less",
      samples: first,
      peer: null,
      goal: atMost(100, "ms"),
      note: "real browser, real core over the WebSocket; reading the day, tracks of 2 h and all marks; rasterization included",
    },
    {
      name: "sky: the time slider moved, work per frame p95",
      unit: "ms",
      better: "less",
      samples: [percentile(work, 0.95)],
      peer: null,
      goal: atMost(16, "ms"),
      note: `${frames.length} frames of real keys, median ${percentile(work, 0.5).toFixed(1)} ms; from frame to frame median ${percentile(between, 0.5).toFixed(1)} ms`,
    },
  ];
}
