import { readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type RunningService, startService } from "#service/index.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { allCached, choose, connect, fetchButton, setRange, stations } from "../e2e/harness/steps.ts";
import { tinyWorld } from "../service/tinyWorld.ts";
import { axeViolations } from "../support/axe.ts";
import { KEY } from "../support/desk.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * The day before yesterday, because the clocks of the service and of this computer must agree; otherwise, data that is
 * not final is requested again at once.
 */
const START_MS = Math.floor(Date.now() / DAY_MS - 2) * DAY_MS;
const DAY = new Date(START_MS).toISOString().slice(0, 10);
const CROWD = 500;
const RATE = { resolutionSeconds: 300, nativeSeconds: 300, latitudeDeg: 60, longitudeDeg: 25 };

/** Every 5 minutes of a day except from 12 to 14; from 14 to 17, a constant value that differs by 60 mm. */
function epochs(delayHours: number) {
  const hours = Array.from({ length: 24 * 12 }, (_, i) => i / 12).filter((hour) => hour < 12 || hour >= 14);
  return hours.map((hour) => ({
    time: new Date(START_MS + hour * HOUR_MS).toISOString(),
    quality: "none" as const,
    ztd: hour >= 14 && hour < 17 ? 2_340 : 2_400 + 10 * Math.sin((hour - delayHours) / 3),
    sigma: hour >= 20 && hour < 21 ? 30 : 1.5,
    pwv: 12 + Math.sin(hour / 3),
  }));
}

const pairs = (page: Page): Locator => page.getByRole("region", { name: "Table of pairs" });
const part = (page: Page, name: string): Promise<void> =>
  page.getByRole("group", { name: "What is compared" }).getByRole("radio", { name }).click();

