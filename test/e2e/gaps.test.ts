import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningService, startService } from "#service/index.ts";
import { decimal } from "#shared/text.ts";
import { KEY } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";
import { tinyWorld } from "../service/tinyWorld.ts";
import { SOON } from "./harness/soon.ts";
import { saveFigureAs } from "./harness/figure.ts";
import { forEachShell } from "./harness/forEachShell.ts";
import { shoot } from "./harness/shoot.ts";
import { allCached, choose, connect, drawer, fetchButton, setRange } from "./harness/steps.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.UTC(2026, 8, 1);
const NOW_MS = START_MS + 31 * HOUR_MS;

const HOURS_OF_DATA = 30.5;

/**
 * Every 5 minutes from the first of September to 06:30 of the second; jammed from 6 to 9, silent from 12 to 14 of the
 * first. They end shortly before the service's now: its clock is believed, far as it is from this computer's.
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

/** Within the same limits while it is jammed, so that the axis of values does not move when that is shown. */
function ztdMm(hour: number): number {
  return isJammed(hour) ? 2395 + (Math.round(hour * 12) % 5) : 2400 + 10 * Math.sin(hour / 3);
}

forEachShell("gaps", { shells: tries(1, Infinity) }, (shell) => {
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

  const causes = () => shell().page.getByRole("list", { name: "Causes of gaps" }).getByRole("listitem").allInnerTexts();

  /** Hours of the first of September that queries asked for. */
  const rangesAsked = () =>
    service.stats.log
      .flatMap(({ query }) => query ?? [])
      .map(({ raw, startMs, endMs }) => ({
        raw,
        fromHour: (startMs - START_MS) / HOUR_MS,
        toHour: (endMs - START_MS) / HOUR_MS,
      }))
      .toSorted((a, b) => a.fromHour - b.fromHour);

  it("says what was never asked, and what lies before the first observation", async () => {
    const { page } = shell();
    await connect(page, service.url, KEY);
    await choose(page, ["Gappy"]);
    await setRange(page, "2026-08-31 12:00", "2026-09-02 07:00");
    await expect.poll(causes, SOON).toEqual(["not downloaded", "before history"]);
  });

  it("fetches one gap where it is pressed", async () => {
    const { page } = shell();
    const plot = page.getByRole("region", { name: "Zenith total delay" }).locator("canvas").first();
    const box = (await plot.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
    await page.getByRole("tooltip").filter({ hasText: "Gappy: not downloaded" }).waitFor();
    await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.5);
    const dialog = page.getByRole("dialog", { name: "Not downloaded" });
    await fetchButton(page).or(dialog).first().waitFor();
    await shoot(page, "gap-fetch");
    await dialog.getByRole("button", { name: /^Fetch/ }).click();
    await expect.poll(causes, SOON).toEqual(["missing (cause unknown)", "may still change", "before history"]);
    // Nothing is left to ask: the gap was fetched with all that is shown.
    await allCached(page);
    expect(service.stats.log.filter((r) => r.endpoint === "query")).toHaveLength(1);
  });

  it("shows rejected data in all gaps at once: what they cost, and nothing but them", async () => {
    const { page } = shell();
    const look = page.getByRole("button", { name: /^Show rejected data/ });
    await expect.poll(() => look.innerText(), SOON).toMatch(/^Show rejected data: 2 gaps, 60 points · 2 requests/);
    await shoot(page, "gaps-unknown");
    service.resetStats();
    await look.click();
    // Where even the raw series is empty, one answer does not settle that nothing was sent.
    await expect
      .poll(causes, SOON)
      .toEqual(["filtered out", "missing (cause unknown)", "may still change", "before history"]);
    expect(rangesAsked()).toEqual([
      { raw: true, fromHour: 6, toHour: 9 },
      { raw: true, fromHour: 12, toHour: 14 },
    ]);
    const left = expect.stringMatching(/^Show rejected data: 1 gap, 24 points · 1 request/);
    await expect.poll(() => look.allInnerTexts(), SOON).toEqual([left]);
    const list = await drawer(page);
    const jobs = list.getByRole("listitem").filter({ hasText: "2 parts of it" });
    await expect.poll(() => jobs.count(), SOON).toBe(1);
    await page.getByRole("button", { name: /^Jobs/ }).click();
    await list.waitFor({ state: "detached" });

    // What was filtered out lies there now, a point for each row, and nothing anywhere else.
    await expect.poll(() => rawInk(page), SOON).toSatisfy(isInside(36 * 4));
    await shoot(page, "raw-rows");
  });

  it("believes that nothing was sent when a later answer says it again", async () => {
    const { page } = shell();
    const look = page.getByRole("button", { name: /^Show rejected data/ });
    nowMs += 6 * MINUTE_MS;
    service.resetStats();
    const jobs = await drawer(page);
    const before = await jobs.getByRole("listitem").count();
    // One answer whose clock jumped is not believed; the next one, which agrees with it, is.
    await look.click();
    await expect.poll(() => rangesAsked().length, SOON).toBe(1);
    // A download under way has claimed the gap: what is pressed meanwhile asks for nothing.
    await expect.poll(() => jobs.getByRole("listitem").count(), SOON).toBe(before + 1);
    await jobs.getByRole("listitem").first().getByText("Finished").waitFor();
    await look.click();
    await expect.poll(causes, SOON).toEqual(["nothing sent", "filtered out", "may still change", "before history"]);
    const again = { raw: true, fromHour: 12, toHour: 14 };
    expect(rangesAsked()).toEqual([again, again]);
    await expect.poll(() => look.count(), SOON).toBe(0);
    await page.getByRole("button", { name: /^Jobs/ }).click();
    await jobs.waitFor({ state: "detached" });
  });

  it("reads out raw rows as what they are, and counts none of them", async () => {
    const { page } = shell();
    const readout = page.locator("[data-moment]");
    // Where the plot is drawn anew under the cursor, that has to move again.
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
    expect(await readout.innerText()).toContain(`${decimal(ztdMm(hour), 1)} mm, raw: filtered out by the service`);
    await expect.poll(() => hourAt(11), SOON).toBeCloseTo(11, 0);
    expect(await readout.innerText()).not.toContain("raw");
    await hoverAt(page, 13);
    await expect.poll(() => readout.innerText(), SOON).toContain("nothing sent");
    await page.getByRole("button", { name: "Statistics of the visible range" }).click();
    const row = page.getByRole("row", { name: /ZTD mm/ });
    await expect.poll(() => row.getByRole("cell").nth(1).innerText(), SOON).toBe(String(HOURS_OF_DATA * 12 - 24 - 36));
    await shoot(page, "raw-rows-statistics");
    await page.getByRole("button", { name: "Statistics of the visible range" }).click();
  });

  it("says in a picture what they are, where they are shown", async () => {
    const { page, kind } = shell();
    if (kind !== "web") return;
    const svg = async (): Promise<string> => {
      await page.getByRole("button", { name: "Save figure…" }).click();
      return (await saveFigureAs(page, "SVG")).bytes.toString("utf8");
    };
    expect(await svg()).toContain("Dim points: observations rejected");
    await page.keyboard.press("r");
    expect(await svg()).not.toContain("raw rows");
    await page.keyboard.press("r");
    await page.getByText("raw rows behind").waitFor();
  });

  it("tells silence from the quality filter once the raw series is there", async () => {
    const { page } = shell();
    await page.getByRole("radio", { name: "Raw" }).click();
    await fetchButton(page).click();
    await page.getByRole("radio", { name: "Filtered" }).click();
    await expect.poll(causes, SOON).toEqual(["nothing sent", "filtered out", "may still change", "before history"]);
    // All raw rows are there now: those that passed the filter still hide behind themselves.
    await expect.poll(() => rawInk(page), SOON).toSatisfy(isInside(36 * 4));
    await shoot(page, "gaps");
  });

  it("shows rejected data as means of an interval in the same interval, a gap at a time", async () => {
    const { page } = shell();
    await chooseInterval(page, "15 min means");
    // Those of the service, not of what is cached.
    await page.getByRole("button", { name: "Undo" }).click();
    await fetchButton(page).click();
    await expect.poll(causes, SOON).toContain("missing (cause unknown)");
    service.resetStats();
    await hoverAt(page, 7.5);
    await page.getByRole("tooltip").filter({ hasText: "Press to show rejected data" }).waitFor();
    await page.mouse.down();
    await page.mouse.up();
    const dialog = page.getByRole("dialog", { name: "Nothing sent, or filtered out" });
    await dialog.getByRole("button", { name: /^Show rejected data · 12 points · 1 request/ }).click();
    await expect.poll(causes, SOON).toContain("filtered out");
    expect(rangesAsked()).toEqual([{ raw: true, fromHour: 6, toHour: 9 }]);
    expect(service.stats.log.flatMap(({ query }) => query?.intervalSeconds ?? [])).toEqual([900]);
    await expect.poll(() => rawInk(page), SOON).toSatisfy(isInside(12 * 4));
    await hoverAt(page, 7.5);
    await expect.poll(() => page.locator('[data-moment] [data-raw="ztd"]').count(), SOON).toBe(1);
    await chooseInterval(page, "Every observation");
  });

  it("says so where the key may not see a station any more, and goes on with the others", async () => {
    const { page } = shell();
    const [, gone] = service.world.stations;
    service.setOrganization("test", { withheldStationIds: [gone!.id] });
    await choose(page, ["Gappy", "Taken away"]);
    await fetchButton(page).click();
    await expect.poll(causes, SOON).toContain("no entitlement");
    const job = (await drawer(page)).getByRole("listitem").first();
    await job
      .getByText(/forbidden/)
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
  /** Pixels of the panel of ZTD that raw rows make blue, as the station is, while it was jammed. */
  readonly inside: number;
  /** Pixels that they change at other times. */
  readonly outside: number;
}

/** Whether raw rows show while it was jammed, in so many pixels at least, and change nothing at other times. */
function isInside(pixels: number): (ink: Ink) => boolean {
  return ({ inside, outside }) => inside > pixels && outside === 0;
}

/** What raw rows add to the picture: they are hidden and shown again by their key. */
async function rawInk(page: Page): Promise<Ink> {
  const shown = page.getByText("raw rows behind");
  const host = page.locator('[data-variable="ztd"]');
  const grab = () =>
    host.evaluateHandle((panel) => {
      const canvas = panel.querySelector("canvas")!;
      return canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    });
  // A line that is looked at pushes the others back.
  await page.mouse.move(4, 4);
  await shown.waitFor();
  const withThem = await grab();
  await page.keyboard.press("r");
  await shown.waitFor({ state: "detached" });
  const without = await grab();
  await page.keyboard.press("r");
  await shown.waitFor();
  return host.evaluate(
    (panel, { withThem: a, without: b, from, to }) => {
      const frame = panel.querySelector("canvas")!.getBoundingClientRect();
      const over = panel.querySelector(".u-over")!.getBoundingClientRect();
      const xOf = (share: number): number => ((over.left - frame.left + share * over.width) * a.width) / frame.width;
      const ink = { inside: 0, outside: 0 };
      for (let at = 0; at < a.data.length; at += 4) {
        if ([0, 1, 2, 3].every((i) => a.data[at + i] === b.data[at + i])) continue;
        const x = (at / 4) % a.width;
        // Where raw rows are shown, the hatch of the gap steps back too: that is no blue.
        const [isBlue, wasBlue] = [a, b].map(({ data }) => data[at + 2]! - data[at]! > 20 && data[at + 3]! > 60);
        if (x < xOf(from) - 3 || x > xOf(to) + 3) ink.outside++;
        else if (isBlue && !wasBlue) ink.inside++;
      }
      return ink;
    },
    { withThem, without, from: shareOf(6), to: shareOf(9) },
  );
}

async function chooseInterval(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /Interval/ }).click();
  await page.getByRole("option", { name, exact: true }).click();
}
