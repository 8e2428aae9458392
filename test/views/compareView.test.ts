import { readFileSync, writeFileSync } from "node:fs";
import { scratchFolder } from "../support/folder.ts";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { openCache } from "#main/store/index.ts";
import { shoot } from "../e2e/harness/shoot.ts";
import { saveFigureAs } from "../e2e/harness/figure.ts";
import { chromiumBrowser } from "../e2e/harness/chromium.ts";
import { type Downloaded, downloaded } from "../e2e/harness/downloaded.ts";
import { clipboardText } from "../e2e/harness/clipboard.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import type { OpenShell } from "../e2e/harness/shell.ts";
import { allCached, connect } from "../e2e/harness/steps.ts";
import { KEY } from "../support/desk.ts";
import { runTool } from "../formats/tools.ts";
import { axeViolations } from "../support/axe.ts";

const part = (page: Page, name: string): Promise<void> =>
  page.getByRole("group", { name: "What is compared" }).getByRole("radio", { name }).click();
const pairs = (page: Page): Locator => page.getByRole("region", { name: "Table of pairs" });
/** Long enough for a busy computer. */
const WAIT = { timeout: 20_000 };
const numberOf = (text: string): number => Number(text.replaceAll(",", "").replaceAll("−", "-").replace("+", ""));

/** The file that an entry of the menu “Save” writes. */
async function saved(page: Page, entry: string): Promise<Downloaded> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  return downloaded(page, () => page.getByRole("menuitem", { name: entry }).click());
}

/** The time of the readout of a figure, in UTC milliseconds. */
const moment = (figure: Locator): Promise<string | null> => figure.locator("[data-moment]").getAttribute("data-moment");

/** Rows of a CSV file by column name. Quoted fields are not supported. */
function tableOf(bytes: Buffer): Record<string, string>[] {
  const [head, ...rows] = bytes
    .toString()
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(head!.map((name, i) => [name, row[i]!])));
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The compared stations, with their ids from the cache. */
async function chosenStations(page: Page, { dataFolder }: OpenShell): Promise<Named[]> {
  await part(page, "Pairs");
  await pairs(page).getByRole("row").nth(3).waitFor();
  const names = (await pairs(page).locator("tbody th").allInnerTexts()).flatMap((name) => name.split(" − "));
  await part(page, "Product");
  const file = "cache-demo.db";
  const cache = openCache(join(dataFolder, file));
  const { stations } = cache.catalogue();
  cache.close();
  return [...new Set(names)].map((name) => ({ name, id: stations.find((s) => s.displayName === name)!.id }));
}

/** Times and values of ZTD of a station from the cache. */
function ztdOf({ dataFolder }: OpenShell, stationId: string): [number, number][] {
  const file = "cache-demo.db";
  const cache = openCache(join(dataFolder, file));
  const range = { startMs: 0, endMs: 4e12 };
  const { timesMs, columns } = cache.rows({ stationId, variables: ["ztd"], range, intervalSeconds: null, raw: false });
  cache.close();
  const values = columns.ztd?.values as Float64Array;
  return Array.from(timesMs, (timeMs, i): [number, number] => [timeMs, values[i]!]).filter(([, v]) => !Number.isNaN(v));
}

/** Values of two stations at their common times, from the cache. */
function commonOf(shell: OpenShell, aId: string, bId: string): [number, number][] {
  const file = "cache-demo.db";
  const cache = openCache(join(shell.dataFolder, file));
  try {
    const [a, b] = [aId, bId].map((stationId) => {
      const range = { startMs: 0, endMs: 4e12 };
      const rows = cache.rows({ stationId, variables: ["ztd"], range, intervalSeconds: null, raw: false });
      const values = rows.columns.ztd?.values as Float64Array;
      return new Map(Array.from(rows.timesMs, (timeMs, i) => [timeMs, values[i]!]));
    });
    return [...a!].flatMap(([timeMs, value]): [number, number][] => {
      const other = b!.get(timeMs);
      return other === undefined || Number.isNaN(value) || Number.isNaN(other) ? [] : [[value, other]];
    });
  } finally {
    cache.close();
  }
}

