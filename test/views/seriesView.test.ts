import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { openCache } from "#main/store/index.ts";
import { decimal } from "#shared/text.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { utc, utcMinutes } from "#renderer/ui/text.ts";
import type { Downloaded } from "../e2e/harness/downloaded.ts";
import { saveFigureAs } from "../e2e/harness/figure.ts";
import { inkOf } from "../e2e/harness/ink.ts";
import { SOON } from "../e2e/harness/soon.ts";
import { shoot } from "../e2e/harness/shoot.ts";
import { clipboardText } from "../e2e/harness/clipboard.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { restoreSize } from "../e2e/harness/size.ts";
import { moveFingers } from "../e2e/harness/touch.ts";
import { tries } from "../support/endurance.ts";
import type { OpenShell } from "../e2e/harness/shell.ts";
import { axeViolations } from "../support/axe.ts";
import { allCached, arrange } from "../e2e/harness/steps.ts";

const STEP_MS = 30_000;
/** A drawn line of a few days has more pixels of its exact colour than this; a hidden line has none. */
const DRAWN_PX = 20;

const plot = (page: Page, variable = "ztd"): Locator => page.locator(`[data-variable="${variable}"] .u-over`);
const legend = (page: Page): Locator => page.getByRole("group", { name: "Stations shown" });
const range = (page: Page): Promise<string> => page.getByRole("button", { name: /UTC/ }).first().innerText();

/** Saves figures next to the screenshots, for inspection. */
function keepFigures(figures: readonly Downloaded[]): void {
  if (process.env["ZENITH_PICTURES"] !== "look") return;
  mkdirSync("out/screenshots", { recursive: true });
  for (const { name, bytes } of figures) writeFileSync(join("out/screenshots", name), bytes);
}

