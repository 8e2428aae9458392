import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningService, startService } from "#service/index.ts";
import { decimal } from "#shared/text.ts";
import { KEY } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";
import { tinyWorld } from "../service/tinyWorld.ts";
import { SOON } from "../e2e/harness/soon.ts";
import { saveFigureAs } from "../e2e/harness/figure.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { shoot } from "../e2e/harness/shoot.ts";
import { allCached, choose, connect, drawer, fetchButton, setRange } from "../e2e/harness/steps.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.UTC(2026, 8, 1);
const NOW_MS = START_MS + 31 * HOUR_MS;

const HOURS_OF_DATA = 30.5;

/**
 * Every 5 minutes from 1 September to 06:30 on 2 September; jammed from 6 to 9 and silent from 12 to 14 on the first
 * day. They end shortly before the time of the service, which counts although it differs from the time of this
 * computer.
 */
function epochs() {
  const hours = Array.from({ length: HOURS_OF_DATA * 12 }, (_, i) => i / 12).filter((hour) => hour < 12 || hour >= 14);
  return hours.map((hour) => ({
    time: new Date(START_MS + hour * HOUR_MS).toISOString(),
    quality: isJammed(hour) ? ("jamming" as const) : ("none" as const),
    ztd: ztdMm(hour),
    sigma: 1.5,
    pwv: 12 + Math.sin(hour / 3),
  }));
}

function isJammed(hour: number): boolean {
  return hour >= 6 && hour < 9;
}

/** Jammed values have the same bounds as others, so that showing them does not rescale the axis. */
function ztdMm(hour: number): number {
  return isJammed(hour) ? 2395 + (Math.round(hour * 12) % 5) : 2400 + 10 * Math.sin(hour / 3);
}