forEachShell("comparing stations of the demo", { shells: tries(1, Infinity), service: {} }, (page, shell) => {
  beforeAll(async () => {
    // A second connection with an empty cache.
    await connect(page, shell.service?.url ?? "", KEY);
    await page.getByRole("button", { name: /^Connection/ }).click();
    await page.getByRole("menuitem", { name: /^Explore the demo/ }).click();
    await allCached(page);
    await page.keyboard.press("5");
    await pairs(page).getByRole("row").nth(3).waitFor();
  });

  it("shows statistics of every pair that match the cache", async () => {
    const { name, bytes } = await saved(page, "Table of pairs");
    expect(name).toMatch(/^zenith-compare-pairs-ztd-\d{8}-\d{8}-pairs\.csv$/);
    const rows = tableOf(bytes);
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      const common = commonOf(shell, row["a_id"]!, row["b_id"]!);
      const differences = common.map(([a, b]) => a - b);
      const bias = differences.reduce((sum, d) => sum + d, 0) / differences.length;
      const rms = Math.sqrt(differences.reduce((sum, d) => sum + d * d, 0) / differences.length);
      expect(Number(row["n"])).toBe(differences.length);
      expect(Number(row["bias_mm"])).toBeCloseTo(bias, 8);
      expect(Number(row["rms_mm"])).toBeCloseTo(rms, 8);
      const shown = pairs(page).getByRole("row", { name: `${row["a_name"]} − ${row["b_name"]}` });
      const cells = await shown.getByRole("cell").allInnerTexts();
      expect(numberOf(cells[0]!)).toBe(differences.length);
      expect(numberOf(cells[2]!)).toBeCloseTo(bias, 2);
    }
    expect(await axeViolations(page)).toEqual([]);
  });

  it("has context menus for pairs and figures", async () => {
    const row = pairs(page).getByRole("row").nth(2);
    const name = await row.getByRole("rowheader").innerText();
    await row.getByRole("cell").first().click({ button: "right" });
    const menu = page.getByRole("menu", { name });
    await menu.getByRole("menuitem", { name: "Show only these stations in Series" }).waitFor();
    await menu.getByRole("menuitem", { name: "Show as scatter plot" }).click();
    await expect.poll(() => row.getByRole("button").getAttribute("aria-pressed")).toBe("true");
    await row.getByRole("button").focus();
    await page.keyboard.press("Shift+F10");
    await menu.getByRole("menuitem", { name: "Copy row" }).click();
    const cells = [name, ...(await row.getByRole("cell").allInnerTexts())];
    await expect.poll(() => clipboardText(page)).toBe(cells.join("\t"));
    const figure = page.locator('[data-figure="differences"]');
    await figure.getByRole("slider").focus();
    await page.keyboard.press("ArrowRight");
    const read = figure.locator("[data-moment]");
    const time = (await read.locator("span").first().innerText()).trim();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Copy the values here" }).click();
    await expect.poll(() => clipboardText(page)).toContain(`${time}: `);
    await figure.click({ button: "right", position: { x: 200, y: 100 } });
    await page.getByRole("menuitem", { name: "Save this figure…" }).click();
    await page.getByRole("dialog", { name: "Save figure" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("sorts by clicking a heading, and by keyboard", async () => {
    const head = pairs(page).getByRole("button", { name: "Std mm" });
    const column = async (): Promise<number[]> =>
      (await pairs(page).locator("tbody tr td:nth-child(5)").allInnerTexts()).map(numberOf);
    await head.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => pairs(page).locator('th[aria-sort="descending"]').innerText(), WAIT).toMatch(/^Std\s+mm$/);
    const down = await column();
    expect(down).toEqual(down.toSorted((a, b) => b - a));
    await page.keyboard.press("Enter");
    await expect.poll(() => column(), WAIT).toEqual(down.toReversed());
  });

  it("compares all stations with another reference", async () => {
    const figure = page.locator('[data-figure="differences"] h3');
    const before = await figure.innerText();
    await page.getByRole("button", { name: /Reference station/ }).click();
    await page.getByRole("option").nth(1).click();
    await expect.poll(() => figure.innerText(), WAIT).not.toBe(before);
    const reference = (await figure.innerText()).replace("ZTD minus ", "");
    const against = async (): Promise<string[]> =>
      (await pairs(page).locator("tbody th").allInnerTexts()).filter((name) => name.endsWith(`− ${reference}`));
    await expect.poll(against, WAIT).toHaveLength(2);
  });

  it("flags by the user's bounds, excludes flagged values on request, and stores both with the workspace", async () => {
    const total = async (column: number): Promise<number> =>
      (await pairs(page).locator(`tbody tr td:nth-child(${column})`).allInnerTexts())
        .map(numberOf)
        .reduce((sum, n) => sum + n, 0);
    const all = await total(2);
    await page.getByRole("button", { name: "Flags", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Quality flags" });
    await dialog.getByRole("group", { name: "Formal uncertainty of ZTD" }).getByLabel("Above, mm").fill("1.6");
    await page.keyboard.press("Enter");
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByText(/values are flagged: [\d,]+ σ above limit/).waitFor();
    await expect.poll(() => total(2), WAIT).toBe(all);
    await page.getByRole("switch", { name: "Exclude flagged values" }).click({ force: true });
    await expect.poll(() => total(3), WAIT).toBeGreaterThan(100);
    await expect.poll(async () => (await total(2)) + (await total(3)), WAIT).toBe(all);
    await page.getByText("Heights are above the ellipsoid (WGS 84).").waitFor();
    await part(page, "Stations");
    const stations = page.getByRole("region", { name: "Table of stations" });
    await stations.getByRole("row").nth(3).waitFor();
    await page.getByText("Heights are above the ellipsoid (WGS 84).").waitFor();
    // The page writes unsaved changes when it is unloaded.
    await page.reload();
    await stations.getByRole("row").nth(3).waitFor();
    await expect.poll(() => page.getByRole("switch", { name: "Exclude flagged values" }).isChecked(), WAIT).toBe(true);
    await page.getByRole("switch", { name: "Exclude flagged values" }).click({ force: true });
  });

  it("draws the daily cycle, the heights and the uncertainty of each station, and saves them as one figure", async () => {
    for (const name of [/^Daily cycle/, /^Spread by height/, /^Formal uncertainty of ZTD/])
      await page.getByRole("img", { name }).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("menuitem", { name: "Figure…" }).click();
    const { name, bytes } = await saveFigureAs(page, "PNG");
    expect(name).toMatch(/^zenith-compare-stations-ztd-.*\.png$/);
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(await axeViolations(page)).toEqual([]);
  });

  it("shows the rate of PWV over a chosen window", async () => {
    await part(page, "PWV rate");
    await page.getByText(/within 30 min on both sides/).waitFor();
    await page.getByLabel("Window, min").fill("180");
    await page.keyboard.press("Enter");
    await page.getByText(/within 90 min on both sides/).waitFor();
    const { bytes } = await saved(page, "Rates as drawn");
    const rates = tableOf(bytes).map((row) => Number(row["mean_mm_per_h"]));
    expect(rates.length).toBeGreaterThan(1_000);
    expect(Math.max(...rates.map(Math.abs))).toBeLessThan(20);
  });

  it("derives the hydrostatic delay of a given pressure, labelled as derived, with its formula", async () => {
    await part(page, "Derived");
    await page.getByText(/^Derived here, not sent by the service/).waitFor();
    await page.getByRole("region", { name: "Formulas and constants" }).getByText("0.0022768 m/hPa").waitFor();
    const table = page.getByRole("region", { name: "Derived quantities" });
    const pressure = table.getByLabel(/^Pressure at/).first();
    // A number out of range, or no number, stays with the reason, and has no result; nothing moves. A decimal comma is
    // understood.
    const results = (): Promise<string> =>
      table
        .locator("tbody td:not(:has(input))")
        .evaluateAll((cells) => cells.map((cell) => (cell as HTMLElement).innerText).join(" "));
    await expect.poll(results).toMatch(/\d ±/);
    const answered = await results();
    const box = await table.boundingBox();
    await pressure.fill("1200,5");
    await page.keyboard.press("Tab");
    const outOfRange = table.getByText("From 300 to 1100.");
    await outOfRange.waitFor();
    expect(await outOfRange.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
    // Its cell does not cut it off.
    const isInSight = outOfRange.evaluate((text) => {
      const { left, top, width, height } = text.getBoundingClientRect();
      return text.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    expect(await isInSight).toBe(true);
    await expect.poll(results).not.toMatch(/\d ±/);
    expect(await page.getByRole("figure").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Save", exact: true }).count()).toBe(0);
    expect(await table.boundingBox()).toEqual(box);
    await pressure.fill("");
    await page.keyboard.press("Enter");
    await expect.poll(results).toBe(answered);
    await pressure.fill("99O");
    await page.keyboard.press("Enter");
    await table.getByText("This is not a number.").waitFor();
    // From the value before; without one, the nearest in range.
    await pressure.press("ArrowUp");
    expect(await pressure.inputValue()).toBe("300");
    await pressure.fill("989,5");
    await page.keyboard.press("Enter");
    await expect.poll(() => pressure.inputValue()).toBe("989.5");
    await pressure.fill("989");
    await pressure.press("ArrowUp");
    const first = async (): Promise<Record<string, string>> =>
      tableOf((await saved(page, "Derived quantities")).bytes)[0]!;
    await expect.poll(async () => (await first())["pressure_from"], WAIT).toBe("given");
    const row = await first();
    expect(row["temperature_from"]).toBe("standard atmosphere");
    const file = "cache-demo.db";
    const cache = openCache(join(shell.dataFolder, file));
    const station = cache.station(row["station_id"]!)!;
    cache.close();
    const [height, latitude] = [station.orthometricHeight!, station.latitudeDeg!];
    const zhd = (2.2768 * 990) / (1 - 0.00266 * Math.cos((2 * latitude * Math.PI) / 180) - 2.8e-7 * height);
    expect(Number(row["zhd_derived_mm"])).toBeCloseTo(zhd, 6);
    expect(Number(row["zwd_derived_mm"])).toBeCloseTo(Number(row["ztd_mean_mm"]) - zhd, 6);
    expect(await axeViolations(page)).toEqual([]);
  });

  it("draws the derived quantities over time, with their band, formula and the source of the pressure", async () => {
    for (const [id, title] of [
      ["zhd", "Hydrostatic delay (ZHD), derived here"],
      ["zwd", "Wet delay (ZWD), derived here"],
      ["iwv", "Integrated water vapour (IWV), derived here"],
    ] as const) {
      const figure = page.locator(`[data-figure="${id}"]`);
      await figure.getByRole("heading", { name: title }).waitFor();
      // One pressure was entered in a previous test.
      await figure.getByText(/Pressure given for 1 station, standard atmosphere \(not measured\) for 2/).waitFor();
    }
    await page.locator('[data-figure="iwv"]').getByText("Rv 461.5 J kg⁻¹ K⁻¹").waitFor();

    // Stepping back and forth fixes the range, which moves with the clock until then.
    await page.keyboard.press("[");
    await page.keyboard.press("]");
    const shown = page.getByRole("button", { name: /UTC/ }).first();
    await expect.poll(() => shown.innerText(), WAIT).not.toContain("Last 7 days");
    const [, day = "", minute = ""] = /(\d{4}-\d\d-\d\d) (\d\d:\d\d)/.exec(await shown.innerText()) ?? [];
    const { name, bytes } = await saved(page, "Derived series as drawn");
    expect(name).toMatch(/^zenith-compare-derived-\d{8}-\d{8}-series\.csv$/);
    const rows = tableOf(bytes);
    const given = rows.filter((row) => row["pressure_from"] === "given");
    const [{ station_id: id = "" } = {}] = given;
    expect(new Set(given.map((row) => row["station_id"]))).toEqual(new Set([id]));
    // The means are those of the cached rows, and the file has no lines for times without rows.
    const file = "cache-demo.db";
    const cache = openCache(join(shell.dataFolder, file));
    const { orthometricHeight, latitudeDeg } = cache.station(id)!;
    const range = { startMs: Date.parse(`${day}T${minute}Z`), endMs: 4e12 };
    const cached = cache.rows({ stationId: id, variables: ["ztd"], range, intervalSeconds: null, raw: false });
    cache.close();
    const ztd = cached.columns.ztd!.values as Float64Array;
    const values = ztd.filter((value) => !Number.isNaN(value));
    const zhd =
      (2.2768 * 990) / (1 - 0.00266 * Math.cos((2 * latitudeDeg! * Math.PI) / 180) - 2.8e-7 * orthometricHeight!);
    const n = given.reduce((sum, row) => sum + Number(row["n"]), 0);
    const zwd = given.reduce((sum, row) => sum + Number(row["n"]) * Number(row["zwd_derived_mm"]), 0) / n;
    expect(n).toBe(values.length);
    expect(zwd).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / n - zhd, 6);
    for (const row of given) {
      expect(Number(row["zhd_derived_mm"])).toBeCloseTo(zhd, 6);
      expect(Number(row["zwd_sigma_mm"])).toBeGreaterThan((0.5 * 2_276.8) / 1_000);
    }
  });

  it("reads values of the figures by pointer and keyboard, at the same time in all of them", async () => {
    const [zhd, zwd] = ["zhd", "zwd"].map((id) => page.locator(`[data-figure="${id}"]`));
    const slider = zhd!.getByRole("slider");
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toMatch(/UTC: .* [\d,]+\.\d ± \d+\.\d mm/);
    await expect.poll(() => moment(zwd!), WAIT).not.toBeNull();
    const before = await moment(zwd!);
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(() => moment(zwd!), WAIT).not.toBe(before);
    const after = await moment(zwd!);
    await expect.poll(() => moment(zhd!), WAIT).toBe(after);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => zwd!.locator("[data-moment]").count()).toBe(0);
    const canvas = zwd!.locator("canvas");
    await canvas.scrollIntoViewIfNeeded();
    await canvas.hover({ force: true, position: { x: 200, y: 100 } });
    await zwd!
      .getByText(/ mm( |$)/)
      .first()
      .waitFor();
  });

  it("compares the stations with a file of another product, matched by id or manually", async () => {
    await part(page, "Product");
    await page.getByRole("heading", { name: "No open file contains ZTD" }).waitFor();
    // The values of the first station minus 3 mm, under its id, with one outlier.
    const [first, second] = await chosenStations(page, shell);
    const rows = ztdOf(shell, first!.id);
    const lines = rows.map(
      ([timeMs, ztd], i) =>
        `${first!.id},${new Date(timeMs).toISOString()},${(ztd - 3 + (i === 9 ? 500 : 0)).toFixed(1)}`,
    );
    await shell.drop("product.csv", `station_id,time,ztd_mm\r\n${lines.join("\r\n")}\r\n`);
    const table = page.getByRole("region", { name: "Matched sites" });
    const own = table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: first!.name, exact: true }) });
    const bias = async (): Promise<number> => numberOf(await own.getByRole("cell").nth(5).innerText());
    await expect.poll(bias, WAIT).toBeCloseTo(3 - 500 / rows.length, 1);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("button", { name: /Outliers/ }).click();
    await page.getByRole("option", { name: "Within 10 σ" }).click();
    await expect.poll(bias, WAIT).toBeCloseTo(3, 1);
    await expect.poll(() => own.getByRole("cell").nth(4).innerText(), WAIT).toBe("1");

    const other = table
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: second!.name, exact: true }) });
    await expect.poll(() => other.getByRole("cell").nth(5).innerText(), WAIT).toBe("–");
    await other.getByRole("button", { name: /Site for/ }).click();
    await page.getByRole("option", { name: first!.name }).click();
    await expect.poll(() => other.getByRole("cell").nth(3).innerText(), WAIT).not.toBe("–");
    await page.getByRole("heading", { name: "ZTD minus product.csv" }).waitFor();
    const html = await saved(page, "Report as HTML");
    expect(html.name).toBe("comparison-product.html");
    const report = html.bytes.toString("utf8");
    expect(report).toContain("compare cache product.csv");
    // The address of the demo is no source of data.
    expect(report).toContain("Cache of the demo, with simulated data");
    expect(report).toContain(`<td class="name">${first!.name}</td>`);
    // Another window shows the report with its figures, without any requests.
    const view = await (await chromiumBrowser()).newPage();
    const requests: string[] = [];
    view.on("request", (request) => requests.push(request.url()));
    await view.setContent(report);
    await view.getByRole("img", { name: "Taylor diagram" }).waitFor();
    expect(await view.getByRole("img").count()).toBeGreaterThan(4);
    expect(await view.getByRole("heading", { name: "Method" }).isVisible()).toBe(true);
    expect(requests).toEqual([]);
    await view.close();
    const { name, bytes } = await saved(page, "Statistics");
    expect(name).toMatch(/^zenith-compare-product-ztd-.*-statistics\.csv$/);
    expect(tableOf(bytes).map((row) => [row["station_id"], row["match"]])).toEqual([
      [first!.id, "id"],
      [second!.id, "chosen"],
    ]);
    expect(await axeViolations(page)).toEqual([]);
  });

  it("compares one file with another, and vice versa", async () => {
    const [first] = await chosenStations(page, shell);
    // 5 mm less than the station, where the other file has 3 mm less, and a site without a match.
    const rows = ztdOf(shell, first!.id).map(
      ([timeMs, ztd]) => `${first!.id},${new Date(timeMs).toISOString()},${(ztd - 5).toFixed(1)}`,
    );
    const lines = [...rows, rows[0]!.replace(first!.id, "NOWH")];
    await shell.drop("older.csv", `station_id,time,ztd_mm\r\n${lines.join("\r\n")}\r\n`);
    const choose = async (side: "A" | "B", name: string): Promise<void> => {
      await page
        .getByRole("group", { name: "How the file is compared" })
        .getByRole("button", { name: new RegExp(` ${side}$`) })
        .click();
      await page.getByRole("option", { name, exact: true }).click();
    };
    await choose("A", "older.csv");
    await choose("B", "product.csv");
    await page.getByRole("heading", { name: "ZTD of older.csv minus product.csv" }).waitFor();
    await page.getByText("A is older.csv, B product.csv; all numbers are A − B. 1 site of A has no match.").waitFor();
    const table = page.getByRole("region", { name: "Matched sites" });
    const bias = async (): Promise<number> =>
      numberOf(await table.getByRole("row").nth(1).getByRole("cell").nth(5).innerText());
    await expect.poll(bias, WAIT).toBeCloseTo(-2, 1);
    expect(await table.getByRole("rowheader").allInnerTexts()).toEqual([first!.name, "NOWH"]);
    await shoot(page, "compare-files");
    expect(await axeViolations(page)).toEqual([]);
    const html = await saved(page, "Report as HTML");
    expect(html.bytes.toString("utf8")).toContain("compare older.csv product.csv");
    // Choosing the file of the other side swaps them.
    await choose("A", "product.csv");
    await page.getByRole("heading", { name: "ZTD of product.csv minus older.csv" }).waitFor();
    await expect.poll(bias, WAIT).toBeCloseTo(2, 1);
    await page.getByRole("button", { name: "Close older.csv" }).click();
    await page.getByRole("heading", { name: "ZTD minus product.csv" }).waitFor();
  });

  it("derives PWV from the ZTD of a file, by the standard atmosphere or the pressures of another file", async () => {
    const [first] = await chosenStations(page, shell);
    const rows = ztdOf(shell, first!.id);
    const place = `${first!.id};60;24;0`;
    const table = (quantity: string, valueAt: (ztd: number) => number): string =>
      [
        `station_id;latitude;longitude;height;time;${quantity}`,
        ...rows.map(([timeMs, ztd]) => `${place};${new Date(timeMs).toISOString()};${valueAt(ztd)}`),
      ].join("\n");
    await shell.drop(
      "delays.csv",
      table("ztd_mm", (ztd) => ztd),
    );
    // 10 hPa above the standard atmosphere at the height of the site.
    await shell.drop(
      "met.csv",
      table("pressure_hPa", () => 1_023.25),
    );
    await page.getByRole("button", { name: "Close met.csv" }).waitFor();
    const bar = page.getByRole("group", { name: "How the file is compared" });
    await page.getByRole("group", { name: "Variables" }).getByRole("button", { name: "PWV", exact: true }).click();
    for (const [side, name] of [
      ["A", "Selected stations"],
      ["B", "delays.csv"],
    ]) {
      await bar.getByRole("button", { name: new RegExp(` ${side}$`) }).click();
      await page.getByRole("option", { name: name!, exact: true }).click();
    }
    await page.getByRole("heading", { name: "PWV minus delays.csv" }).waitFor();
    const own = page.getByRole("region", { name: "Matched sites" }).getByRole("row").nth(1);
    const bias = async (): Promise<number> => numberOf(await own.getByRole("cell").nth(5).innerText());
    await expect.poll(async () => Number.isFinite(await bias()), WAIT).toBe(true);
    await page
      .getByText(/PWV of delays\.csv was derived from ZTD with the pressure of the standard atmosphere/)
      .waitFor();
    const standard = await bias();
    await bar.getByRole("button", { name: /PWV derived from ZTD with/ }).click();
    await page.getByRole("option", { name: "PWV by the pressure of met.csv" }).click();
    // 22.8 mm less wet delay correspond to 3.6 mm less water.
    await expect.poll(async () => (await bias()) - standard, WAIT).toBeCloseTo(3.6, 0);
    const html = await saved(page, "Report as HTML");
    expect(html.bytes.toString("utf8")).toContain("--pressure met.csv");
    expect(await axeViolations(page)).toEqual([]);
  });

  it("interpolates a grid to the stations by the chosen method", async (context) => {
    const [first] = await chosenStations(page, shell);
    const hours = ztdOf(shell, first!.id).flatMap(([ms]) => (ms % 3_600_000 === 0 ? [ms / 1_000] : []));
    const folder = scratchFolder();
    // The grid points are far from all stations.
    const cdl = `netcdf model {
dimensions: time = ${hours.length} ; latitude = 2 ; longitude = 2 ;
variables: int time(time) ; time:units = "seconds since 1970-01-01" ;
  float latitude(latitude) ; latitude:units = "degrees_north" ;
  float longitude(longitude) ; longitude:units = "degrees_east" ;
  float ztd(time, latitude, longitude) ; ztd:units = "mm" ; ztd:long_name = "zenith total delay" ;
data: time = ${hours.join()} ; latitude = 89, -89 ; longitude = -179, 179 ;
  ztd = ${hours.map(() => "2300, 2300, 2300, 2300").join()} ;
}`;
    writeFileSync(join(folder, "model.cdl"), cdl);
    runTool(context, "ncgen", ["-o", join(folder, "model.nc"), join(folder, "model.cdl")]);
    await shell.drop("model.nc", readFileSync(join(folder, "model.nc")));
    const bar = page.getByRole("group", { name: "How the file is compared" });
    await page.getByRole("group", { name: "Variables" }).getByRole("button", { name: "ZTD", exact: true }).click();
    await bar.getByRole("button", { name: / B$/ }).click();
    await page.getByRole("option", { name: "model.nc", exact: true }).click();
    await page.getByRole("heading", { name: "ZTD minus model.nc" }).waitFor();
    await page.getByText(/model\.nc is a grid of 178° × 358° .* interpolated to each site/).waitFor();
    const table = page.getByRole("region", { name: "Matched sites" });
    const own = table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: first!.name, exact: true }) });
    const atHours = ztdOf(shell, first!.id).filter(([ms]) => ms % 3_600_000 === 0);
    const mean = atHours.reduce((sum, [, value]) => sum + value, 0) / atHours.length;
    await expect
      .poll(async () => numberOf(await own.getByRole("cell").nth(5).innerText()), WAIT)
      .toBeCloseTo(mean - 2_300, 1);
    await shoot(page, "compare-grid");
    await bar.getByRole("button", { name: /Values of the grid/ }).click();
    await page.getByRole("option", { name: "Nearest point of the grid" }).click();
    await page.getByText(/No selected station matches a site of this file by ID, name or distance\./).waitFor();
    // In the other direction, the grid is also read at the sites of the file.
    await bar.getByRole("button", { name: / A$/ }).click();
    await page.getByRole("option", { name: "model.nc", exact: true }).click();
    await bar.getByRole("button", { name: / B$/ }).click();
    await page.getByRole("option", { name: "delays.csv", exact: true }).click();
    await bar.getByRole("button", { name: /Values of the grid/ }).click();
    await page.getByRole("option", { name: "Grid interpolated to each site" }).click();
    await page.getByRole("heading", { name: "ZTD of model.nc minus delays.csv" }).waitFor();
    await table.getByRole("rowheader", { name: "60.000° N 24.000° E", exact: true }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it("compares the stations with the cache of another connection", async () => {
    await chosenStations(page, shell);
    const bar = page.getByRole("group", { name: "How the file is compared" });
    for (const [side, name] of [
      ["A", /^Selected stations$/],
      ["B", /^Cache of 127\.0\.0\.1/],
    ] as const) {
      await bar.getByRole("button", { name: new RegExp(` ${side}$`) }).click();
      await page.getByRole("option", { name }).click();
    }
    await page.getByText(/^A is stations, B 127\.0\.0\.1.*There are no common epochs in this range/).waitFor();
    const table = page.getByRole("region", { name: "Matched sites" });
    await table.getByText("same id").first().waitFor();
    const html = await saved(page, "Report as HTML");
    expect(html.bytes.toString("utf8")).toMatch(/compare cache .?cache:127\.0\.0\.1/);
    expect(await axeViolations(page)).toEqual([]);
  });

  it("explains what to do with one station, and without cached data", async () => {
    await part(page, "Pairs");
    await pairs(page).getByRole("row").nth(3).waitFor();
    const chosen = (await pairs(page).locator("tbody th").allInnerTexts()).flatMap((name) => name.split(" − "));
    for (let n = 0; n < 2; n++) await page.keyboard.press("[");
    await page.getByRole("status").getByText("No data are cached for this range.").waitFor();
    for (const name of [...new Set(chosen)].slice(0, 2)) {
      await page.getByRole("searchbox", { name: /Find|Name/ }).fill(name);
      const found = page.getByRole("grid", { name: "Stations" }).getByRole("row").filter({ hasText: name }).first();
      await found.locator("[data-tick]").click();
      await found.and(page.locator("[aria-selected=false]")).waitFor();
    }
    await page.getByRole("heading", { name: "Select two stations to compare" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});