/** The share of colour components of an SVG and a PNG picture that differ by less than a quarter. Runs in the page. */
async function similarity(sources: readonly [string, string]): Promise<number> {
  const pictures: Uint8ClampedArray[] = [];
  for (const [i, source] of sources.entries()) {
    const image = new Image();
    image.src = `data:image/${i === 0 ? "svg+xml" : "png"};base64,${source}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [760, 920];
    const ctx = canvas.getContext("2d")!;
    ctx.drawImage(image, 0, 0, 760, 920);
    pictures.push(ctx.getImageData(0, 0, 760, 920).data);
  }
  const [a, b] = pictures as [Uint8ClampedArray, Uint8ClampedArray];
  return a.reduce((same, value, i) => same + Number(Math.abs(value - b[i]!) < 64), 0) / a.length;
}

/** Whether anything is drawn at the lower edge of a panel, where its times are. */
function isLabelled(canvas: HTMLCanvasElement): boolean {
  const { data } = canvas.getContext("2d")!.getImageData(0, canvas.height - 30, canvas.width, 30);
  return data.some((value) => value > 0);
}

const heightOf = async (box: Locator): Promise<number> => (await box.boundingBox())?.height ?? 0;

/** All cached ZTD rows of a station. */
function cached(shell: OpenShell, name: string): { readonly timesMs: Float64Array; readonly ztd: Float64Array } {
  const file = readdirSync(shell.dataFolder).find((found) => /^cache-.*\.db$/.test(found))!;
  const cache = openCache(join(shell.dataFolder, file));
  try {
    const { id: stationId } = cache.catalogue().stations.find((s) => s.displayName === name)!;
    const range = { startMs: 0, endMs: 4e12 };
    const rows = cache.rows({ stationId, variables: ["ztd"], range, intervalSeconds: null, raw: false });
    return { timesMs: rows.timesMs, ztd: rows.columns.ztd!.values as Float64Array };
  } finally {
    cache.close();
  }
}

/** The view alone. */
const PANEL = "[role=tabpanel]";

/** Names of panels of which only a part is in sight. */
function cutPanels(page: Page): Promise<readonly (string | null)[]> {
  return page.getByRole("group", { name: "Plot", exact: true }).evaluate((host) => {
    const within = host.getBoundingClientRect();
    const cut = [...host.querySelectorAll(":scope > section")].filter((panel) => {
      const { top, bottom } = panel.getBoundingClientRect();
      const isOutside = top >= within.bottom - 1 || bottom <= within.top + 1;
      return !isOutside && (top < within.top - 1 || bottom > within.bottom + 1);
    });
    return cut.map((panel) => panel.getAttribute("aria-label"));
  });
}

forEachShell("the series of the demo", { shells: tries(1, Infinity) }, (page, shell) => {
  beforeAll(async () => {
    await page.getByRole("button", { name: /Explore the demo/ }).click();
    await legend(page).getByRole("button").first().waitFor();
    await allCached(page);
  });

  it("draws each selected station in its colour, in every panel", async () => {
    await page.locator('[data-variable="ztd"][data-drawn="3"]').waitFor();
    for (const panel of ["Zenith total delay", "Precipitable water vapour"])
      await expect.poll(async () => Math.min(...(await inkOf(page, panel)))).toBeGreaterThan(DRAWN_PX);
    // The lowest panel names the times.
    expect(await page.locator('[data-variable="pwv"] canvas').evaluate(isLabelled)).toBe(true);
    expect(await axeViolations(page, PANEL)).toEqual([]);
  });

  it("scrolls in one place above the open drawer, with the values at the cursor in sight", async () => {
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.keyboard.press("Control+j");
    const jobs = page.getByRole("region", { name: "Downloads and exports" });
    await jobs.waitFor();
    await plot(page).hover({ position: { x: 200, y: 40 } });
    const scrollers = (): Promise<number> =>
      page
        .getByRole("tabpanel")
        .evaluate(
          (panel) =>
            [panel, ...panel.querySelectorAll("*")].filter(
              (box) => /auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight + 1,
            ).length,
        );
    await expect.poll(scrollers).toBe(1);
    const values = (await page.locator("[data-moment]").boundingBox())!;
    expect(values.y + values.height).toBeLessThanOrEqual((await jobs.boundingBox())!.y + 1);
    await page.keyboard.press("Control+j");
    await jobs.waitFor({ state: "detached" });
    await page.setViewportSize(size);
  });

  it("hides and shows a station by a click on its name", async () => {
    const second = legend(page).getByRole("button").nth(1);
    const ink = async (): Promise<number> => (await inkOf(page, "Zenith total delay"))[1]!;
    // Near a line, the pointer would fade the others.
    await page.mouse.move(2, 2);
    await expect.poll(ink).toBeGreaterThan(DRAWN_PX);
    const before = await ink();
    await second.click();
    await expect.poll(ink).toBe(0);
    await expect.poll(() => second.getAttribute("aria-pressed")).toBe("false");
    await second.click();
    await expect.poll(ink).toBeGreaterThan(before / 2);
  });

  it("zooms with the mouse wheel, and restores the range after a double click", async () => {
    const before = await range(page);
    await plot(page).hover({ position: { x: 300, y: 60 } });
    for (let i = 0; i < 8; i++) await page.mouse.wheel(0, -100);
    await expect.poll(() => range(page)).not.toBe(before);
    expect(await range(page)).toMatch(/\d+ [hd]/);
    await plot(page).dblclick({ position: { x: 300, y: 60 } });
    await expect.poll(() => range(page)).toBe(before);
  });

  it("is read with one finger, and zoomed and moved with two", async () => {
    const before = await range(page);
    const box = (await plot(page).boundingBox())!;
    const at = (share: number): readonly [number, number] => [box.x + box.width * share, box.y + box.height / 2];
    await moveFingers(page, [at(0.4)], [at(0.6)]);
    await page.locator("[data-moment]").first().waitFor();
    expect(await range(page)).toBe(before);
    await moveFingers(page, [at(0.4), at(0.6)], [at(0.3), at(0.7)]);
    await expect.poll(() => range(page)).toContain("3 d 12 h");
    const zoomed = await range(page);
    await moveFingers(page, [at(0.4), at(0.6)], [at(0.6), at(0.8)]);
    await expect.poll(() => range(page)).not.toBe(zoomed);
    expect(await range(page)).toContain("3 d 12 h");
    await plot(page).dblclick({ position: { x: 300, y: 60 } });
    await expect.poll(() => range(page)).toBe(before);
  });

  it("restores the range after a double click during a movement", async () => {
    const before = await range(page);
    await plot(page).evaluate((over) => {
      const { left, top } = over.getBoundingClientRect();
      const at = { clientX: left + 300, clientY: top + 60, bubbles: true, cancelable: true };
      over.dispatchEvent(new WheelEvent("wheel", { ...at, deltaY: -400 }));
      over.dispatchEvent(new MouseEvent("dblclick", at));
    });
    // The next movement starts at the shown range, with its length.
    await page.getByRole("group", { name: /^Plot/ }).focus();
    await page.keyboard.press("PageDown");
    await expect.poll(() => range(page)).not.toBe(before);
    expect(await range(page)).toContain("7 d");
    await plot(page).dblclick({ position: { x: 300, y: 60 } });
    await expect.poll(() => range(page)).toBe(before);
  });

  it("zooms to a dragged range unless Escape is pressed, and pans with Shift and a drag, or with Page Down", async () => {
    const before = await range(page);
    const box = (await plot(page).boundingBox())!;
    const drag = async (from: number, to: number): Promise<void> => {
      await page.mouse.move(box.x + from, box.y + 80);
      await page.mouse.down();
      await page.mouse.move(box.x + to, box.y + 80, { steps: 4 });
      await page.mouse.up();
    };
    // Escape ends a drag, and what follows starts from the same range.
    await page.mouse.move(box.x + 100, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + 80, { steps: 4 });
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await drag(box.width * 0.25, box.width * 0.5);
    await expect.poll(() => range(page)).toContain("42 h");
    const zoomed = await range(page);
    await page.keyboard.down("Shift");
    await drag(100, 300);
    await page.keyboard.up("Shift");
    await expect.poll(() => range(page)).not.toBe(zoomed);
    const moved = await range(page);
    expect(moved).toContain("42 h");
    await page.getByRole("group", { name: /^Plot/ }).focus();
    await page.keyboard.press("PageDown");
    await expect.poll(() => range(page)).not.toBe(moved);
    await plot(page).dblclick({ position: { x: 300, y: 60 } });
    await expect.poll(() => range(page)).toBe(before);
  });

  it("shows the values of the cache at the cursor", async () => {
    const readout = page.locator("[data-moment]");
    let before = await readout.evaluateAll((all) => all[0]?.getAttribute("data-moment") ?? null);
    for (const share of [0.2, 0.37, 0.55]) {
      const pointed = async (): Promise<string | null> => {
        const box = (await plot(page).boundingBox())!;
        await plot(page).hover({ position: { x: box.width * share, y: 70 } });
        return readout.evaluateAll((all) => all[0]?.getAttribute("data-moment") ?? null);
      };
      await expect.poll(pointed).toSatisfy((moment) => moment !== null && moment !== before);
      // In one call, because the readout follows the cursor. Any station with a value will do: one may have an outage.
      const [moment, value, name, words] = await readout.evaluate((section) => {
        const figure = section.querySelector('[data-variable="ztd"][data-value]');
        const reading = figure?.closest<HTMLElement>("span:has(> b)");
        return [
          section.getAttribute("data-moment")!,
          figure?.getAttribute("data-value"),
          reading?.querySelector("b")?.textContent,
          reading?.innerText,
        ];
      });
      before = moment!;
      const [momentMs, shown] = [Number(moment), Number(value)];
      const { timesMs, ztd } = cached(shell, name!);
      // For an epoch that only this station lacks, the readout shows a neighbouring epoch.
      const at = timesMs.findIndex((timeMs) => timeMs >= momentMs);
      const neighbours = [at - 1, at].filter((i) => Math.abs((timesMs[i] ?? 0) - momentMs) <= STEP_MS);
      const candidates = timesMs[at] === momentMs ? [at] : neighbours;
      expect(candidates.map((i) => ztd[i])).toContain(shown);
      expect(words).toContain(`ZTD ${decimal(shown, 1)} ±`);
    }
  });

  it("keeps the cursor of every panel at a resting pointer, or at its moment, when the window changes its size", async () => {
    const size = page.viewportSize();
    const lines = (): Promise<number[]> =>
      page.locator(".u-cursor-x").evaluateAll((all) => all.map((line) => Math.round(line.getBoundingClientRect().x)));
    await page.setViewportSize({ width: 1400, height: 900 });
    const box = (await plot(page, "pwv").boundingBox())!;
    const [x, y] = [Math.round(box.x + box.width * 0.6), Math.round(box.y + 40)];
    await page.mouse.move(x - 1, y);
    await page.mouse.move(x, y);
    await expect.poll(lines).toEqual([x, x]);
    await page.setViewportSize({ width: 1100, height: 900 });
    await expect.poll(lines).toEqual([x, x]);
    // The line leaves with the pointer, also from the gaps below a plot.
    await page.mouse.move(x, box.y + box.height + 4);
    await expect.poll(lines).toEqual([x, x]);
    await page.mouse.move(1, 1);
    await expect.poll(async () => Math.max(...(await lines()))).toBeLessThan(box.x);
    await page.mouse.move(x, y);
    await expect.poll(lines).toEqual([x, x]);
    // A pointer that is beside all panels reads nothing.
    await page.setViewportSize({ width: 1100, height: 500 });
    const readout = page.locator("[data-moment]");
    await readout.waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1100, height: 900 });
    await page.mouse.move(1, 1);
    await page.getByRole("group", { name: /^Plot/ }).focus();
    await page.keyboard.press("Shift+ArrowLeft");
    await readout.waitFor();
    const share = async (): Promise<string[]> => {
      const { x: left, width } = (await plot(page).boundingBox())!;
      return (await lines()).map((line) => ((line - left) / width).toFixed(2));
    };
    const before = await share();
    await page.setViewportSize({ width: 1400, height: 900 });
    await expect.poll(async () => (await plot(page).boundingBox())!.width).toBeGreaterThan(box.width - 2);
    await expect.poll(share).toEqual(before);
    await page.keyboard.press("Escape");
    await restoreSize(page, size);
  });

  it("labels a gap that was not downloaded, also at the cursor, and downloads it after a click", async () => {
    for (const n of [1, 2]) await legend(page).getByRole("button").nth(n).click();
    await plot(page).hover({ position: { x: 500, y: 60 } });
    for (let i = 0; i < 2; i++) await page.mouse.wheel(0, 100);
    const causes = page.getByRole("list", { name: "Causes of gaps" });
    await causes.getByText("not downloaded").waitFor();
    await plot(page).hover({ position: { x: 30, y: 90 } });
    await page
      .getByRole("tooltip")
      .getByText(/not downloaded, .* Click to fetch it/)
      .waitFor();
    let offset = 0;
    const readout = async (): Promise<string> => {
      offset = 1 - offset;
      await plot(page).hover({ position: { x: 30 + offset, y: 64 } });
      return page.locator("[data-moment]").innerText();
    };
    await expect.poll(readout).toContain("not downloaded");
    await plot(page).click({ position: { x: 30, y: 90 } });
    const dialog = page.getByRole("dialog", { name: "Not downloaded" });
    await dialog.getByText(/UTC/).waitFor();
    expect(await axeViolations(page, "[role=dialog]")).toEqual([]);
    await dialog.getByRole("button", { name: /^Fetch [\d,]+ points/ }).click();
    // A value, or an outage of the station. A redrawn plot needs another movement of the cursor.
    await expect.poll(readout).not.toContain("not downloaded");
  });

  it("shows statistics of the visible range", async () => {
    await page.keyboard.press("s");
    const row = page.getByRole("row", { name: / ZTD / });
    await expect.poll(() => row.innerText()).toMatch(/%/);
    const cells = (await row.getByRole("cell").allInnerTexts()).map((text) => Number(text.replaceAll(/[, %]/g, "")));
    const [, n, mean, , min, p5, p50, p95, max] = cells as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    // A week has 20,160 epochs, but a station may have an outage of days.
    expect(n).toBeGreaterThan(5_000);
    expect([min, p5, p50, p95, max].toSorted((a, b) => a - b)).toEqual([min, p5, p50, p95, max]);
    expect(mean).toBeGreaterThan(min);
    // “Complete” and “Requested” are the shares that the Availability view shows.
    // All columns are visible in the smallest window.
    const table = page.getByRole("region", { name: "Table of statistics" });
    const size = page.viewportSize();
    await page.setViewportSize({ width: 1_024, height: 700 });
    await expect.poll(() => table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await restoreSize(page, size);
    const shares = (await row.getByRole("cell").allInnerTexts()).slice(-2);
    expect(shares.join()).toMatch(/^\d\d\.\d %,(?:99\.9|100) %$/);
    expect(await axeViolations(page, PANEL)).toEqual([]);
    await page.keyboard.press("s");
  });

  it("fixes the bounds of the value axis, rejects invalid ones, and resets them", async () => {
    await page.getByRole("button", { name: "Plot options" }).click();
    await page.getByRole("button", { name: "Range of the ZTD axis: Automatic" }).click();
    await page.getByLabel("Upper bound, mm").fill("2600");
    await page.getByLabel("Lower bound, mm").fill("2700");
    await page.getByRole("button", { name: "Fix", exact: true }).click();
    await page.getByText("The upper bound must be greater than the lower bound.").waitFor();
    await page.getByLabel("Upper bound, mm").fill("1e99");
    await page.getByText("ZTD can be shown from −1,000 to 10,000 mm.").waitFor();
    await page.getByLabel("Upper bound, mm").fill("2,600");
    await page.getByLabel("Lower bound, mm").fill("2000");
    await page.getByRole("button", { name: "Fix", exact: true }).click();
    await page.keyboard.press("Escape");
    // Fixed bounds are beside the name of the panel.
    await page.getByRole("button", { name: "Range of the ZTD axis: 2,000.0 to 2,600.0" }).click();
    await page.getByRole("button", { name: "Automatic", exact: true }).click();
    await expect.poll(() => page.getByRole("button", { name: /^Range of the ZTD axis/ }).count()).toBe(0);
  });

  it("saves a figure with a column width as similar SVG and PNG files, and as PDF", async () => {
    const dialog = page.getByRole("dialog", { name: "Save figure" });
    const open = (): Promise<void> => page.keyboard.press("p");
    await open();
    await dialog.getByRole("img", { name: /^Preview: Zenith/ }).waitFor();
    expect(await axeViolations(page, "[role=dialog]")).toEqual([]);
    await shoot(page, "save-figure");
    await dialog.getByRole("button", { name: /Column/ }).click();
    await page.getByRole("option", { name: "AGU, half width (95 mm)" }).click();
    const height = dialog.getByRole("textbox", { name: "Height" });
    await height.fill("1,150");
    await page.keyboard.press("Tab");
    await dialog.getByText("From 20 to 1000.").waitFor();
    // Not the figure of the size before.
    await dialog.getByText("Correct the marked number to see the figure.").waitFor();
    expect(await dialog.getByRole("img").count()).toBe(0);
    expect(await dialog.getByRole("button", { name: /^Save / }).isDisabled()).toBe(true);
    await height.fill("114");
    await height.press("ArrowUp");
    expect(await height.inputValue()).toBe("115");
    await dialog.getByRole("textbox", { name: "Resolution, dpi" }).fill("600");
    await page.keyboard.press("Enter");
    await dialog.getByText("95 × 115 mm, 2244 × 2716 pixels at 600 dpi.").waitFor();
    const png = await saveFigureAs(page, "PNG");
    expect(png.name).toMatch(/^zenith-ztd-pwv-\d{8}-\d{8}\.png$/);
    expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([2_244, 2_716]);
    // Pixels per metre, in the chunk after the header.
    expect([png.bytes.subarray(37, 41).toString("latin1"), png.bytes.readUInt32BE(41)]).toEqual(["pHYs", 23_622]);

    await open();
    const svg = await saveFigureAs(page, "SVG");
    const text = svg.bytes.toString();
    expect(text).toContain("Data from the Zenith Desk demo (simulated)");
    expect(text).toContain(">ZTD (mm)<");
    expect(text).toMatch(/width="95mm" height="115mm"/);
    // Without the embedded font.
    expect(text.replaceAll(/url\(data:[^)]*\)/g, "").length).toBeLessThan(250_000);
    const same = await page.evaluate(similarity, [svg.bytes.toString("base64"), png.bytes.toString("base64")] as const);
    expect(same).toBeGreaterThan(0.93);

    await open();
    const pdf = await saveFigureAs(page, "PDF");
    expect(pdf.bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect(pdf.bytes.toString("latin1")).toMatch(/\/MediaBox \[0 0 269\.29\d* 325\.98\d*\]/);
    keepFigures([png, svg, pdf]);
    // The next figure starts with the same settings. Reset them for later tests.
    await open();
    await dialog.getByText("95 × 115 mm.").waitFor();
    await dialog.getByRole("radio", { name: "PNG" }).click();
    await dialog.getByRole("textbox", { name: "Height" }).fill("");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("reads values by arrow keys, and announces them to screen readers", async () => {
    const before = await range(page);
    await page.getByRole("group", { name: /^Plot/ }).focus();
    const moment = (): Promise<string | null> => page.locator("[data-moment]").getAttribute("data-moment");
    await page.keyboard.press("ArrowLeft");
    const first = Number(await moment());
    await page.keyboard.press("ArrowRight");
    await expect.poll(async () => Number(await moment()) > first).toBe(true);
    await page.keyboard.press("Shift+ArrowLeft");
    await expect.poll(async () => Number(await moment()) < first).toBe(true);
    const announcement = page.getByRole("status").filter({ hasText: /UTC\. \w+: ZTD / });
    await expect.poll(() => announcement.innerText()).toMatch(/: ZTD (mean )?[\d,.]+ (±[\d.]+ )?mm, PWV|: ZTD [a-z]/);
    // Only one station.
    await page.keyboard.press("ArrowDown");
    const [name] = await legend(page).getByRole("button").allInnerTexts();
    await expect.poll(() => announcement.innerText()).toMatch(new RegExp(`UTC\\. ${name}: [^:]*$`));
    expect(await range(page)).toBe(before);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("[data-moment]").count()).toBe(0);
  });

  it("opens the context menu of the plot by mouse and keyboard, and restores the focus when it is closed", async () => {
    const menu = page.getByRole("menu", { name: "Plot" });
    const before = await range(page);
    await plot(page).click({ button: "right", position: { x: 300, y: 60 } });
    await menu.getByRole("menuitem", { name: "Copy the values here" }).waitFor();
    expect(await axeViolations(page, "[role=menu]")).toEqual([]);
    await shoot(page, "plot-menu");
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await page.getByRole("group", { name: /^Plot/ }).focus();
    await page.keyboard.press("Shift+F10");
    await menu.getByRole("menuitem", { name: "Shorter time range" }).click();
    await expect.poll(() => range(page)).not.toBe(before);
    await page.keyboard.press("Alt+ArrowLeft");
    await expect.poll(() => range(page)).toBe(before);
    await page.getByRole("group", { name: /^Plot/ }).focus();
    await page.keyboard.press("ContextMenu");
    await menu.waitFor();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    // The focus returns a moment after the menu has closed.
    const focused = page.getByRole("group", { name: /^Plot/ });
    await expect.poll(() => focused.evaluate((box) => box === document.activeElement)).toBe(true);
  });

  it("opens the context menu of a gap, which shows the gap in Series", async () => {
    await page.keyboard.press("g");
    const gaps = page.getByRole("grid", { name: /^Gaps/ });
    await gaps.getByRole("row").nth(1).click({ button: "right" });
    const menu = page.getByRole("menu", { name: /^Gap of / });
    await menu.getByRole("menuitem", { name: "Copy start and end" }).waitFor();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await gaps.focus();
    await page.keyboard.press("ContextMenu");
    const before = await range(page);
    await menu.getByRole("menuitem", { name: "Show in Series" }).click();
    await expect.poll(() => range(page)).not.toBe(before);
    await page.keyboard.press("Alt+ArrowLeft");
    await expect.poll(() => range(page)).toBe(before);
    await page.getByRole("button", { name: "Close the gaps" }).click();
  });

  it("draws many stations with a collapsed legend, as small multiples and as a Hovmöller diagram", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const names = await legend(page).getByRole("button").allInnerTexts();
    await page.getByRole("grid", { name: "Stations" }).focus();
    await page.keyboard.press("Control+a");
    const fold = page.getByRole("button", { name: /^\d+ names$/ });
    await fold.waitFor();
    // Stations hidden by earlier tests are not drawn.
    const all = await legend(page).getByRole("button", { pressed: true }).count();
    expect(all).toBeGreaterThan(60);
    const plots = page.locator("section > [data-variable]:has(> .uplot)");
    const lowest = async (): Promise<number> => Math.min(...(await Promise.all((await plots.all()).map(heightOf))));
    await expect.poll(() => heightOf(legend(page))).toBeLessThan(30);
    await expect.poll(lowest).toBeGreaterThanOrEqual(160);
    await fold.click();
    await expect.poll(() => heightOf(legend(page))).toBeGreaterThan(60);
    await expect.poll(() => cutPanels(page)).toEqual([]);
    await page.setViewportSize({ width: 1024, height: 560 });
    await expect.poll(lowest).toBeGreaterThanOrEqual(160);
    // So low a view scrolls as a whole, also by a turn of the wheel beside the plots; each has its own time axis.
    const host = page.getByRole("group", { name: "Plot", exact: true });
    const view = host.locator("..");
    expect(await host.evaluate((part) => part.scrollHeight - part.clientHeight)).toBe(0);
    await expect.poll(() => view.evaluate((part) => part.scrollHeight - part.clientHeight)).toBeGreaterThan(0);
    await host.getByRole("heading", { name: "ZTD mm" }).hover();
    await page.mouse.wheel(0, 100);
    await expect.poll(() => view.evaluate((part) => part.scrollTop)).toBeGreaterThan(50);
    // The values at the cursor stay in sight.
    const low = (await view.boundingBox())!;
    await page.mouse.move(low.x + 300, low.y + 80);
    await page.mouse.move(low.x + 301, low.y + 80);
    const read = page.locator("p[data-moment]");
    await read.waitFor();
    const foot = (await read.boundingBox())!;
    expect(foot.y + foot.height).toBeLessThanOrEqual(low.y + low.height + 1);
    await page.setViewportSize({ width: 1440, height: 900 });
    await shoot(page, "series-many");
    // The values of a hundred stations: whole lines, with names, and that of the nearest line in sight.
    const values = page.locator("p[data-moment]");
    const inSight = async (): Promise<readonly string[]> => {
      const box = (await plot(page).boundingBox())!;
      await plot(page).hover({ position: { x: box.width * (0.3 + 0.3 * Math.random()), y: box.height / 2 } });
      return values.evaluate((part) => {
        const bounds = part.getBoundingClientRect();
        const isSeen = ({ top, bottom }: DOMRect): boolean => top >= bounds.top && bottom <= bounds.bottom;
        const [nearest] = part.querySelectorAll("[data-nearest]");
        const names = [...part.querySelectorAll("b")].map((name) => name.getBoundingClientRect().width);
        return [
          ...(part.scrollWidth > part.clientWidth ? ["scrolls sideways"] : []),
          ...(Math.min(...names) < 100 ? ["names without room"] : []),
          ...(nearest && isSeen(nearest.getBoundingClientRect()) ? [] : ["nearest line out of sight"]),
        ];
      });
    };
    await expect.poll(inSight, SOON).toEqual([]);
    await fold.click();
    await arrange(page, "Small multiples");
    const multiples = page.locator("section[data-line]");
    await multiples.locator("[data-drawn='1']").first().waitFor();
    const variables = new Set(await multiples.locator("h3 + span").allInnerTexts()).size;
    expect(await multiples.count()).toBe(all * variables);
    // Only plots near the visible part are drawn.
    const drawn = multiples.locator(".uplot");
    expect(await drawn.count()).toBeLessThan(15);
    const small = multiples.locator("[data-variable]:has(> .uplot)");
    const least = async (): Promise<number> => Math.min(...(await Promise.all((await small.all()).map(heightOf))));
    await expect.poll(least).toBeGreaterThanOrEqual(160);
    const scales = page.getByRole("button", { name: "Range of the ZTD axis: Automatic" });
    expect(await scales.count()).toBe(1);
    await page.getByText("Own scale").click();
    await scales.waitFor({ state: "detached" });
    await page.getByText("Own scale").click();
    // The keyboard steps from station to station and scrolls to each plot; before the first station is the last one.
    await page.getByRole("group", { name: "Plot", exact: true }).focus();
    for (const key of ["ArrowUp", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
    const isVisible = (): Promise<boolean> =>
      multiples.last().evaluate((box) => {
        const within = box.parentElement?.getBoundingClientRect();
        return within !== undefined && box.getBoundingClientRect().top < within.bottom;
      });
    await expect.poll(isVisible).toBe(true);
    await multiples.last().locator("[data-drawn='1']").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("p");
    await page.getByRole("dialog", { name: "Save figure" }).getByRole("img").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await arrange(page, "Hovmöller diagram");
    const diagram = page.getByRole("img", { name: new RegExp(`^Zenith total delay, ${all} stations`) });
    await diagram.and(page.locator(`[data-drawn="${all}"]`)).waitFor();
    // The diagram supports readouts, panning and zooming like lines, and gaps show their cause.
    const rows = diagram.locator(".u-over");
    const box = (await rows.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 1);
    const hint = page.getByRole("tooltip").getByText(/: not downloaded, .* Click to fetch it\./);
    await hint.waitFor();
    const top = (await hint.innerText()).split(":")[0]!;
    const readout = page.locator("p[data-moment]");
    await expect.poll(() => readout.innerText()).toMatch(new RegExp(`${top}[^]*not downloaded`));
    await shoot(page, "series-hovmoller-read");
    const whole = await range(page);
    await page.mouse.wheel(0, -300);
    await expect.poll(() => range(page)).not.toBe(whole);
    // Double-click on the time axis, because a click on a gap offers to download it.
    const { height } = (await diagram.boundingBox())!;
    await diagram.dblclick({ position: { x: 260, y: height - 8 } });
    await expect.poll(() => range(page)).toBe(whole);
    await page.mouse.move(box.x + 200, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 400, box.y + 60, { steps: 4 });
    await diagram.locator(".u-select").waitFor();
    await page.mouse.up();
    await expect.poll(() => range(page)).not.toBe(whole);
    await page.keyboard.press("Alt+ArrowLeft");
    await expect.poll(() => range(page)).toBe(whole);
    // The keyboard steps through the stations from top to bottom.
    await page.getByRole("group", { name: "Plot", exact: true }).focus();
    await page.keyboard.press("ArrowDown");
    const announcement = page.getByRole("status").getByText(new RegExp(`UTC\\. ${top}: ZTD not downloaded`));
    await announcement.waitFor();
    await diagram.locator('[data-part="row"]').waitFor();
    await expect.poll(() => readout.innerText()).toContain(top);
    await page.keyboard.press("Shift+F10");
    const menu = page.getByRole("menu", { name: "Plot" });
    await menu.getByRole("menuitem", { name: "Fetch this gap…" }).waitFor();
    await menu.getByRole("menuitem", { name: "Copy the values here" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.keyboard.press("p");
    await page.getByRole("dialog", { name: "Save figure" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await arrange(page, "Lines");
    // Undo the changes of the range, then the selection of all stations.
    for (let n = 0; n < 5; n++) await page.keyboard.press("Control+z");
    await expect.poll(() => legend(page).getByRole("button").allInnerTexts()).toEqual(names);
  });

  it("shows rows in a table, goes to a time, and selects rows by keyboard", async () => {
    const name = await legend(page).getByRole("button").first().innerText();
    await page.getByRole("tab", { name: "Table" }).click();
    await page.getByRole("button", { name: /Station of the table/ }).click();
    await page.getByRole("option", { name, exact: true }).click();
    const grid = page.getByRole("grid", { name: "Rows" });
    await expect.poll(() => grid.getByRole("row").nth(1).innerText()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
    const rows = Number(await grid.getAttribute("aria-rowcount")) - 1;
    expect(rows).toBeGreaterThan(5_000);
    await grid.focus();
    await page.keyboard.press("End");
    await expect.poll(() => grid.locator(`[data-row="${rows - 1}"]`).innerText()).toMatch(/^\d{4}-/);
    await page.keyboard.press("Shift+ArrowUp");
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByRole("menuitem", { name: "2 selected rows" }).waitFor();
    await page.keyboard.press("Escape");
    await grid.focus();
    await page.keyboard.press("Home");
    const top = grid.locator('[data-row="0"]');
    await expect.poll(() => top.innerText()).toMatch(/^\d{4}-/);
    const first = await top.innerText();
    const wantedMs = Date.parse(`${first.slice(0, 10)}T06:00:00Z`) + 2 * DAY_MS;
    // The first row from then on, because of possible outages.
    const foundMs = cached(shell, name).timesMs.find((timeMs) => timeMs >= wantedMs)!;
    await page.getByLabel("Go to time, UTC").fill(utcMinutes(wantedMs));
    await page.getByRole("button", { name: "Go", exact: true }).click();
    const focused = grid.locator("[data-focused]");
    await expect.poll(() => focused.innerText()).toContain(utc(foundMs));
    // A time that the table does not have is refused, and the row stays; so does the table.
    const place = await grid.boundingBox();
    await page.getByLabel("Go to time, UTC").fill(utcMinutes(wantedMs - 30 * DAY_MS));
    await page.getByRole("button", { name: "Go", exact: true }).click();
    await page.getByText("This time is outside of the time range.").waitFor();
    expect(await grid.boundingBox()).toEqual(place);
    expect(await focused.innerText()).toContain(utc(foundMs));
    // A gap is a line of its own, with its cause.
    const { timesMs } = cached(shell, name);
    const afterGap = timesMs.findIndex((timeMs, i) => i > 0 && timeMs - timesMs[i - 1]! > 120_000);
    await page.getByLabel("Go to time, UTC").fill(utc(timesMs[afterGap]!));
    await page.getByRole("button", { name: "Go", exact: true }).click();
    await expect.poll(() => focused.innerText()).toContain(utc(timesMs[afterGap]!));
    await grid.focus();
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => focused.innerText()).toContain(utc(timesMs[afterGap - 1]! + 30_000));
    await expect
      .poll(() => focused.innerText())
      .toMatch(/, for \d+ (s|min|h|d).*(unknown|still come|nothing|filtered)/s);
    expect(await axeViolations(page, PANEL)).toEqual([]);
  });

  it("shows stations side by side in a table, and sorts, filters and copies rows", async () => {
    await page.getByRole("button", { name: /Station of the table/ }).click();
    await page.getByRole("option", { name: /side by side/ }).click();
    const grid = page.getByRole("grid", { name: "Rows" });
    const heads = grid.getByRole("columnheader");
    const titles = async (): Promise<string[]> =>
      (await heads.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
    await expect.poll(async () => (await titles()).length).toBeGreaterThan(2);
    const [, first, second] = await titles();
    expect(first).toMatch(/ ZTD mm$/);
    expect(second).not.toBe(first);
    const rows = async (): Promise<number> => Number(await grid.getAttribute("aria-rowcount")) - 1;
    // Until the rows are counted, the grid keeps its previous height.
    await page.getByText("Counting …").waitFor({ state: "detached" });
    await expect.poll(rows).toBeGreaterThan(5_000);
    // Without the lines of gaps, which only rows in time order have.
    const counted = async (): Promise<number> =>
      Number((await page.getByText(/^[\d,]+ rows$/).innerText()).replaceAll(/\D/g, ""));
    const all = await counted();
    await shoot(page, "table-side-by-side");
    // Scrolled to the right, the last column is drawn beneath its heading.
    await grid.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    const isDrawn = (): Promise<boolean> =>
      grid.evaluate((element) => {
        const row = [...element.querySelectorAll("[data-row]")].at(10)!;
        const { right, top } = row.lastElementChild!.getBoundingClientRect();
        const heading = element.querySelector("[role=columnheader]:last-child")!.getBoundingClientRect();
        return heading.right === right && row.contains(document.elementFromPoint(right - 5, top));
      });
    const isTimeVisible = (): Promise<boolean> =>
      grid.evaluate((element) => {
        const time = [...element.querySelectorAll("[data-row]")].at(10)!.firstElementChild!;
        const { left } = element.getBoundingClientRect();
        const { top } = time.getBoundingClientRect();
        return element.scrollLeft > 100 && document.elementFromPoint(left + 20, top + 5) === time;
      });
    await expect.poll(isDrawn).toBe(true);
    await expect.poll(isTimeVisible).toBe(true);
    await shoot(page, "table-scrolled");
    await grid.evaluate((element) => element.scrollTo({ left: 0 }));

    const valueAt = async (row: number): Promise<number> => {
      const cell = grid.locator(`[data-row="${row}"] [role=gridcell]`).nth(1);
      await expect.poll(() => cell.innerText(), { timeout: 20_000 }).toMatch(/^[\d,.]+$/);
      return Number((await cell.innerText()).replaceAll(",", ""));
    };
    // By keyboard: the heading is a button.
    const heading = heads.nth(1).getByRole("button");
    // Its name has the station, which is a text beside the button.
    expect(await heading.getAttribute("aria-label")).toBe(`${(await heads.nth(1).innerText()).split("\n")[0]}, ZTD mm`);
    await heading.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => heads.nth(1).getAttribute("aria-sort")).toBe("ascending");
    const ascending = [await valueAt(0), await valueAt(1), await valueAt(2)];
    expect(ascending).toEqual(ascending.toSorted((a, b) => a - b));
    // The whole heading can be clicked, also the name of the station.
    await heads.nth(1).click({ position: { x: 4, y: 4 } });
    await expect.poll(() => heads.nth(1).getAttribute("aria-sort")).toBe("descending");
    await expect.poll(() => valueAt(0)).toBeGreaterThan(ascending[2]!);
    const most = await valueAt(0);
    // Rows without a value are last and show their cause.
    await grid.focus();
    await page.keyboard.press("Control+End");
    const lastCell = grid.locator("[data-row]").last().getByRole("gridcell").nth(1);
    await expect
      .poll(() => lastCell.innerText(), { timeout: 20_000 })
      .toMatch(/^(cause unknown|may still arrive|not downloaded|before history)/);
    await page.keyboard.press("Control+Home");

    await page.getByRole("button", { name: /Rows to show/ }).click();
    await page.getByRole("option", { name: `Rows with ${first}` }).click();
    const least = Math.floor(most) - 5;
    await page.getByLabel("At least").fill(String(least));
    await page.keyboard.press("Enter");
    await expect.poll(rows).toBeLessThan(all / 2);
    const kept = await rows();
    expect(kept).toBeGreaterThan(1);
    await shoot(page, "table-filtered");
    expect(await axeViolations(page, PANEL)).toEqual([]);

    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByRole("menuitem", { name: "All rows" }).click();
    await page
      .getByText(/rows? copied\.$/)
      .first()
      .waitFor();
    const lines = (await clipboardText(page)).trimEnd().split("\n");
    expect(lines).toHaveLength(kept + 1);
    expect(lines[0]!.split("\t").slice(0, 2)).toEqual(["time (UTC)", first!.replace(/ZTD mm$/, "ztd (mm)")]);
    const values = lines.slice(1).map((line) => Number(line.split("\t")[1]));
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(least);
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\t/);

    // Not the rows of the number before.
    await page.getByLabel("At least").fill("none");
    await page.keyboard.press("Enter");
    await page.getByText("Correct the marked number to see the rows.").waitFor();
    expect(await grid.count()).toBe(0);
    expect(await page.getByRole("button", { name: "Copy", exact: true }).isDisabled()).toBe(true);
    await page.getByLabel("At least").fill("9999");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Show all rows" }).click();
    await expect.poll(counted).toBe(all);
    await page.getByRole("tab", { name: "Series" }).click();
  });
});
