import { writeFileSync } from "node:fs";
import { scratchFolder } from "../support/folder.ts";
import { basename, join } from "node:path";
import { strToU8, zipSync } from "fflate";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { shoot } from "../e2e/harness/shoot.ts";
import { inkOf } from "../e2e/harness/ink.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { violationsOn } from "../support/axe.ts";
import { allCached } from "../e2e/harness/steps.ts";

const STEP_MS = 300_000;
const pane = (page: Page): Locator => page.getByRole("region", { name: "Opened files" });
const drawn = (page: Page, variable: string, lines: number): Locator =>
  page.locator(`[data-variable="${variable}"][data-drawn="${lines}"]`);

/** A day of ZTD and PWV of one station in the CSV format of Zenith Desk, ending now. */
function csv(stationId: string): string {
  const endMs = Math.floor(Date.now() / STEP_MS) * STEP_MS;
  const lines = Array.from({ length: 288 }, (_, i) => {
    const time = new Date(endMs - (288 - i) * STEP_MS).toISOString().replace(".000Z", "Z");
    return `${stationId},${time},${(2_400 + Math.sin(i / 20)).toFixed(1)},${(12 + Math.cos(i / 20)).toFixed(1)}`;
  });
  return ["station_id,time,ztd_mm,pwv_mm", ...lines, ""].join("\n");
}

/** A table with unknown column names and dates that start with the day. */
function unnamed(): string {
  const rows = Array.from({ length: 20 }, (_, i) => {
    const time = new Date(Date.now() - (20 - i) * STEP_MS).toISOString();
    const [year, month, day] = time.slice(0, 10).split("-");
    // With two digits of the year, no order of the three follows from the dates.
    return `${day}.${month}.${year!.slice(2)} ${time.slice(11, 16)};KIRK;2,4${i % 10}5;-1`;
  });
  return ["wann;wo;trop;other", ...rows, ""].join("\n");
}