forEachShell("gaps", { shells: tries(1, Infinity) }, (page, shell) => {
  let service: RunningService;
  let nowMs = NOW_MS;

  beforeAll(async () => {
    const rate = { resolutionSeconds: 300, nativeSeconds: 300, epochs: epochs() };
    service = await startService({
      now: () => nowMs,
      world: tinyWorld([
        { ...rate, displayName: "Gappy" },
        { ...rate, displayName: "Taken away" },
      ]),
      organizations: [{ key: KEY, name: "test", owner: "a" }],
    });
  });
  afterAll(() => service.close());

  const causes = () => page.getByRole("list", { name: "Causes of gaps" }).getByRole("listitem").allInnerTexts();

  /** Requested ranges, in hours since the start of 1 September. */
  const requestedRanges = () =>
    service.stats.log
      .flatMap(({ query }) => query ?? [])
      .map(({ raw, startMs, endMs }) => ({
        raw,
        fromHour: (startMs - START_MS) / HOUR_MS,
        toHour: (endMs - START_MS) / HOUR_MS,
      }))
      .toSorted((a, b) => a.fromHour - b.fromHour);

  it("have the causes “not downloaded” and “before history” before a download", async () => {
    await connect(page, service.url, KEY);
    await choose(page, ["Gappy"]);
    await setRange(page, "2026-08-31 12:00", "2026-09-02 07:00");
    await expect.poll(causes, SOON).toEqual(["not downloaded", "before history"]);
  });

  it("are downloaded by a click", async () => {
    const plot = page.getByRole("region", { name: "Zenith total delay" }).locator("canvas").first();
    const box = (await plot.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
    await page.getByRole("tooltip").filter({ hasText: "Gappy: not downloaded" }).waitFor();
    await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.5);
    const dialog = page.getByRole("dialog", { name: "Not downloaded" });
    await fetchButton(page).or(dialog).first().waitFor();
    await shoot(page, "gap-fetch");
    await dialog.getByRole("button", { name: /^Fetch/ }).click();
    await expect.poll(causes, SOON).toEqual(["missing, may still arrive", "before history"]);
    // The gap spans all missing data of the view; what the service does not have is asked for once more.
    await allCached(page);
    expect(service.stats.log.filter((r) => r.endpoint === "query").length).toBeLessThanOrEqual(3);
  });

  it("show rejected data with one download of only these ranges, at the announced cost", async () => {
    await page.keyboard.press("r");
    const showRejected = page.getByRole("button", { name: /^Find causes/ });
    await expect.poll(() => showRejected.innerText(), SOON).toMatch(/^Find causes: \d gaps, \d+ points/);
    await shoot(page, "gaps-unknown");
    service.resetStats();
    await showRejected.click();
    // Where the raw series is also empty, one response does not prove that nothing was sent.
    await expect.poll(causes, SOON).toEqual(["filtered out", "missing, may still arrive", "before history"]);
    expect(requestedRanges()).toEqual(
      expect.arrayContaining([
        { raw: true, fromHour: 6, toHour: 9 },
        { raw: true, fromHour: 12, toHour: 14 },
      ]),
    );
    await expect.poll(() => showRejected.count(), SOON).toBe(0);

    // Rejected rows are drawn as points, and nothing else changed.
    await expect.poll(() => rawInk(page), SOON).toSatisfy(isInside(36 * 4));
    await shoot(page, "raw-rows");
  });

  it("label raw rows in the readout, and statistics exclude them", async () => {
    const readout = page.locator("[data-moment]");
    // A redrawn plot needs another movement of the cursor.
    const hourAt = async (pointed: number): Promise<number> => {
      await hoverAt(page, pointed);
      const [momentMs] = await readout.evaluateAll((all) =>
        all.map((each) => Number(each.getAttribute("data-moment"))),
      );
      return ((momentMs ?? 0) - START_MS) / HOUR_MS;
    };
    await expect.poll(() => hourAt(7.5), SOON).toBeCloseTo(7.5, 0);
    const hour = (Number(await readout.getAttribute("data-moment")) - START_MS) / HOUR_MS;
    expect(isJammed(hour)).toBe(true);
    expect(Number(await readout.locator('[data-raw="ztd"]').getAttribute("data-value"))).toBe(ztdMm(hour));
    expect(await readout.innerText()).toContain(`${decimal(ztdMm(hour), 1)} mm, raw`);
    await expect.poll(() => hourAt(11), SOON).toBeCloseTo(11, 0);
    expect(await readout.innerText()).not.toContain("raw");
    await hoverAt(page, 13);
    await expect.poll(() => readout.innerText(), SOON).toContain("may still arrive");
    await page.keyboard.press("s");
    const row = page.getByRole("row", { name: / ZTD / });
    await expect.poll(() => row.getByRole("cell").nth(1).innerText(), SOON).toBe(String(HOURS_OF_DATA * 12 - 24 - 36));
    await shoot(page, "raw-rows-statistics");
    await page.keyboard.press("s");
  });

  it("explain raw rows in a saved figure only while they are shown", async () => {
    const { kind } = shell;
    if (kind !== "web") return;
    const svg = async (): Promise<string> => {
      await page.keyboard.press("p");
      return (await saveFigureAs(page, "SVG")).bytes.toString("utf8");
    };
    expect(await svg()).toContain("Dim points: observations rejected");
    await page.keyboard.press("r");
    expect(await svg()).not.toContain("rejected data, dimmed");
    await page.keyboard.press("r");
    await page.getByText("rejected data, dimmed").waitFor();
  });

  it("keep their causes after the whole raw series was downloaded", async () => {
    const quality = page.getByRole("button", { name: "Quality filter of the service" });
    await quality.click();
    await page.getByRole("option", { name: "Raw" }).click();
    await fetchButton(page).click();
    await quality.click();
    // One choice: what the key R shows is what the list says.
    await page.getByRole("option", { name: "With rejected" }).click();
    await expect.poll(causes, SOON).toEqual(["filtered out", "missing, may still arrive", "before history"]);
    // All raw rows are cached, but only rejected ones are visible: the others are behind the filtered line.
    await expect.poll(() => rawInk(page), SOON).toSatisfy(isInside(36 * 4));
    await shoot(page, "gaps");
  });

  it("show rejected data of one gap at the interval of the view", async () => {
    await chooseInterval(page, "15 min means");
    // Undo replaces means of cached data by those of the service.
    await page.getByRole("button", { name: "Undo" }).click();
    await fetchButton(page).click();
    await expect.poll(causes, SOON).toContain("missing, may still arrive");
    service.resetStats();
    await hoverAt(page, 7.5);
    await page.getByRole("tooltip").filter({ hasText: "Press to find the cause" }).waitFor();
    await page.mouse.down();
    await page.mouse.up();
    const dialog = page.getByRole("dialog", { name: "Missing, may still arrive" });
    await dialog.getByRole("button", { name: /^Find the cause · 12 points · ~1 request/ }).click();
    await expect.poll(causes, SOON).toContain("filtered out");
    expect(requestedRanges()).toEqual([{ raw: true, fromHour: 6, toHour: 9 }]);
    expect(service.stats.log.flatMap(({ query }) => query?.intervalSeconds ?? [])).toEqual([900]);
    await expect.poll(() => rawInk(page), SOON).toSatisfy(isInside(12 * 4));
    await hoverAt(page, 7.5);
    await expect.poll(() => page.locator('[data-moment] [data-raw="ztd"]').count(), SOON).toBe(1);
    await chooseInterval(page, "Every observation");
  });

  it("have the cause “no access” if the key no longer covers a station, and the download reports it", async () => {
    const [, gone] = service.world.stations;
    service.setOrganization("test", { withheldStationIds: [gone!.id] });
    await choose(page, ["Gappy", "Taken away"]);
    await fetchButton(page).click();
    await expect.poll(causes, SOON).toContain("no access");
    const job = (await drawer(page)).getByRole("listitem").first();
    await job
      .getByText(/no access/)
      .first()
      .waitFor();
  });
});

