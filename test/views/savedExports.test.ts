import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it, vi } from "vitest";
import { clipboardText } from "../e2e/harness/clipboard.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { drawer, exploreDemo, writeButton } from "../e2e/harness/steps.ts";
import { axeViolationsInThemes } from "../support/axe.ts";

/** Whether a dialog fits into the window without scrolling. */
async function fits(page: Page): Promise<boolean> {
  return page
    .getByRole("dialog")
    .evaluate((dialog) => dialog.parentElement!.scrollHeight <= dialog.parentElement!.clientHeight);
}

forEachShell("naming and repeating exports in the window", { shells: tries(1, Infinity) }, (page, shell) => {
  beforeAll(async () => {
    await page.setViewportSize({ width: 1024, height: 700 });
    await exploreDemo(page);
  });

  const template = (): Locator => page.getByLabel("Name of the file");
  const saved = (): Locator => page.getByRole("list", { name: "Saved exports" }).getByRole("listitem");
  const toast = (text: string | RegExp): Locator => page.getByText(text).first();
  /** The file name in the dialog. */
  const named = (name: RegExp): Locator => page.getByRole("dialog").getByText(name);
  const openDialog = (): Promise<void> => page.getByRole("button", { name: "Export", exact: true }).click();

  it("shows the file name while the template is typed, and its errors", async () => {
    await openDialog();
    await named(/^3-stations_ztd-ztd_sigma-pwv_native_.*\.nc$/).waitFor();
    await template().fill("{connection}_{stations}_{start}_{interval}.{ext}");
    await named(/^demo_3-stations_.*_native\.nc$/).waitFor();
    await page.getByText("CSV", { exact: true }).click();
    await named(/^demo_3-stations_.*_native\.csv$/).waitFor();
    await template().fill("{station}.{ext}");
    await page.getByText(/There is no field \{station\}/).waitFor();
    await expect.poll(() => writeButton(page).isDisabled()).toBe(true);
    await template().fill("{stations}_{start}.{ext}");
    await page.getByRole("button", { name: "Add a field" }).click();
    await page.getByRole("menuitem", { name: /^\{variables\}/ }).click();
    await expect.poll(() => template().inputValue()).toBe("{stations}_{start}_{variables}.{ext}");
    expect(await axeViolationsInThemes(page)).toEqual([]);
  });

  it("fits into a small window without scrolling, including the note about missing data", async () => {
    // The first keeps what was typed.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.keyboard.press("-");
    await openDialog();
    await page.getByText(/^[\d,]+ of [\d,]+ points are downloaded/).waitFor();
    // A complete file is one key away.
    const focused = (): Promise<string | undefined> => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe("Fetch and export");
    await expect.poll(() => fits(page)).toBe(true);
  });

  it("downloads under the name of the template, which is remembered", async () => {
    await template().fill("mine_{stations}_{start}.{ext}");
    await page.getByText("CSV", { exact: true }).click();
    const { suggestedName } = await shell.saved(() => writeButton(page).click());
    expect(suggestedName).toMatch(/^mine_3-stations_.*\.csv$/);
    await openDialog();
    await expect.poll(() => template().inputValue()).toBe("mine_{stations}_{start}.{ext}");
  });

  it("is not covered by the message of the previous export, with the drawer open or closed", async () => {
    const jobs = page.getByRole("button", { name: /^Status:/ });
    const words = page.getByRole("region", { name: "Messages" }).getByText(/^The export is finished/);
    for (const isOpen of ["true", "false"]) {
      await page.keyboard.press("Escape");
      if ((await jobs.getAttribute("aria-expanded")) !== isOpen) await jobs.click();
      await openDialog();
      const over = (await words.boundingBox())!;
      const others = ["Save this export…", "Cancel"].map((name) => page.getByRole("button", { name }));
      for (const each of [...others, writeButton(page)]) {
        const button = (await each.boundingBox())!;
        expect(button.y + button.height).toBeLessThan(over.y);
      }
    }
  });

  it("saves an export under a name, with a range that moves with the clock", async () => {
    await page.getByText("CSV", { exact: true }).click();
    await page.getByRole("button", { name: "Save this export…" }).click();
    await page.getByLabel("Name", { exact: true }).fill('no "quotes"');
    await page.getByText(/which the command line accepts/).waitFor();
    // “Cancel” restores the settings.
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await named(/^mine_3-stations_.*\.csv$/).waitFor();
    await page.getByRole("button", { name: "Save this export…" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Daily three");
    await page.getByRole("button", { name: /Time range of each repetition/ }).click();
    await page.getByRole("option", { name: "Yesterday" }).click();
    await named(/^mine_3-stations_\d{4}-\d\d-\d\d\.csv$/).waitFor();
    await page.getByText("Also save a figure of the series").click();
    expect(await axeViolationsInThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved().getByText("Daily three", { exact: true }).waitFor();
    await saved()
      .getByText(/yesterday · every observation · CSV · figure/)
      .waitFor();
    await expect
      .poll(() => saved().locator("code").innerText())
      .toMatch(/export --repeat "Daily three" --fetch --data-folder /);
    expect(await axeViolationsInThemes(page)).toEqual([]);
    await expect.poll(() => fits(page)).toBe(true);
  });

  it("copies the command line", async () => {
    await page.getByRole("button", { name: "Copy the command of “Daily three”" }).click();
    await page.getByText("Copied").waitFor();
    expect(await clipboardText(page)).toBe(await saved().locator("code").innerText());
  });

  it("runs it again with one click, and writes the same as a manual export", async () => {
    const run = page.getByRole("button", { name: /^(Run|Fetch .*, then write) “Daily three”$/ });
    // The data, and a figure of the same range from the cache, independent of the view.
    const figure = page.waitForEvent("download", (download) => download.suggestedFilename().endsWith(".pdf"));
    const { path, suggestedName } = await shell.saved(() => run.click(), page, ".csv");
    const pdf = await figure;
    expect(pdf.suggestedFilename()).toBe(suggestedName.replace(/csv$/, "pdf"));
    const bytes = readFileSync(await pdf.path());
    expect(bytes.subarray(1, 4).toString("latin1")).toBe("PDF");
    expect(bytes.length).toBeGreaterThan(20_000);
    const lines = readFileSync(path, "utf8").trimEnd().split(/\r?\n/);
    expect(lines[0]).toMatch(/^station_id,station_name,time,ztd_mm/);
    const days = new Set(lines.slice(1).map((line) => /,(\d{4}-\d\d-\d\d)T/.exec(line)?.[1]));
    expect(days.size).toBe(1);
    // 2,880 epochs of each station, unless it has no data on that day.
    expect(lines.length).toBeGreaterThan(2_000);
  });

  it("edits it, duplicates it, removes both, and restores one", async () => {
    await openDialog();
    await page.getByRole("radio", { name: /Saved exports · 1/ }).click();
    await page.getByRole("button", { name: "Edit “Daily three”" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Daily");
    await page.getByText("Excel (.xlsx)", { exact: true }).click();
    await named(/^.*\.xlsx$/).waitFor();
    expect(await axeViolationsInThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved().getByText("Daily", { exact: true }).waitFor();
    await saved().getByText(/Excel/).waitFor();
    await page.getByRole("button", { name: "Duplicate “Daily”" }).click();
    await page.getByText("CSV", { exact: true }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved().getByText("Daily (2)", { exact: true }).waitFor();
    expect(
      await saved()
        .getByText(/CSV|Excel/)
        .count(),
    ).toBe(2);
    await page.getByRole("button", { name: "Remove “Daily (2)”" }).click();
    await page.getByRole("button", { name: "Remove “Daily”" }).click();
    await page.getByText(/No exports are saved/).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Undo" }).last().click();
    await openDialog();
    await page.getByRole("radio", { name: /Saved exports · 1/ }).click();
    await expect.poll(() => saved().locator("code").innerText()).toContain("--repeat Daily --fetch");
    await page.keyboard.press("Escape");
  });

  it("saves a schedule in three clicks, runs it, and shows its history", async () => {
    const item = page.getByRole("list", { name: "Schedules" }).getByRole("listitem");
    const message = page.getByRole("region", { name: "Messages" });
    await page.getByRole("radio", { name: "Schedules" }).click();
    await page.getByRole("heading", { name: "No schedules" }).waitFor();
    expect(await axeViolationsInThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "New schedule" }).click();
    await page.getByText(/^Next run .* 06:30 UTC\. A run now would cover/).waitFor();
    await page.getByText("Figure, SVG", { exact: true }).click();
    expect(await axeViolationsInThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await item.getByText("3 stations daily", { exact: true }).waitFor();
    await item.getByText(/Every day at 06:30 UTC/).waitFor();
    await page.getByRole("button", { name: "Run now “3 stations daily”" }).click();
    await item.getByRole("button", { name: /^Last run .*(complete|incomplete|delivered)/i }).click();
    const runs = page.getByRole("list", { name: "Runs of “3 stations daily”" });
    await runs.getByText(/, started manually$/).waitFor();
    await runs.getByText(/scheduled.*\.nc$/).waitFor();
    await runs.getByText(/scheduled.*\.svg$/).waitFor();
    await item.getByText(/figure \(SVG\)/).waitFor();
    expect(await axeViolationsInThemes(page)).toEqual([]);

    await page.getByRole("button", { name: "Edit “3 stations daily”" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Morning");
    await page.getByLabel("Time of day").fill("25:00");
    await page.getByText("Write it as 06:30.").waitFor();
    await page.getByLabel("Time of day").fill("7.15");
    const days = page.getByLabel("Catch up on missed ranges, days");
    await days.fill("1O");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("This is not a number.").waitFor();
    expect(await days.evaluate((field) => field === document.activeElement)).toBe(true);
    await days.fill("10");
    await page.getByText("CSV", { exact: true }).click();
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await item.getByText(/Every day at 07:15 UTC/).waitFor();
    await page.getByRole("button", { name: "Pause “Morning”" }).click();
    await item.getByText(/paused/).waitFor();
    await page.getByRole("button", { name: "Duplicate “Morning”" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await item.getByText("Morning (2)", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete “Morning”" }).click();
    await expect.poll(() => item.count()).toBe(1);
    await message.getByRole("button", { name: "Undo" }).last().click();
    await expect.poll(() => item.count()).toBe(2);
    // Open the form from a saved export, and from the palette.
    await page.getByRole("radio", { name: "Explore stations and data" }).click();
    await openDialog();
    await page.getByRole("radio", { name: /Saved exports · 1/ }).click();
    await page.getByRole("button", { name: "Schedule “Daily”" }).click();
    await page.getByRole("dialog").getByLabel("Saved export “Daily”").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("new sched");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New schedule" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("shows the cost of a run from the palette if data must be downloaded first", async () => {
    await page.keyboard.press("Escape");
    await openDialog();
    await page.getByText("CSV", { exact: true }).click();
    await page.getByRole("button", { name: "Save this export…" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Both weeks");
    await page.keyboard.press("Enter");
    await saved().getByText("Both weeks", { exact: true }).waitFor();
    // Escape may close a tooltip first. The palette opens only when no dialog is open.
    await vi.waitFor(async () => {
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached", timeout: 1_000 });
    }, 15_000);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search stations and commands" }).waitFor();
    await page.keyboard.type("run both");
    await page.getByRole("option", { name: "Run export: Both weeks" }).waitFor();
    await page.keyboard.press("Enter");
    const run = page.getByRole("button", { name: /^Fetch [\d,]+ points .*, then write “Both weeks”$/ });
    await run.waitFor();
    await expect.poll(() => run.evaluate((button) => button === document.activeElement)).toBe(true);
    const { path } = await shell.saved(() => page.keyboard.press("Enter"));
    const days = new Set(readFileSync(path, "utf8").match(/\d{4}-\d\d-\d\d(?=T)/g));
    expect(days.size).toBeGreaterThan(9);
  });

  it("offers to try an export again that failed", async () => {
    // A file in place of the folder of exports.
    const folder = join(shell.dataFolder, "exports");
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, "");
    await openDialog();
    await writeButton(page).click();
    const again = (await drawer(page)).getByRole("button", { name: "Try again" });
    await again.waitFor();
    rmSync(folder);
    const { path } = await shell.saved(() => again.click());
    expect(readFileSync(path).length).toBeGreaterThan(0);
    await again.waitFor({ state: "detached" });
    await page.keyboard.press("Control+j");
  });

  it("runs a saved export from the palette after a restart", async () => {
    await shell.restart();
    await page.getByText("3 selected").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("run export dai");
    await page.getByRole("option", { name: "Run export: Daily" }).waitFor();
    const { suggestedName } = await shell.saved(() => page.keyboard.press("Enter"));
    expect(suggestedName).toMatch(/^mine_3-stations_/);
    await toast(/The export is finished/).waitFor();
    expect(shell.problems).toEqual([]);
  });
});