forEachShell("files opened in the window", { shells: tries(1, Infinity) }, (page, shell) => {
  beforeAll(async () => {
    await page.getByRole("button", { name: /Explore the demo/ }).click();
    await drawn(page, "ztd", 3).waitFor();
    await allCached(page);
  });

  it("are drawn beside the stations when dropped, without becoming stations", async () => {
    await shell.drop("colleague.csv", csv("KIRK"));
    await drawn(page, "ztd", 4).waitFor();
    await drawn(page, "pwv", 4).waitFor();
    await page.getByRole("button", { name: "Close colleague.csv" }).waitFor();
    const files = page.getByRole("group", { name: "Series of files shown" });
    // One site of the file, with both quantities.
    await expect.poll(() => files.getByRole("button").count()).toBe(1);
    const stations = page.getByRole("group", { name: "Stations shown" });
    await expect.poll(() => stations.getByRole("button").count()).toBe(3);
    // Statistics of the visible range include only cached data.
    await page.keyboard.press("s");
    await page.getByRole("table").getByRole("row").nth(6).waitFor();
    expect(await page.getByRole("table").getByText("KIRK").count()).toBe(0);
    await page.keyboard.press("s");
  });

  it("show their values under the cursor", async () => {
    const over = page.locator('[data-variable="ztd"] .u-over');
    let offset = 0;
    // A redrawn plot needs another movement of the cursor.
    const readout = async (): Promise<string> => {
      const box = (await over.boundingBox())!;
      offset = 1 - offset;
      await page.mouse.move(box.x + box.width - 40 + offset, box.y + box.height / 2);
      return (await page.locator("[data-moment]").allInnerTexts()).join("");
    };
    // Both variables of a name are in one row, also before one points at a line.
    await expect.poll(readout).toMatch(/KIRK · [\w.\s]+csv\s*ZTD 2[\d,]{3,}[^K]*PWV 1\d/);
    await page.mouse.move(0, 0);
    const newest = page.locator("p").filter({ hasText: /^newest shown/ });
    await expect.poll(() => newest.innerText()).toMatch(/KIRK · [\w.\s]+csv\s*ZTD [^K]*PWV /);
    expect(await newest.evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(0);
  });

  it("are accessible to screen readers", async () => {
    const violations = await violationsOn(page, { within: "[aria-label='Opened files']" });
    expect(violations.map((v) => v.id)).toEqual([]);
  });

  it("are drawn according to their check boxes", async () => {
    // The check box itself is hidden behind its drawing, so use the keyboard.
    const tick = pane(page).getByRole("checkbox").first();
    await tick.focus();
    await page.keyboard.press("Space");
    await drawn(page, "ztd", 3).waitFor();
    await page.keyboard.press("Space");
    await drawn(page, "ztd", 4).waitFor();
    await page
      .getByRole("button", { name: /KIRK colleague\.csv, remove from the plot/ })
      .first()
      .click();
    await drawn(page, "ztd", 3).waitFor();
    // The lines of the others, which were faded while the pointer was on its name.
    await expect.poll(async () => Math.min(...(await inkOf(page, "Zenith total delay")))).toBeGreaterThan(20);
    await expect.poll(() => tick.isChecked()).toBe(false);
  });

  it("can be chosen from the palette", async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search stations and commands" }).fill("open a file");
    await page.getByRole("option", { name: /^Open a file(?! from)/ }).waitFor();
    const second = join(shell.dataFolder, "second.csv");
    writeFileSync(second, csv("METS"));
    await shell.opened(second, () => page.keyboard.press("Enter"));
    await pane(page).getByRole("heading", { name: "second.csv" }).waitFor();
    await drawn(page, "ztd", 4).waitFor();
    await expect.poll(() => pane(page).getByRole("checkbox").count()).toBe(4);
  });

  it("show a message if they cannot be read, without other changes", async () => {
    await shell.drop("broken.nc", "this is not a NetCDF file");
    await page
      .getByRole("status")
      .getByText(/broken\.nc/)
      .first()
      .waitFor();
    await drawn(page, "ztd", 4).waitFor();
    expect(await pane(page).getByRole("heading", { name: "broken.nc" }).count()).toBe(0);
  });

  it("show what to do with a dropped folder, which browsers cannot open", async (context) => {
    if (shell.kind !== "web") context.skip("the stand-in finds dropped files only by name");
    const folder = scratchFolder();
    writeFileSync(join(folder, "a.csv"), csv("KIRK"));
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [folder], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await session.send("Input.dispatchDragEvent", { type, x: 400, y: 300, data });
    await session.detach();
    await page.getByText(`${basename(folder)} cannot be read. Open a folder as a zip archive of its files.`).waitFor();
    expect(
      await pane(page)
        .getByRole("heading", { name: basename(folder) })
        .count(),
    ).toBe(0);
  });

  it("are shown without a station, too, and disappear when closed", async () => {
    await page.getByRole("button", { name: "Clear selection" }).click();
    await drawn(page, "ztd", 1).waitFor();
    for (const name of ["colleague.csv", "second.csv"]) {
      const close = page.getByRole("button", { name: `Close ${name}` });
      await close.click();
      // The others move up then: a press that begins before would end beside its button.
      await close.waitFor({ state: "detached" });
    }
    await pane(page).waitFor({ state: "detached" });
    await expect.poll(() => page.getByText("No station selected").count()).toBe(1);
  });

  it("open a dialog for the columns of a table without a known time column", async () => {
    const table = unnamed();
    await shell.drop("mine.txt", table);
    const dialog = page.getByRole("dialog", { name: "Columns of mine.txt" });
    await dialog.getByRole("row", { name: /wann/ }).waitFor();
    await shoot(page, "columns");
    await dialog.getByRole("button", { name: "Open table" }).click();
    await dialog.getByRole("alert").getByText("No column is chosen that tells the date").waitFor();
    for (const [name, role] of [
      ["wann", "Time, day first"],
      ["wo", "Station"],
      ["trop", "ZTD"],
    ] as const) {
      await dialog.getByRole("button", { name: `${name} contains` }).click();
      await page.getByRole("option", { name: role, exact: true }).click();
    }
    await dialog.getByRole("button", { name: "Unit of trop" }).click();
    await page.getByRole("option", { name: "m", exact: true }).click();
    await dialog.getByRole("textbox", { name: "Missing value" }).fill("-1");
    expect((await violationsOn(page, { within: "[role='dialog']" })).map((v) => v.id)).toEqual([]);
    await dialog.getByRole("button", { name: "Open table" }).click();
    await dialog.waitFor({ state: "detached" });
    await drawn(page, "ztd", 1).waitFor();
    await page.getByRole("button", { name: "Close mine.txt" }).waitFor();
    // Another table with these names opens without the dialog, and its columns can be changed.
    await shell.drop("next.txt", table);
    await drawn(page, "ztd", 2).waitFor();
    await pane(page)
      .getByRole("button", { name: /^About next\.txt/ })
      .click();
    await page.getByRole("button", { name: "Choose columns…" }).click();
    const again = page.getByRole("dialog", { name: "Columns of next.txt" });
    await again.getByRole("button", { name: "Cancel" }).click();
    for (const name of ["mine.txt", "next.txt"])
      await pane(page)
        .getByRole("button", { name: `Close ${name}` })
        .click();
  });

  it("ask whether columns that are called by codes alone are stations", async () => {
    const rows = Array.from({ length: 4 }, (_, i) => `2026-10-01T0${i}:00:00Z,240${i}.5,231${i}.5`);
    await shell.drop("codes.csv", ["time,KALL,SODA", ...rows, ""].join("\n"));
    const dialog = page.getByRole("dialog", { name: "Columns of codes.csv" });
    await dialog.getByText("may be stations: the first values of these columns fit ZTD in mm alone").waitFor();
    for (const code of ["KALL", "SODA"])
      await expect.poll(() => dialog.getByRole("button", { name: `${code} contains` }).textContent()).toContain("ZTD");
    await dialog.getByRole("button", { name: "Open table" }).click();
    await dialog.waitFor({ state: "detached" });
    await drawn(page, "ztd", 2).waitFor();
    for (const code of ["KALL", "SODA"])
      await pane(page)
        .getByRole("checkbox", { name: new RegExp(code) })
        .waitFor();
    await pane(page).getByRole("button", { name: "Close codes.csv" }).click();
  });

  it("of an archive ask one question after the other", async () => {
    const zip = zipSync({
      "1.csv": strToU8("time,site,pwv\n2026-10-01T00:00:00Z,KALL,2.5\n"),
      "2.csv": strToU8("time,station,pwv\n2026-10-02T00:00:00Z,KALL,2.5\n"),
    });
    await shell.drop("two.zip", Buffer.from(zip));
    const dialog = page.getByRole("dialog", { name: "Columns of two.zip" });
    for (const [file, unit] of [
      ["1.csv", "mm"],
      ["2.csv", "cm"],
    ] as const) {
      await dialog.getByText(new RegExp(`^${file}: `)).waitFor();
      const unitChoice = dialog.getByRole("button", { name: "Unit of pwv" });
      const open = dialog.getByRole("button", { name: "Open table" });
      // The file has no unit: to open it "by the file" would only ask again.
      await expect.poll(() => unitChoice.textContent()).toContain("Choose…");
      await expect.poll(() => open.isDisabled()).toBe(true);
      await unitChoice.click();
      await page.getByRole("option", { name: unit, exact: true }).click();
      await open.click();
    }
    await dialog.waitFor({ state: "detached" });
    await drawn(page, "pwv", 1).waitFor();
    expect(await pane(page).getByRole("checkbox", { name: /KALL/ }).count()).toBe(1);
    await pane(page).getByRole("button", { name: "Close two.zip" }).click();
  });
});
