import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningService, startService } from "#service/index.ts";
import { KEY, NOW_MS } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { SOON } from "../e2e/harness/soon.ts";
import {
  allCached,
  checkNetwork,
  choose,
  connect,
  drawer,
  fetchButton,
  setRange,
  stations,
} from "../e2e/harness/steps.ts";

/** The smallest supported window. */
const SMALL = { width: 1024, height: 700 };
/** A window of 1440 by 900 with text at 200 %, and the smallest one. */
const DOUBLED = [
  { width: 720, height: 450 },
  { width: 512, height: 350 },
] as const;

const plots = (page: Page): Locator => page.getByRole("group", { name: "Plot", exact: true });

async function topOf(part: Locator): Promise<number> {
  return Math.round((await part.boundingBox())!.y);
}

/** Shows or hides the drawer with downloads. */
async function closeDrawer(page: Page): Promise<void> {
  await (await drawer(page)).waitFor();
  await page.keyboard.press("Control+j");
  await page.getByRole("region", { name: "Downloads and exports" }).waitFor({ state: "detached" });
}

forEachShell("messages", { shells: tries(1, Infinity) }, (page) => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ now: () => NOW_MS, organizations: [{ key: KEY, name: "test", owner: "aurora" }] });
  });
  afterAll(() => service.close());

  it("move neither plot nor list: an offer to fetch, nothing cached, an outage, an old list", async () => {
    await connect(page, service.url, KEY);
    await page.setViewportSize(SMALL);
    await choose(page, ["Kallio", "Torsvika"]);
    await setRange(page, "2026-09-01", "2026-09-01");
    const tops = async (): Promise<readonly number[]> =>
      Promise.all([plots(page), stations(page)].map(async (box) => (await box.boundingBox())!.y));
    await page.getByText(/^No data of these 2 stations are cached/).waitFor();
    await fetchButton(page).waitFor();
    // The button shows the number of requests; the time may be in its tooltip alone.
    const [button, requests] = await Promise.all(
      [fetchButton(page), fetchButton(page).getByText(/^· ~\d+ requests?/)].map((box) => box.boundingBox()),
    );
    expect(requests!.y + requests!.height).toBeLessThanOrEqual(button!.y + button!.height);
    const before = await tops();
    await fetchButton(page).click();
    await closeDrawer(page);
    await allCached(page);
    expect(await tops()).toEqual(before);
    await service.close();
    await checkNetwork(page);
    await page.getByRole("button", { name: /^Status: offline/ }).waitFor();
    await page.keyboard.press("Control+Shift+R");
    const notice = page.getByRole("button", { name: "The list was not refreshed" });
    await notice.waitFor();
    expect(await tops()).toEqual(before);
    expect(await stations(page).evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    await notice.click();
    await page
      .getByRole("dialog", { name: "State of the list of stations" })
      .getByText(/connection|answers/i)
      .waitFor();
    await page.keyboard.press("Escape");
  });
});

/** Names of the boxes within the views that have a scroll bar. */
function scrolled(page: Page): Promise<readonly string[]> {
  return page.getByRole("region", { name: "Views" }).evaluate((views) =>
    [views.parentElement!, ...views.querySelectorAll<HTMLElement>("*")].flatMap((box) => {
      const { overflowY, scrollbarWidth } = getComputedStyle(box);
      const isScrolled = /auto|scroll/.test(overflowY) && box.scrollHeight > box.clientHeight;
      return isScrolled && scrollbarWidth !== "none" ? [box.getAttribute("aria-label") ?? box.className] : [];
    }),
  );
}

/** Texts in a box that are cut at their end. */
function cutIn(box: Locator): Promise<readonly string[]> {
  return box.evaluateAll((cells) =>
    cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
  );
}