const VIEW = { fromHour: -12, toHour: 31 };

function shareOf(hour: number): number {
  return (hour - VIEW.fromHour) / (VIEW.toHour - VIEW.fromHour);
}

async function hoverAt(page: Page, hour: number): Promise<void> {
  const box = (await page.locator('[data-variable="ztd"] .u-over').boundingBox())!;
  await page.mouse.move(box.x + box.width * shareOf(hour) + 40, box.y + box.height * 0.7);
  await page.mouse.move(box.x + box.width * shareOf(hour), box.y + box.height * 0.7);
}

interface Ink {
  /** Pixels of the ZTD panel that raw rows draw in the blue of the station during jamming. */
  readonly inside: number;
  /** Pixels that raw rows change at other times. */
  readonly outside: number;
}

/** Whether raw rows are drawn in at least this many pixels during jamming, and change nothing at other times. */
function isInside(pixels: number): (ink: Ink) => boolean {
  return ({ inside, outside }) => inside > pixels && outside === 0;
}

/** Compares the panel with and without raw rows, which the key R hides and shows. */
async function rawInk(page: Page): Promise<Ink> {
  const shown = page.getByText("rejected data, dimmed");
  const host = page.locator('[data-variable="ztd"]');
  const grab = () =>
    host.evaluateHandle((panel) => {
      const canvas = panel.querySelector("canvas")!;
      return canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    });
  // A line under the cursor dims the others.
  await page.mouse.move(4, 4);
  await shown.waitFor();
  const withRows = await grab();
  await page.keyboard.press("r");
  await shown.waitFor({ state: "detached" });
  const withoutRows = await grab();
  await page.keyboard.press("r");
  await shown.waitFor();
  return host.evaluate(
    (panel, { withRows: a, withoutRows: b, from, to }) => {
      const frame = panel.querySelector("canvas")!.getBoundingClientRect();
      const over = panel.querySelector(".u-over")!.getBoundingClientRect();
      const xOf = (share: number): number => ((over.left - frame.left + share * over.width) * a.width) / frame.width;
      const ink = { inside: 0, outside: 0 };
      for (let at = 0; at < a.data.length; at += 4) {
        if ([0, 1, 2, 3].every((i) => a.data[at + i] === b.data[at + i])) continue;
        const x = (at / 4) % a.width;
        // Raw rows also dim the hatch of the gap, which is not blue.
        const [isBlue, wasBlue] = [a, b].map(({ data }) => data[at + 2]! - data[at]! > 20 && data[at + 3]! > 60);
        if (x < xOf(from) - 3 || x > xOf(to) + 3) ink.outside++;
        else if (isBlue && !wasBlue) ink.inside++;
      }
      return ink;
    },
    { withRows, withoutRows, from: shareOf(6), to: shareOf(9) },
  );
}

async function chooseInterval(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /Interval/ }).click();
  await page.getByRole("option", { name, exact: true }).click();
}
