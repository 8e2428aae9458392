import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it, vi } from "vitest";
import { readCsv } from "../formats/csvReader.ts";
import { saveFigureAs } from "../e2e/harness/figure.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { downloaded } from "../e2e/harness/downloaded.ts";
import type { OpenShell } from "../e2e/harness/shell.ts";
import { choose, connect, drawer, setRange } from "../e2e/harness/steps.ts";
import { SOON } from "../e2e/harness/soon.ts";
import type { RequestRecord } from "#service/stats.ts";
import { KEY, NOW_MS } from "../support/desk.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const DAYS = 10;
const DAY_POINTS = 2_880;
const calendar = (page: Page): Locator => page.getByRole("grid", { name: /^Completeness/ });
const gaps = (page: Page): Locator => page.getByRole("region", { name: "Gaps and their causes" });

/**
 * The number of points in responses of the service, without those that confirm an absence: which times an answer lacks,
 * and the service is asked again about, is unknown when a cost is announced.
 */
function pointsReceived({ service }: OpenShell): number {
  const queries = (service?.stats.log ?? []).filter((r) => r.endpoint === "query");
  const isConfirmation = (r: RequestRecord, index: number): boolean =>
    queries.slice(0, index).some((q) => q.query?.raw === r.query?.raw && q.rows < (q.points ?? 0) && contains(r, q));
  return queries.reduce((sum, r, index) => sum + (isConfirmation(r, index) ? 0 : (r.points ?? 0)), 0);
}

function contains({ query: outer }: RequestRecord, { query: inner }: RequestRecord): boolean {
  return outer !== null && inner !== null && outer.startMs <= inner.startMs && inner.endMs <= outer.endMs;
}

