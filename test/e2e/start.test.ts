import { stat } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { IS_GATE } from "../support/endurance.ts";
import { openNetcdf } from "../support/openNetcdf.ts";
import { SOON } from "./harness/soon.ts";
import { forEachShell } from "./harness/forEachShell.ts";
import { inkOf } from "./harness/ink.ts";
import { allCached, writeButton } from "./harness/steps.ts";
import { valueOf } from "../support/valueOf.ts";

/** "2026-11-14 16:00 → 11-21 16:00 UTC" */
function rangeWords(page: Page): Promise<string> {
  return page.getByRole("group", { name: "Time range" }).getByRole("button").first().innerText();
}

// In the gate, the other shells start for the security of their pages (security.test.ts).
forEachShell("the first minute", { shells: IS_GATE ? 1 : Infinity }, (page, shell) => {
  // Opening the program is the first of at most six actions to a file.
  let actions = 1;

  it("opens a second window", async () => {
    const second = await shell.openWindow();
    await second.getByText("Explore the demo").waitFor();
    expect(second).not.toBe(page);
    await second.close();
  });

  it("recovers from a crash of the core", async () => {
    await shell.killCore();
    await page.reload();
    await page.getByText("Explore the demo").waitFor();
    expect(await page.title()).toContain("Zenith Desk");
    shell.calm();
  });

  it("starts again after it was closed, and after it was killed", async () => {
    // The gate has a program that is closed and opened again in test/app/storage.test.ts.
    if (!IS_GATE) await shell.restart();
    await page.getByText("Explore the demo").waitFor();
    await shell.killAndRestart();
    await page.getByText("Explore the demo").waitFor();
    expect(await page.title()).toContain("Zenith Desk");
  });

  it("offers the demo and a connection on the first screen", async () => {
    await page.getByRole("button", { name: "Explore the demo" }).waitFor();
    await page.getByRole("button", { name: "Connect", exact: true }).waitFor();
    expect(await page.title()).toContain("Zenith Desk");
  });

  it("draws a week of three stations after one click", async () => {
    await page.getByRole("button", { name: "Explore the demo" }).click();
    actions++;
    await allCached(page);
    await expect.poll(() => rangeWords(page), SOON).toContain("7 d");
    await expect.poll(async () => Math.min(...(await inkOf(page, "Zenith total delay"))), SOON).toBeGreaterThan(20);
    const ink = await inkOf(page, "Zenith total delay");
    expect(ink).toHaveLength(3);
    // A download does not open the list of jobs over the plots.
    expect(await page.getByRole("region", { name: "Downloads and exports" }).count()).toBe(0);
  });

  it("zooms to a dragged range", async () => {
    const part = [0.4, 0.6] as const;
    // A station with an outage in these hours has no line here.
    const seen = (await inkOf(page, "Zenith total delay", part)).map((pixels) => pixels > 20);
    expect(seen).toContain(true);
    const box = (await page
      .getByRole("region", { name: "Zenith total delay" })
      .locator("canvas")
      .first()
      .boundingBox())!;
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * part[0], y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * part[1], y, { steps: 5 });
    await page.mouse.up();
    actions++;
    // A pointer near a line dims the others.
    await page.mouse.move(0, 0);
    await expect.poll(() => rangeWords(page), SOON).toMatch(/\b(1 d|[23]\d h)/);
    const drawn = async () => (await inkOf(page, "Zenith total delay")).filter((_, i) => seen[i]);
    await expect.poll(async () => Math.min(...(await drawn())), SOON).toBeGreaterThan(20);
  });

  it("exports the view to NetCDF within six actions of the start", async () => {
    const { kind } = shell;
    await page.keyboard.press("e");
    actions++;
    const save = writeButton(page);
    await save.waitFor();
    await expect.poll(() => save.isEnabled(), SOON).toBe(true);
    const { path, suggestedName } = await shell.saved(() => page.keyboard.press("Enter"));
    // The desktop program asks for a path.
    actions += kind === "web" ? 1 : 2;
    expect(suggestedName).toMatch(/\.nc$/);
    expect((await stat(path)).size).toBeGreaterThan(10_000);
    const opened = valueOf(await openNetcdf(path));
    expect(opened.variables.map((v) => v.name)).toEqual(expect.arrayContaining(["ztd", "ztd_sigma", "pwv"]));
    opened.close();
    expect(actions).toBeLessThanOrEqual(6);
  });
});