forEachShell("a small window", { shells: tries(1, Infinity) }, (page) => {
  beforeAll(async () => {
    await page.getByRole("button", { name: /Explore the demo/ }).click();
    await page.getByRole("group", { name: "Stations shown" }).getByRole("button").first().waitFor();
    await allCached(page);
    await page.setViewportSize(SMALL);
    for (let row = 1; row <= 7; row++)
      await stations(page).getByRole("row").nth(row).getByRole("gridcell").first().click();
    await page.getByRole("button", { name: "10 names" }).waitFor();
  });

  it("folds a legend of many lines instead of scrolling it, and shows a whole plot above the gaps", async () => {
    expect(await scrolled(page)).toEqual(["Values"]);
    await page.keyboard.press("g");
    const gaps = page.getByRole("grid", { name: /^Gaps/ });
    await gaps.getByRole("row").nth(2).waitFor();
    // The view and the list of gaps, and none within the other.
    await expect.poll(async () => (await scrolled(page)).length).toBe(2);
    const first = (await plots(page).getByRole("region").first().boundingBox())!;
    const list = (await gaps.boundingBox())!;
    expect(first.y + first.height).toBeLessThanOrEqual(list.y);
    expect(await cutIn(gaps.locator("[data-column=cause], [data-column=variable], [data-column=start]"))).toEqual([]);
    await page.keyboard.press("g");
    await gaps.waitFor({ state: "detached" });
  });

  it("shows the newest values of all stations, and scrolls them by mouse and keyboard", async () => {
    const values = page.getByRole("group", { name: "Values", exact: true });
    await values.getByText(/^newest shown/).waitFor();
    const names = await page.getByRole("group", { name: "Stations shown" }).getByRole("button").allInnerTexts();
    expect(await values.locator("b").allInnerTexts()).toEqual(expect.arrayContaining(names.slice(0, 3)));
    const last = values.locator("b").last();
    const isInSight = async (): Promise<boolean> => {
      const [box, row] = [(await values.boundingBox())!, (await last.boundingBox())!];
      return row.y + row.height <= box.y + box.height;
    };
    expect(await isInSight()).toBe(false);
    await values.focus();
    await page.keyboard.press("End");
    await expect.poll(isInSight, SOON).toBe(true);
    await values.evaluate((box) => box.scrollTo(0, 0));
    await values.hover();
    await page.mouse.wheel(0, 1_000);
    await expect.poll(isInSight, SOON).toBe(true);
    // No name is painted over the moment of the values.
    const atMoment = await values.getByText(/^newest shown/).evaluate((text) => {
      const { left, top, height } = text.getBoundingClientRect();
      return [20, 60, 100].map((x) => document.elementFromPoint(left + x, top + height / 2)?.closest("span") === text);
    });
    expect(atMoment).toEqual([true, true, true]);
  });

  it("shows statistics of ten stations with nothing to scroll sideways, and no scroller in another", async () => {
    await page.keyboard.press("s");
    const table = page.getByRole("region", { name: "Table of statistics" });
    await table.getByRole("cell", { name: /%$/ }).first().waitFor();
    for (const earlier of ["Nothing", "The year before"]) {
      await page.getByRole("button", { name: "Plot options" }).click();
      await page.getByRole("button", { name: /Compare with/ }).click();
      await page.getByRole("option", { name: earlier }).click();
      await page.keyboard.press("Escape");
      const bar = page.getByText(/^Short dashes/);
      await bar.waitFor({ state: earlier === "Nothing" ? "detached" : "visible" });
      expect(await scrolled(page)).toEqual(["Plot", "Values", "Table of statistics"]);
      expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    }
    // Each station has one line, with the values of both variables.
    const values = page.getByRole("group", { name: "Values", exact: true });
    expect(
      await values
        .locator("b")
        .first()
        .evaluate((name) => name.parentElement!.clientHeight),
    ).toBeLessThan(30);
    await page.getByRole("button", { name: "Hide the earlier time" }).click();
    await page.keyboard.press("s");
    await table.waitFor({ state: "detached" });
  });

  it("shows a separator only between parts of one line", async () => {
    const list = await drawer(page);
    await list.getByRole("listitem").first().waitFor();
    // Narrow enough that selections of downloads need several lines.
    await page.setViewportSize({ width: 720, height: 450 });
    const texts = (): Promise<readonly { readonly lines: number; readonly wrong: readonly string[] }[]> =>
      list.locator("[data-separated]").evaluateAll((all) =>
        all.map((text) => {
          const box = text.getBoundingClientRect();
          const parts = [...text.querySelectorAll<HTMLElement>(":scope > span > span")];
          const wrong = parts.filter((part, i) => {
            const sign = part.querySelector("span")?.getBoundingClientRect();
            const isFirst = parts[i - 1]?.offsetTop !== part.offsetTop;
            const isVisible = sign !== undefined && sign.right > box.left + 1;
            return isVisible === isFirst;
          });
          return { lines: new Set(parts.map((part) => part.offsetTop)).size, wrong: wrong.map((p) => p.textContent) };
        }),
      );
    await expect.poll(async () => Math.max(...(await texts()).map(({ lines }) => lines)), SOON).toBeGreaterThan(1);
    expect((await texts()).flatMap(({ wrong }) => wrong)).toEqual([]);
    await page.setViewportSize(SMALL);
    await closeDrawer(page);
  });

  it("leaves names beside the column of the map the room for their start and end, and reasons theirs", async () => {
    await page.keyboard.press("2");
    const heading = stations(page).getByRole("columnheader", { name: /^ZTD mm/ });
    await heading.waitFor();
    const long = stations(page).locator("[data-tail='(native)']");
    expect((await long.boundingBox())!.width).toBeGreaterThanOrEqual(105);
    expect(await cutIn(heading.locator("*"))).toEqual([]);
    const reasons = stations(page).getByRole("gridcell").and(page.locator("[data-column=onMap]"));
    await reasons.filter({ hasText: "not downloaded" }).first().waitFor();
    expect(await cutIn(reasons)).toEqual([]);
    expect(await stations(page).evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    await page.keyboard.press("1");
    await plots(page).waitFor();
  });

  it("has the variables, the mode and the cost in one row", async () => {
    for (const key of ["1", "2", "3", "5", "6"]) {
      await page.keyboard.press(key);
      const options = page.getByRole("button", { name: "Fetch options" });
      const chip = page.getByRole("group", { name: "Variables", exact: true }).getByRole("button").first();
      await expect.poll(async () => (await topOf(options)) - (await topOf(chip)), SOON).toBe(0);
    }
    await page.keyboard.press("1");
    await plots(page).waitFor();
  });

  it("dims no line of a dialog that does not scroll", async () => {
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press("e");
    const dialog = page.getByRole("dialog", { name: "Export" });
    await dialog.getByText(/^About/).waitFor();
    const covered = await dialog.evaluate((box) => {
      const actions = box.lastElementChild!;
      const fadePx = Number.parseFloat(getComputedStyle(actions, "::before").height);
      const lines = [...box.querySelectorAll("*")].filter((e) => !actions.contains(e) && e.children.length === 0);
      const top = actions.getBoundingClientRect().top - fadePx;
      return lines.filter((line) => line.getBoundingClientRect().bottom > top).map((line) => line.textContent);
    });
    expect(covered).toEqual([]);
    await page.keyboard.press("Escape");
    await page.setViewportSize(size);
  });

  it("scrolls Compare as one, below its controls", async () => {
    await page.keyboard.press("5");
    await page.locator("[data-figure] canvas").first().waitFor();
    await expect.poll(async () => (await scrolled(page)).length, SOON).toBe(1);
    await page.keyboard.press("1");
    await plots(page).waitFor();
  });

  it("cuts names in their middle in every list", async () => {
    for (const key of ["4", "5"]) {
      await page.keyboard.press(key);
      const long = page.getByRole("rowheader").filter({ hasText: "Älvsborgsudden, Outer Pier" }).first();
      await long.waitFor();
      // Its end is visible, whatever room there is.
      const name = long.locator("[data-tail='ter Pier'], button [data-tail]").first();
      const isInside = (): Promise<boolean> =>
        name.evaluate((words) => {
          const [own, cell] = [words.getBoundingClientRect(), words.closest("[role=rowheader], th")!];
          return words.scrollWidth <= words.clientWidth && own.right <= cell.getBoundingClientRect().right + 1;
        });
      await expect.poll(isInside).toBe(true);
    }
  });

  it("keeps the controls of Availability in one row, and offers its days in the bar above", async () => {
    const before = page.viewportSize()!;
    await page.keyboard.press("4");
    await page.setViewportSize({ width: 1024, height: 700 });
    const head = page.getByRole("radiogroup", { name: "Which stations" }).locator("..");
    const tops = (): Promise<number> =>
      head.evaluate((row) => new Set([...row.children].map((e) => Math.round(e.getBoundingClientRect().bottom))).size);
    // One of them grows and has no height.
    await expect.poll(tops, SOON).toBeLessThanOrEqual(2);
    expect(await head.evaluate((row) => row.clientHeight)).toBeLessThan(50);
    await page.setViewportSize(before);
  });

  it.each(DOUBLED)("with text at 200 % keeps the tabs in sight, and scrolls in one place: $width", async (size) => {
    await page.setViewportSize(size);
    const tabs = page.getByRole("tablist", { name: "Views" });
    const scroller = page.locator("main, main [data-panel] > :has(> [aria-label=Views])");
    for (const key of ["1", "2", "4", "5"]) {
      await page.keyboard.press(key);
      const scrolledTo = (): Promise<number> =>
        scroller.evaluateAll((all) => {
          for (const box of all) box.scrollTo(0, 1e5);
          return Math.max(...all.map((box) => box.scrollTop));
        });
      await expect.poll(scrolledTo, SOON).toBeGreaterThan(100);
      const isInSight = async (): Promise<boolean> => {
        const { y, height } = (await tabs.boundingBox())!;
        return y >= 0 && y + height < size.height / 2;
      };
      await expect.poll(isInSight, SOON).toBe(true);
    }
    await page.keyboard.press("1");
    await plots(page).waitFor();
    const inside = (await scrolled(page)).filter((name) => name !== "");
    expect(inside).toEqual([]);
    // With the gaps below, which are a list of their own, too.
    await page.keyboard.press("g");
    await page.getByRole("grid", { name: /^Gaps/ }).getByRole("row").nth(2).waitFor();
    const withGaps = async (): Promise<readonly string[]> => (await scrolled(page)).filter((name) => name !== "");
    await expect.poll(withGaps, SOON).toEqual([expect.stringMatching(/^Gaps/)]);
    await page.keyboard.press("g");
    await page.setViewportSize(SMALL);
  });
});