forEachShell("availability and gaps", { shells: tries(1, Infinity), service: { now: () => NOW_MS } }, (page, shell) => {
  beforeAll(async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await connect(page, shell.service?.url ?? "", KEY);
  });

  it("shows missing data, and downloads a day at the announced cost", async () => {
    await page.keyboard.press("4");
    await page.getByText("No station selected").waitFor();
    await choose(page, ["Torsvika"]);
    await setRange(page, "2026-09-01", "2026-09-10");
    const row = calendar(page).getByRole("row").filter({ hasText: "Torsvika" });
    // The earlier range, which is shown until then, has 0 %, too.
    await calendar(page).getByText("09-01", { exact: true }).waitFor();
    await row.getByText("0 %", { exact: true }).waitFor();
    await calendar(page).focus();
    await page.keyboard.press("Home");
    const detail = page.getByRole("region", { name: "Day", exact: true });
    await detail.getByText("2026-09-01 UTC").waitFor();
    await detail.getByText("0 of 2,880 expected · 2,880 not downloaded").waitFor();
    await detail.getByRole("button", { name: /^Fetch 2,880 points · ~1 request/ }).click();
    await row.getByText("10.0 %").waitFor();
    await page.getByRole("button", { name: /^Status:/ }).click();
    await expect.poll(() => pointsReceived(shell), SOON).toBe(DAY_POINTS);
    // The menu of a complete day does not offer a download.
    await row.click({ button: "right", position: { x: 20, y: 8 } });
    const complete = page.getByRole("menu", { name: "Torsvika, 2026-09-01" });
    await complete.getByRole("menuitem", { name: "Copy the counts of this day" }).waitFor();
    expect(await complete.getByRole("menuitem", { name: "Fetch this day" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await complete.waitFor({ state: "detached" });
    await calendar(page).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+F10");
    const incomplete = page.getByRole("menu", { name: "Torsvika, 2026-09-02" });
    await incomplete.getByRole("menuitem", { name: "Fetch this day" }).waitFor();
    await incomplete.getByRole("menuitem", { name: "Show in Series" }).waitFor();
    await page.keyboard.press("Escape");
    await incomplete.waitFor({ state: "detached" });
  });

  it("downloads the rest of the table, and saves the same counts as the service", async () => {
    const { service } = shell;
    await page
      .getByRole("button", { name: /^Fetch 25,920 points/ })
      .last()
      .click();
    await calendar(page).getByText("100 %").last().waitFor();
    const file = await downloaded(page, async () => {
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("menuitem", { name: /^CSV/ }).click();
    });
    const [head, ...rows] = readCsv(file.bytes.toString("utf8"));
    const column = (name: string): string[] => rows.map((r) => r[head?.indexOf(name) ?? -1] ?? "");
    expect(column("day")).toHaveLength(DAYS);
    const response = await fetch(`${service?.url}/api/v1/measurements/query`, {
      method: "POST",
      headers: { "X-API-Key": KEY, "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({
        start_time: "2026-09-01T00:00:00Z",
        end_time: "2026-09-11T00:00:00Z",
        station_ids: [column("station_id")[0]],
        data_vars: ["ztd"],
      }),
    });
    const { data } = (await response.json()) as { data: { timestamp: string; ztd: number | null }[] };
    const byDay = Map.groupBy(
      data.filter((r) => typeof r.ztd === "number"),
      (r) => r.timestamp.slice(0, 10),
    );
    expect(column("received")).toEqual(column("day").map((day) => String(byDay.get(day)?.length ?? 0)));
    expect(new Set(column("expected"))).toEqual(new Set([String(DAY_POINTS)]));
    const missing = column("day").map((day) => String(DAY_POINTS - (byDay.get(day)?.length ?? 0)));
    expect(column("missing")).toEqual(missing);
  });

  it("is saved as a figure", async () => {
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("menuitem", { name: "Figure…" }).click();
    const { bytes } = await saveFigureAs(page, "PNG");
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    // 177 mm at 300 dots per inch.
    expect(bytes.readUInt32BE(16)).toBe(Math.round((177 / 25.4) * 300));
  });

  it("lists gaps, each with the mark of its cause", async () => {
    await page.keyboard.press("g");
    const pane = gaps(page);
    await pane.getByRole("button", { name: /^missing \(cause unknown\)/ }).click();
    const grid = pane.getByRole("grid");
    await grid.getByRole("row").filter({ hasText: "missing (cause unknown)" }).first().waitFor();
    // The column of causes is narrow, and its words are long.
    const swatches = await grid
      .getByRole("gridcell")
      .locator("svg")
      .evaluateAll((all) => all.map((svg) => svg.getBoundingClientRect().width));
    expect(new Set(swatches)).toEqual(new Set([20]));
    await grid.focus();
    await page.keyboard.press("Home");
  });

  it("shows rejected data in all listed gaps with one download at the announced cost", async () => {
    // Requests of earlier steps would count as those of this one.
    await page.getByRole("button", { name: /nothing running/ }).waitFor();
    const all = gaps(page).getByRole("button", {
      name: /^Find causes: \d+ gaps.* [\d,]+ points?/,
    });
    const words = await all.innerText();
    const points = Number(/([\d,]+) points?/.exec(words)?.[1]?.replaceAll(",", ""));
    expect(points).toBeGreaterThan(0);
    const before = pointsReceived(shell);
    await all.click();
    await expect.poll(() => pointsReceived(shell) - before, SOON).toBe(points);
    await expect.poll(() => all.count(), SOON).toBe(0);
    const jobs = (await drawer(page)).getByRole("listitem");
    const count = /(\d+) gaps/.exec(words)?.[1];
    await expect.poll(() => jobs.filter({ hasText: `${count} parts of it` }).count(), SOON).toBe(1);
    // Clear the filter by cause.
    await gaps(page)
      .getByRole("button", { name: /^missing \(cause unknown\)/ })
      .click();
  });

  it("opens a gap, and a day, in Series", async () => {
    await gaps(page).getByRole("grid").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Series", selected: true }).waitFor();
    await page.keyboard.press("g");
    await gaps(page).waitFor({ state: "detached" });
    await page.keyboard.press("4");
    await calendar(page).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Series", selected: true }).waitFor();
    await expect
      .poll(() => page.getByRole("group", { name: "Time range" }).innerText(), SOON)
      .toMatch(/2026-09-\d\d 00:00/);
    expect(shell.problems).toEqual([]);
  });
});
