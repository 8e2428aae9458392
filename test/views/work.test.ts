import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { shoot } from "../e2e/harness/shoot.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { axeViolations } from "../support/axe.ts";
import { allCached } from "../e2e/harness/steps.ts";

const grid = (page: Page): Locator => page.getByRole("grid", { name: "Stations" });
const row = (page: Page, name: RegExp): Locator => grid(page).getByRole("row", { name });
const search = (page: Page): Locator => page.getByLabel("Find a station");
const drawer = (page: Page): Locator => page.getByRole("region", { name: "Downloads and exports" });

async function selectedNames(page: Page): Promise<string[]> {
  const rows = await grid(page)
    .locator('[role=row][aria-selected="true"] [role=gridcell]:nth-child(2)')
    .allInnerTexts();
  return rows.map((text) => text.trim());
}

forEachShell("exploring stations", { shells: tries(1, Infinity) }, (page, shell) => {
  beforeAll(async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.getByRole("button", { name: /Explore the demo/ }).click();
    await grid(page).waitFor();
  });

  it("has at most 34 controls on the first screen, besides the rows of the list", async () => {
    await allCached(page);
    const controls = await page.evaluate(() => {
      const all = document.querySelectorAll("button, input, a[href], summary, [role=tab], [role=radio], [role=slider]");
      const shown = [...all].filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest("[data-id]"));
      return shown.map((e) => e.getAttribute("aria-label") ?? e.textContent);
    });
    expect(controls.slice(34)).toEqual([]);
  });

  it("finds stations without typing diacritics", async () => {
    await search(page).fill("heinaniemi");
    await row(page, /Heinäniemi/).waitFor();
    await page.getByRole("heading", { name: "Stations 1", exact: true }).waitFor();
    await search(page).fill("no such station");
    await page.getByText("No station matches the search").waitFor();
    await page.getByRole("button", { name: "Show all stations" }).click();
    await row(page, /Arroyo Hondo/).waitFor();
    await expect.poll(() => search(page).inputValue()).toBe("");
  });

  it("filters stations, and shows the number of filters in use", async () => {
    await page.getByRole("button", { name: "Filter stations" }).click();
    const form = page.getByRole("dialog", { name: "Filter stations" });
    // The box is drawn over the input, whose label takes the click.
    await form.getByText("Finland").click();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Filter stations: 1 in use" }).waitFor();
    await expect.poll(() => row(page, /Arroyo Hondo/).count()).toBe(0);
    await row(page, /Ahtisaari|Kallio/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Filter stations: 1 in use" }).click();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    await row(page, /Arroyo Hondo/).waitFor();
  });

  it("selects by keyboard", async () => {
    await search(page).fill("");
    await search(page).press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => selectedNames(page)).toHaveLength(1);
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await expect.poll(() => selectedNames(page)).toHaveLength(3);
    const three = await selectedNames(page);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Space");
    await expect.poll(() => selectedNames(page)).toEqual([three[0], three[2]]);
    await page.keyboard.press("k");
    await expect.poll(() => search(page).inputValue()).toBe("k");
    await search(page).press("Escape");
  });

  it("selects one, several and a range of stations by mouse", async () => {
    await page.getByRole("button", { name: "Clear selection" }).click();
    await row(page, /Arroyo Hondo/).click();
    await expect.poll(() => selectedNames(page)).toEqual(["Arroyo Hondo"]);
    await row(page, /El Ceibal/).click({ modifiers: ["Shift"] });
    await expect.poll(async () => (await selectedNames(page)).length).toBeGreaterThan(2);
    // With several stations selected, a click shows details without changing the selection.
    const several = await selectedNames(page);
    await row(page, /Blitzstein/).click();
    await page.getByRole("button", { name: "Details of Blitzstein" }).click();
    const detail = page.getByRole("region", { name: "Station", exact: true });
    await detail.getByRole("heading", { name: "Blitzstein" }).waitFor();
    expect(await selectedNames(page)).toEqual(several);
    await row(page, /Arroyo Hondo/).click();
    await page.keyboard.press("Enter");
    await row(page, /El Ceibal/).click({ modifiers: ["Control"] });
    await expect.poll(() => selectedNames(page)).toEqual(["Arroyo Hondo", "El Ceibal"]);
    await page
      .getByRole("region", { name: "Station", exact: true })
      .getByText("missing, may still arrive", { exact: true })
      .waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it("clears the selection, or selects all listed stations, by the box in the heading", async () => {
    await search(page).fill("finland norda");
    await grid(page).getByRole("button", { name: "Clear selection" }).click();
    const all = grid(page).getByRole("button", { name: /^Select all \d+ in the list/ });
    const found = Number(/\d+/.exec((await all.getAttribute("aria-label")) ?? "")?.[0]);
    await all.click();
    await page.getByText(`${found} selected`).waitFor();
    expect(await selectedNames(page)).toHaveLength(found);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await page.getByText("2 selected", { exact: true }).waitFor();
    await search(page).fill("");
  });

  it("selects stations from a pasted list of names and ids, and reports unknown ones", async () => {
    await row(page, /Kallio/).click();
    const detail = page.getByRole("region", { name: "Station", exact: true });
    await detail.getByRole("heading", { name: "Kallio" }).waitFor();
    const id = await grid(page).locator("[data-focused]").getAttribute("data-id");
    const paste = (text: string): Promise<void> =>
      search(page).evaluate((field, pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text", pasted);
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      }, text);
    await paste(`heinaniemi, ${id}\nTorsvika\nNowhere`);
    const dialog = page.getByRole("dialog", { name: "Select from a list" });
    await dialog.getByText("3 stations found. Not found: Nowhere.").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await shoot(page, "station-list");
    await dialog.getByRole("button", { name: "Select", exact: true }).click();
    await page.getByText("3 selected", { exact: true }).waitFor();
  });

  it("saves groups and favourites, selects them, and lists them first", async () => {
    const menu = async (name: string | RegExp): Promise<void> => {
      await page.getByRole("button", { name: "Groups of stations" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await menu("Save and edit groups…");
    const dialog = page.getByRole("dialog", { name: "Groups of stations" });
    await dialog.getByLabel("Name of the group").fill("My coast");
    await dialog.getByRole("button", { name: "Save group" }).click();
    await dialog.getByRole("listitem").filter({ hasText: "My coast" }).getByText("3 stations").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await shoot(page, "groups");
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Clear selection" }).click();
    await row(page, /Blitzstein/).click();
    const detail = page.getByRole("region", { name: "Station", exact: true });
    await detail.getByRole("button", { name: "Add to Favourites" }).click();
    await detail.getByRole("button", { name: "Remove from Favourites" }).waitFor();
    await menu(/^My coast/);
    await page.getByText("3 selected", { exact: true }).waitFor();
    await menu(/^Favourites/);
    await expect.poll(() => selectedNames(page)).toEqual(["Blitzstein"]);
    await row(page, /Arroyo Hondo/).click();
    await row(page, /Blitzstein/).click({ modifiers: ["Control"] });
    const legend = page.getByRole("group", { name: "Stations shown" }).getByRole("button");
    await expect.poll(() => legend.allInnerTexts()).toEqual(["Arroyo Hondo", "Blitzstein"]);
    const firstInList = (): Promise<string> => page.getByRole("row").nth(1).innerText();
    const listedFirst = await firstInList();
    expect(listedFirst).not.toContain("Blitzstein");
    const groupsFirst = async (): Promise<void> => {
      await page.getByRole("button", { name: /^Filter stations/ }).click();
      await page.getByText("Favourites and groups first, also in plots").click();
      await page.keyboard.press("Escape");
    };
    await groupsFirst();
    await expect.poll(() => legend.allInnerTexts()).toEqual(["Blitzstein", "Arroyo Hondo"]);
    await expect.poll(firstInList).toContain("Blitzstein");
    await page.keyboard.press("6");
    const ofTable = page.getByRole("button", { name: /Station of the table/ });
    await ofTable.click();
    await expect
      .poll(async () => (await page.getByRole("option").allInnerTexts()).slice(1))
      .toEqual(["Blitzstein", "Arroyo Hondo"]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("1");
    await groupsFirst();
    await expect.poll(() => legend.allInnerTexts()).toEqual(["Arroyo Hondo", "Blitzstein"]);
    await expect.poll(firstInList).toBe(listedFirst);
    await menu("Save and edit groups…");
    await dialog.getByRole("button", { name: "Delete “My coast”" }).click();
    await expect.poll(() => dialog.getByRole("listitem").count()).toBe(1);
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await menu(/^My coast/);
    await page.getByText("3 selected", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Clear selection" }).click();
    await row(page, /Arroyo Hondo/).click();
    await row(page, /El Ceibal/).click({ modifiers: ["Control"] });
  });

  it("undoes and redoes changes of selection, range and view in order", async () => {
    const selected = page.getByRole("tab", { selected: true });
    const button = page.getByRole("group", { name: "Time range" }).getByRole("button").first();
    // The name of a moving range does not change.
    const range = async (): Promise<string> => (await button.innerText()).split("\n").at(-1) ?? "";
    const before = await selectedNames(page);
    const week = await range();
    expect(week).toBe("Last 7 days");
    await page.getByRole("button", { name: "Clear selection" }).click();
    await row(page, /Blitzstein/).click();
    await expect.poll(() => selectedNames(page)).toEqual(["Blitzstein"]);
    // Two keys without a pause, as on a busy computer, are two steps.
    await page.evaluate(() => {
      for (const key of ["+", "4"])
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    });
    await expect.poll(range).not.toBe(week);
    const shorter = await range();
    await expect.poll(() => selected.innerText()).toBe("Availability");
    for (let step = 0; step < 4; step++) await page.keyboard.press("Control+z");
    await expect.poll(() => selectedNames(page)).toEqual(before);
    expect([await range(), await selected.innerText()]).toEqual([week, "Series"]);
    await page.keyboard.press("Control+y");
    await page.keyboard.press("Control+Shift+z");
    await expect.poll(() => selectedNames(page)).toEqual(["Blitzstein"]);
    await page.keyboard.press("Control+y");
    await expect.poll(range).toBe(shorter);
    // In a field, the shortcut belongs to the field.
    await search(page).fill("kal");
    await search(page).press("Control+z");
    await search(page).fill("");
    await expect.poll(() => selectedNames(page)).toEqual(["Blitzstein"]);
    await grid(page).focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press("Control+z");
    await expect.poll(() => selectedNames(page)).toEqual(before);
  });

  it("opens the context menu of a station by mouse and keyboard", async () => {
    await row(page, /Grindholmen/).click({ button: "right" });
    const menu = page.getByRole("menu", { name: "Grindholmen" });
    await menu.getByRole("menuitem", { name: "Select", exact: true }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await shoot(page, "station-menu");
    await menu.getByRole("menuitem", { name: "Select", exact: true }).click();
    await expect.poll(() => selectedNames(page)).toEqual(["Arroyo Hondo", "El Ceibal", "Grindholmen"]);
    await grid(page).focus();
    await page.keyboard.press("Shift+F10");
    await menu.getByRole("menuitem", { name: "Deselect" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => selectedNames(page)).toEqual(["Arroyo Hondo", "El Ceibal"]);
    await expect.poll(() => grid(page).evaluate((list) => list === document.activeElement)).toBe(true);
  });

  it("ignores single keys when they are turned off", async () => {
    const selected = page.getByRole("tab", { selected: true });
    await page.keyboard.press("Control+,");
    const setting = page.getByText("Single keys run commands");
    await setting.click();
    await page.keyboard.press("Control+1");
    await grid(page).focus();
    await page.keyboard.press("4");
    await page.keyboard.press("e");
    // The next shortcut takes effect after any effect of these keys.
    await page.keyboard.press("Control+6");
    await expect.poll(() => selected.innerText()).toBe("Table");
    expect(await page.getByRole("dialog", { name: "Export" }).count()).toBe(0);
    await page.keyboard.press("Control+1");
    await expect.poll(() => selected.innerText()).toBe("Series");
    await page.keyboard.press("4");
    await page.keyboard.press("Control+,");
    await setting.click();
    await page.keyboard.press("4");
    await expect.poll(() => selected.innerText()).toBe("Availability");
    await page.keyboard.press("1");
  });

  it("opens the guide at the page of the current view with F1", async () => {
    const title = page.getByRole("dialog", { name: "User guide" }).locator("article").getByRole("heading").first();
    for (const [view, heading] of [
      ["Series", "Series"],
      ["Map", "Map and snapshot"],
      ["Satellites", "Satellites"],
      ["Availability", "Availability"],
      ["Compare", "Compare and derive"],
      ["Table", "Table"],
    ] as const) {
      await page.getByRole("tab", { name: view }).click();
      await page.keyboard.press("F1");
      await expect.poll(() => title.innerText()).toBe(heading);
      await page.keyboard.press("F1");
      await title.waitFor({ state: "detached" });
    }
    for (const [key, heading] of [
      ["Control+,", "Keyboard"],
      ["Control+1", "Series"],
    ] as const) {
      await page.keyboard.press(key);
      await page.keyboard.press("F1");
      await expect.poll(() => title.innerText()).toBe(heading);
      await page.keyboard.press("F1");
      await title.waitFor({ state: "detached" });
    }
  });

  it("adds a column and sorts by it in both directions", async () => {
    await page.getByRole("button", { name: /^Filter stations/ }).click();
    await page.getByText("Latitude °").last().click();
    await page.keyboard.press("Escape");
    const header = grid(page).getByRole("columnheader", { name: "Latitude" });
    for (const order of ["ascending", "descending"]) {
      await header.getByRole("button").click();
      await expect.poll(() => header.getAttribute("aria-sort")).toBe(order);
    }
    await page.getByRole("button", { name: /^Filter stations/ }).click();
    await page.getByText("Latitude °").last().click();
    await page.keyboard.press("Escape");
    await grid(page).getByRole("columnheader", { name: "Name" }).getByRole("button").click();
  });

  it("accepts a typed time range, and steps and zooms it", async () => {
    const range = page.getByRole("group", { name: "Time range" });
    await range.getByRole("button").first().click();
    await page.getByLabel("Start, UTC").fill("nonsense");
    await page.getByText("Write a time like").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const days = page.getByRole("dialog").getByRole("gridcell", { selected: true });
    expect(await days.count()).toBe(0);
    // Either field takes a whole range, whose end is in the other one.
    await page.getByLabel("Start, UTC").fill("2026-10-01 00:00 → 10-03 00:00 UTC");
    await expect.poll(() => page.getByLabel(/End, UTC/).inputValue()).toBe("2026-10-03 00:00 UTC");
    expect(await days.count()).toBe(2);
    await page.keyboard.press("Enter");
    await range.getByText("2026-10-01 00:00 → 10-03 00:00 UTC").waitFor();
    await grid(page).focus();
    await page.keyboard.press("]");
    await range.getByText("2026-10-03 00:00 → 10-05 00:00 UTC").waitFor();
    await page.keyboard.press("[");
    await page.keyboard.press("+");
    await range.getByText("2026-10-01 12:00 → 10-02 12:00 UTC").waitFor();
    // Back and forward through previous ranges, by keyboard and by the history of the browser.
    await page.keyboard.press("Alt+ArrowLeft");
    await range.getByText("2026-10-01 00:00 → 10-03 00:00 UTC").waitFor();
    await page.keyboard.press("Alt+ArrowRight");
    await range.getByText("2026-10-01 12:00 → 10-02 12:00 UTC").waitFor();
    await page.goBack();
    await range.getByText("2026-10-01 00:00 → 10-03 00:00 UTC").waitFor();
    await page.goForward();
    await range.getByText("2026-10-01 12:00 → 10-02 12:00 UTC").waitFor();
  });

  it("shows the cost of a download, runs it, and lists its results", async () => {
    await page.getByRole("button", { name: /^Fetch 5,760 points · ~\d+ requests?/ }).click();
    const job = drawer(page).getByRole("listitem").filter({ hasText: "2026-10-01 12:00" });
    await allCached(page);
    // The drawer does not open by itself.
    expect(await drawer(page).count()).toBe(0);
    await page.keyboard.press("Control+j");
    await job.getByText("Finished").waitFor();
    await allCached(page);
    await row(page, /Arroyo Hondo/)
      .getByRole("img", { name: "100 % downloaded" })
      .waitFor();
    await job.getByRole("button", { name: "Show results by station" }).click();
    await job.getByRole("grid", { name: "Verdicts" }).getByText("ok").first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it("undoes the removal of a job from the drawer", async () => {
    const job = drawer(page).getByRole("listitem").filter({ hasText: "2026-10-01 12:00" });
    await job.getByRole("button", { name: /^Remove from the list/ }).click();
    await job.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => job.count()).toBe(1);
  });

  it("resizes the drawer by keyboard", async () => {
    const handle = page.getByRole("separator", { name: "Height of the drawer" });
    const before = Number(await handle.getAttribute("aria-valuenow"));
    await handle.focus();
    await page.keyboard.press("ArrowUp");
    await expect.poll(async () => Number(await handle.getAttribute("aria-valuenow"))).toBe(before + 28);
  });

  it("exports the view with two keys", async () => {
    await grid(page).focus();
    await page.keyboard.press("e");
    const dialog = page.getByRole("dialog", { name: "Export" });
    await dialog.getByText(/^About [\d,]+ rows and/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const { path } = await shell.saved(() => page.keyboard.press("Enter"));
    const file = readFileSync(path);
    expect(file.subarray(1, 4).toString("latin1")).toBe("HDF");
    await page.getByText("The export is finished").waitFor();
    await expect.poll(() => drawer(page).innerText()).toContain(basename(path));
  });

  it("accepts any interval of means that the service supports", async () => {
    await page.getByRole("button", { name: /Every observation/ }).click();
    await page.getByRole("option", { name: "Other means…" }).click();
    const dialog = page.getByRole("dialog", { name: "Interval of the means" });
    await dialog.getByLabel("Interval").fill("20 s");
    await dialog.getByText("of at least 30 s.").waitFor();
    await dialog.getByLabel("Interval").fill("10 min");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /10 min means/ }).waitFor();
    await page.getByRole("button", { name: /^Fetch 288 points/ }).waitFor();
    expect(shell.problems).toEqual([]);
  });

  it("averages days of a time zone here, beside those in UTC", async () => {
    await page.getByRole("button", { name: /10 min means/ }).click();
    await page.getByRole("option", { name: "1 day means" }).click();
    await page.getByRole("button", { name: /Days in UTC/ }).click();
    await page.getByRole("option", { name: "Another time zone…" }).click();
    const dialog = page.getByRole("dialog", { name: "Days of a time zone" });
    await dialog.getByLabel("Time zone").fill("Europe/Nowhere");
    await dialog.getByText("Type the name of a time zone").waitFor();
    await dialog.getByLabel("Time zone").fill("Europe/Helsinki");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /Days of Europe\/Helsinki/ }).waitFor();
    // The service has no such means.
    await page.getByRole("button", { name: /Averaged here/ }).waitFor();
    // The range ends within local days, whose other parts are needed too.
    await page.getByRole("button", { name: /^Fetch [\d,]+ points/ }).waitFor();
    await shoot(page, "local-days");
    await page.keyboard.press("e");
    await page
      .getByRole("dialog", { name: "Export" })
      .getByText(/^About [\d,]+ rows? and/)
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /Days of Europe\/Helsinki/ }).click();
    await page.getByRole("option", { name: "Days in UTC" }).click();
    await page.getByRole("button", { name: /Days in UTC/ }).waitFor();
    expect(shell.problems).toEqual([]);
  });

  it("saves a figure of the morning page with one key", async () => {
    await page.keyboard.press("m");
    await page.getByRole("region", { name: "Stations since yesterday" }).waitFor();
    await page.keyboard.press("p");
    const dialog = page.getByRole("dialog", { name: "Save figure" });
    await dialog.getByRole("img").first().waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(shell.problems).toEqual([]);
  });
});
