import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { downloaded } from "../e2e/harness/downloaded.ts";
import { exploreDemo, openSection, shareButton } from "../e2e/harness/steps.ts";
import { axeViolationsInThemes } from "../support/axe.ts";
import { tries } from "../support/endurance.ts";

const sizes = (page: Page): Locator => page.getByRole("grid", { name: "Size by station" });
const toast = (page: Page, text: string | RegExp): Locator => page.getByText(text).first();

async function names(page: Page): Promise<string[]> {
  const cells = sizes(page).locator("[role=row] [role=gridcell]:nth-child(2)");
  return (await cells.allInnerTexts()).map((text) => text.trim());
}

/** Chooses an entry of the menu of saved views. */
async function menu(page: Page, entry: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: /^Connection:/ }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

async function save(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+s");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.keyboard.press("Enter");
}

forEachShell("storage and saved views", { shells: tries(1, Infinity) }, (page, shell) => {
  /** The file of a shared view. */
  let shared: Buffer;
  beforeAll(async () => {
    await exploreDemo(page);
  });

  it("sorts stations by name, selects one by keyboard, and pins it", async () => {
    await openSection(page, "Storage");
    await sizes(page).waitFor();
    await page.getByRole("columnheader", { name: "Station" }).getByRole("button").click();
    await expect.poll(() => names(page)).toEqual(["Heinäniemi", "Kallio", "Torsvika"]);
    await sizes(page).focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Space");
    await page.getByText(/^1 of 3 stations selected/).waitFor();
    await page.getByRole("button", { name: "Pin", exact: true }).click();
    await sizes(page)
      .getByRole("row", { name: /Torsvika.*pinned/ })
      .waitFor();
    expect(await axeViolationsInThemes(page)).toEqual([]);
  });

  it("deletes a variable of the selected stations, which can be undone", async () => {
    const forget = async (): Promise<void> => {
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByRole("menuitem", { name: /^Only Precipitable water vapour/ }).click();
      await toast(page, "Precipitable water vapour of Torsvika will be deleted").waitFor();
    };
    const pwv = sizes(page)
      .getByRole("row", { name: /Torsvika/ })
      .locator("[data-column=pwv]");
    await forget();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => pwv.innerText()).toMatch(/B$/);
    await forget();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await toast(page, /rows deleted\.$/).waitFor();
    await expect.poll(() => pwv.innerText()).toBe("–");
  });

  it("keeps a maximum size, and shows the size in use", async () => {
    await page.getByRole("button", { name: /Maximum size/ }).click();
    await page.getByRole("option", { name: "1.0 GB" }).click();
    // The same size everywhere; that of the file is explained beside its button.
    const inUse = await page.getByText(/kB are in use\.$/).innerText();
    const size = inUse.replace(" are in use.", "");
    await page.getByText(`cache ${size}`, { exact: true }).waitFor();
    await expect.poll(() => page.getByRole("definition").first().innerText()).toBe(size);
    await page
      .getByText(/The file takes [\d.]+ [kM]B, [\d.]+ [kM]?B of it freed space and recent changes\.$/)
      .waitFor();
    // Shown when it is stored.
    const limited = (): Locator => page.getByRole("button", { name: /1\.0 GB.*Maximum size|Maximum size.*1\.0 GB/ });
    await limited().waitFor();
    await shell.restart();
    // On a new day, the first screen is the morning page.
    await openSection(page, "Storage");
    await limited().waitFor();
    const pinned = sizes(page).getByRole("row", { name: /Torsvika.*pinned/ });
    await expect.poll(() => pinned.count()).toBe(1);
  });

  it("deletes only the time range of the selected stations", async () => {
    const deleteRange = async (): Promise<void> => {
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByRole("menuitem", { name: /^Only the time range 20.* UTC$/ }).click();
      await toast(page, /^The data from .* of Torsvika will be deleted/).waitFor();
      await page.getByRole("button", { name: "Close", exact: true }).last().click();
    };
    const ztd = sizes(page)
      .getByRole("row", { name: /Torsvika/ })
      .locator("[data-column=ztd]");
    const inStorage = async (change: () => Promise<void>): Promise<void> => {
      await page.getByRole("radio", { name: "Explore" }).click();
      await change();
      await openSection(page, "Storage");
      await sizes(page)
        .getByRole("row", { name: /Torsvika/ })
        .click();
      await page.getByText(/^1 of 3 stations selected/).waitFor();
    };
    const choose = async (preset: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(preset);
      await page.getByRole("option", { name: preset }).first().waitFor();
      await page.keyboard.press("Enter");
    };
    const before = await ztd.innerText();
    await inStorage(() => page.keyboard.press("["));
    await deleteRange();
    await toast(page, /^0 rows deleted\.$/).waitFor();
    expect(await ztd.innerText()).toBe(before);
    await inStorage(() => choose("Last 24 hours"));
    await deleteRange();
    await expect.poll(() => ztd.innerText()).not.toBe(before);
    expect(await ztd.innerText()).toMatch(/B$/);
    await inStorage(() => choose("Last 7 days"));
  });

  it("saves a view and restores it exactly", async () => {
    await page.getByRole("radio", { name: "Explore" }).click();
    await page.keyboard.press("2");
    await save(page, "Three on the map");
    await toast(page, "“Three on the map” was saved.").waitFor();
    await page.getByRole("grid", { name: "Stations" }).getByRole("row").nth(2).click();
    await page.keyboard.press("Enter");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("1");
    await page.keyboard.press("[");
    const range = page.locator("header").getByText(/→/);
    const moved = await range.innerText();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("view: three");
    await page.getByRole("option", { name: "View: Three on the map" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("3 selected").waitFor();
    await page.getByRole("tab", { name: "Map", selected: true }).waitFor();
    await expect.poll(() => range.innerText()).not.toBe(moved);
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await page.getByText("1 selected").waitFor();
    await expect.poll(() => range.innerText()).toBe(moved);
  });

  it("replaces and deletes views, which can be undone, and renames them", async () => {
    await save(page, "Three on the map");
    await toast(page, "in place of the earlier one").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await menu(page, "Three on the map");
    await page.getByText("3 selected").waitFor();
    await menu(page, /Rename, delete/);
    expect(await axeViolationsInThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "Rename “Three on the map”" }).click();
    await page.getByLabel("Name", { exact: true }).fill("<b>Map</b>");
    await page.keyboard.press("Enter");
    await page.getByText("<b>Map</b>", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete “<b>Map</b>”" }).click();
    await page.getByText("No views are saved.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await menu(page, "<b>Map</b>");
  });

  it("shares views as a file, and adds those of a file under unused names", async () => {
    await menu(page, /Rename, delete/);
    await page.getByRole("button", { name: "Share “<b>Map</b>” as a file" }).click();
    const { name, path, bytes } = await downloaded(page, () => shareButton(page).click());
    shared = bytes;
    expect(name).toBe("-b-Map--b-.zenith");
    expect(bytes.toString("utf8")).toContain('"kind": "zenith-views"');
    await menu(page, /Rename, delete/);
    const choose = async (files: string): Promise<void> => {
      await shell.opened(files, () => page.getByRole("button", { name: "Open a file…" }).click());
    };
    await choose(path);
    await page.getByText("<b>Map</b> (2)", { exact: true }).waitFor();
    const wild = join(shell.dataFolder, "wild.zenith");
    writeFileSync(wild, readFileSync(path, "utf8").replace(/"startMs": \d+/, '"startMs": -1e300'));
    await choose(wild);
    await toast(page, /wild\.zenith: This file is damaged or was changed/).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).click();
    expect(shell.problems).toEqual([]);
  });

  it("accepts a dropped file", async () => {
    await shell.drop("dropped.zenith", shared);
    await toast(page, "“<b>Map</b> (3)” was added.").waitFor();
    await page.getByRole("button", { name: "Show", exact: true }).last().click();
    await page.getByText("3 selected").waitFor();
    expect(shell.problems).toEqual([]);
  });
});