/** Controls of the view that cannot be scrolled into view. */
async function unreachable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} wide`);
    for (const control of document.querySelectorAll<HTMLElement>("main button, main input, main [role=slider]")) {
      if (!control.checkVisibility({ visibilityProperty: true })) continue;
      control.scrollIntoView({ block: "nearest", inline: "nearest" });
      const box = control.getBoundingClientRect();
      if (box.width <= 2 || control.closest("[style*='clip']")) continue;
      const isOut = box.right < 8 || box.left > innerWidth - 8 || box.bottom < 4 || box.top > innerHeight - 4;
      if (isOut) found.push(`${control.outerHTML.slice(0, 120)} at ${box.left}, ${box.top}`);
    }
    return found;
  });
}

function start(port: number, betaHeight = 400): Promise<RunningService> {
  return startService({
    port,
    world: tinyWorld([
      { ...RATE, displayName: "Alpha", epochs: epochs(0) },
      { ...RATE, displayName: "Beta", epochs: epochs(1), ellipsoidalHeight: betaHeight },
      { ...RATE, displayName: "Taken away", epochs: epochs(2) },
      ...Array.from({ length: CROWD }, (_, i) => ({ ...RATE, displayName: `Crowd ${1_000 + i}`, epochs: [] })),
    ]),
    organizations: [{ key: KEY, name: "test", owner: "a" }],
  });
}

forEachShell("states of the compare view", { shells: tries(1, Infinity) }, (page, shell) => {
  let service: RunningService;

  beforeAll(async () => {
    service = await start(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await connect(page, service.url, KEY);
  });
  afterAll(async () => {
    await service?.close();
  });

  it("explains what to do without a station, and offers to fetch if nothing is cached", async () => {
    await page.keyboard.press("5");
    await page.getByRole("heading", { name: "No station selected" }).waitFor();
    await choose(page, ["Alpha", "Beta"]);
    await setRange(page, "2100-01-01", "2100-01-01");
    for (const key of ["5", "1"]) {
      await page.keyboard.press(key);
      await page.getByText("No data can exist in this range yet.").waitFor();
      expect(await fetchButton(page).count()).toBe(0);
    }
    await page.keyboard.press("6");
    await page.getByText("No rows in this range").waitFor();
    await page.getByText("No data can exist in this range", { exact: true }).waitFor();
    expect(await fetchButton(page).count()).toBe(0);
    await page.keyboard.press("5");
    await setRange(page, DAY, DAY);
    await page.getByRole("status").filter({ hasText: "No data are cached for this range." }).waitFor();
    await page.keyboard.press("f");
    await page
      .getByRole("dialog", { name: "Fetch" })
      .getByRole("button", { name: "Fetch 576 points · ~1 request" })
      .click();
    await allCached(page);
    await pairs(page).getByRole("row").nth(1).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it("draws flagged values, and names the flags at the cursor", async () => {
    const figure = page.locator('[data-figure="marks"]');
    await figure.getByRole("img", { name: /^Flagged values/ }).waitFor();
    const slider = figure.getByRole("slider");
    const readout = figure.locator("[data-moment]");
    // From the start of the day, in steps of a thousandth, to 15:00, then to 20:30. A redrawn figure needs another
    // attempt.
    const atThree = async (): Promise<string> => {
      await slider.focus();
      await page.keyboard.press("Home");
      for (let i = 0; i < 63; i++) await page.keyboard.press("Shift+ArrowRight");
      return readout.innerText();
    };
    await expect.poll(atThree).toMatch(/Alpha\s+1 stuck/);
    for (let i = 0; i < 22; i++) await page.keyboard.press("Shift+ArrowRight");
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
    await expect.poll(() => readout.innerText()).toMatch(/Alpha\s+1 σ above limit/);
    await page.keyboard.press("Escape");
    await figure.getByText("Point at the plot").waitFor();
  });

  it("names a station without data, with a button that shows the cause “no access”", async () => {
    const gone = service.world.stations.find((s) => s.displayName === "Taken away")!;
    service.setOrganization("test", { withheldStationIds: [gone.id] });
    await choose(page, ["Alpha", "Beta", "Taken away"]);
    await fetchButton(page).click();
    const missing = page.getByRole("status").filter({ hasText: "No values here: Taken away." });
    await missing.waitFor();
    const ofPair = pairs(page).getByRole("row", { name: /^Alpha − Beta|^Beta − Alpha/ });
    await ofPair.waitFor();
    await missing.getByRole("button", { name: "Why" }).click();
    const reasons = page.getByRole("region", { name: "Gaps and their causes" });
    await reasons.getByText("no access").first().waitFor();
    for (const name of ["Stations", "PWV rate", "Derived"]) {
      await part(page, name);
      await missing.waitFor();
    }
    await page.keyboard.press("g");
    await reasons.waitFor({ state: "hidden" });
    await part(page, "Pairs");
    expect(await axeViolations(page)).toEqual([]);
  });

  it("compares the first 20 of 500 stations, with a message", async () => {
    await page.getByRole("searchbox", { name: "Find a station" }).fill("");
    await stations(page).focus();
    await stations(page).getByRole("row").nth(1).click();
    await page.keyboard.press("Control+a");
    await page.getByText(`The first 20 of ${CROWD + 3} selected stations are compared.`).waitFor();
    // The figures stay near the table.
    const rows = pairs(page).getByRole("row");
    await expect.poll(() => rows.count()).toBeLessThan(14);
    await pairs(page).getByRole("button", { name: "Show all 190 rows" }).click();
    await expect.poll(() => rows.count()).toBe(191);
    await page.getByText(/^No values here: .* and \d+ more\./).waitFor();
    for (const name of ["Stations", "PWV rate", "Derived", "Pairs"]) await part(page, name);
    await pairs(page).getByRole("button", { name: "Show all 190 rows" }).waitFor();
    await choose(page, ["Alpha", "Beta"]);
    await expect.poll(() => pairs(page).locator("tbody tr").count()).toBe(1);
  });

  it("shows heights that the service has revised, once the list of stations is fetched again", async () => {
    const difference = async () => {
      const text = await pairs(page).locator("tbody tr td").last().innerText();
      return Number(text.replace("−", "-"));
    };
    const before = await difference();
    const { port } = service;
    await service.close();
    service = await start(port, 500);
    await page.getByRole("button", { name: "Groups of stations" }).click();
    await page.getByRole("menuitem", { name: /^Refresh the station list/ }).click();
    await expect.poll(difference).toBe(before + 100);
  });

  it("is usable in a window of 1024 px, and with text at 200 %", async () => {
    // The drawer of downloads would cover such a low window.
    if (await page.getByRole("region", { name: "Downloads and exports" }).isVisible())
      await page.getByRole("button", { name: /^Status:/ }).click();
    for (const size of [
      { width: 1024, height: 700 },
      { width: 512, height: 350 },
    ]) {
      await page.setViewportSize(size);
      for (const name of ["Pairs", "Stations", "PWV rate", "Derived"]) {
        await part(page, name);
        await page.locator("[data-figure] canvas").first().waitFor();
        await expect.poll(() => unreachable(page)).toEqual([]);
      }
      expect(await axeViolations(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await part(page, "Pairs");
  });

  it("lists damaged days and stations, and a download restores them", async () => {
    shell.expectProblems();
    const file = readdirSync(shell.dataFolder).find((name) => /^cache-.*\.db$/.test(name))!;
    const db = new Database(join(shell.dataFolder, file));
    db.exec("UPDATE bucket_column SET data = zeroblob(9) WHERE variable = 'ztd'");
    db.close();
    await part(page, "Stations");
    const notice = page.getByRole("status").filter({ hasText: /^Cache of “127\.0\.0\.1”: Damage was found in/ });
    await expect.poll(() => notice.innerText()).toMatch(/: [^.]*\bztd\b/);
    for (const text of [DAY, "Alpha", "Beta", "The removed data are marked “not downloaded” and can be fetched again."])
      // Damaged stations are found one after the other.
      await expect.poll(() => notice.innerText()).toContain(text);
    await notice.click();
    const list = page.getByRole("dialog", { name: "Notices" });
    await list.getByRole("button", { name: "Open storage" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await list.getByRole("button", { name: "Close" }).click();
    await notice.waitFor({ state: "detached" });
    await fetchButton(page).click();
    await allCached(page);
    await part(page, "Pairs");
    await expect.poll(() => pairs(page).locator("tbody tr").count()).toBe(1);
    shell.calm();
  });

  it("shows a message if the cache cannot be read, which moves nothing", async () => {
    shell.expectProblems();
    await page.keyboard.press("6");
    const rows = page.getByRole("grid", { name: "Rows" });
    await rows.locator("[data-row]").first().waitFor();
    const before = await rows.boundingBox();
    const file = readdirSync(shell.dataFolder).find((name) => /^cache-.*\.db$/.test(name))!;
    const db = new Database(join(shell.dataFolder, file));
    db.unsafeMode();
    db.pragma("writable_schema = ON");
    // A table that replaces another one affects more than a single day.
    db.exec(`UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'bucket')
      WHERE name = 'bucket_column'`);
    db.pragma(`schema_version = ${Number(db.pragma("schema_version", { simple: true })) + 1}`);
    db.close();
    const fault = page.getByRole("alert").filter({ hasText: "The cache is damaged" });
    await fault.waitFor();
    expect(await rows.boundingBox()).toEqual(before);
    await page.keyboard.press("5");
    await part(page, "Stations");
    await expect.poll(() => fault.innerText()).toMatch(/Rebuild it under Storage, or with “zenith cache repair”/);
    // Over a plot, the message is one line at the end of its heading, and opens whole.
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.keyboard.press("1");
    await page.getByRole("group", { name: "Plot", exact: true }).waitFor();
    const line = (await fault.boundingBox())!;
    const plot = (await page.locator(".u-over").first().boundingBox())!;
    expect(line.y + line.height).toBeLessThanOrEqual(plot.y);
    await fault.getByRole("button", { name: "Show all" }).click();
    await page
      .getByRole("dialog", { name: "The whole message" })
      .getByText(/or with “zenith cache repair”/)
      .waitFor();
  });
});
