import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { clearSelection, clickStation, pan, zoom } from "../../bench/desktop/hands.ts";
import { inWindow, launch } from "../../bench/desktop/window.ts";
import { percentile } from "../../bench/harness/statistics.ts";
import { builtApp } from "../support/build.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";
import { allCached } from "./harness/steps.ts";
import { webDriver } from "./harness/webDriver.ts";
import { itUnless } from "../support/needs.ts";

// Prints measurements without limits, because a computer that runs a test suite is busy. `npm run bench` measures more.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const missing = webDriver.unavailable();
const dataFolder = mkdtempSync(join(tmpdir(), "zenith-figures-"));
let browser: Awaited<ReturnType<typeof launch>>;

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

beforeAll(async () => {
  if (missing !== null || !IS_ENDURANCE) return;
  builtApp();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

itUnless(
  IS_ENDURANCE ? missing : "only `npm run endurance` prints these figures",
  "prints start time, latency, frame work and heap for a week of three stations",
  async () => {
    const first = await webDriver.start({ dataFolder, fileFolder: dataFolder });
    await first.page.getByRole("button", { name: "Explore the demo" }).click();
    await allCached(first.page);
    await first.close();

    const figures = await inWindow(browser, dataFolder, 3, async (window) => {
      const find = async (name: string): Promise<void> => {
        await window.page.getByRole("searchbox", { name: "Find a station" }).fill(name);
        // Until then, the row shows the previous station.
        await window.page.locator("[role=grid] [data-id]").first().getByText(new RegExp(name, "i")).first().waitFor();
      };
      await find("kallio");
      await clearSelection(window.page);
      await clickStation(window.page, 0);
      const clicks: number[] = [];
      for (const name of ["torsvika", "kallio", "torsvika", "kallio", "torsvika"]) {
        await find(name);
        clicks.push(await window.clickToDrawn(1, () => clickStation(window.page, 0)));
      }
      const frames = [
        ...(await window.frames(() => pan(window.page))),
        ...(await window.frames(() => zoom(window.page))),
      ];
      return {
        coldMs: window.coldMs,
        clickMs: percentile(clicks, 0.5),
        workMs: percentile(
          frames.map((frame) => frame.work),
          0.95,
        ),
        heapMb: (await window.mostHeapBytes()) / 1e6,
      };
    });
    console.log(
      [
        "Figures of this run, web shell, a week at 30 s:",
        `  cold start to lines drawn   ${ms(figures.coldMs)}`,
        `  click to drawn, median      ${ms(figures.clickMs)}`,
        `  work in a frame, p95        ${ms(figures.workMs)}`,
        `  heap of the page, most      ${figures.heapMb.toFixed(0)} MB`,
      ].join("\n"),
    );
    expect(Object.values(figures).every((value) => Number.isFinite(value) && value > 0)).toBe(true);
  },
);
