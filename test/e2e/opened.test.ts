import { copyFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { KEY, NOW_MS } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";
import { forEachShell } from "./harness/forEachShell.ts";
import { shoot } from "./harness/shoot.ts";
import { SOON } from "./harness/soon.ts";
import { allCached, choose, connect, fetchButton, setRange, writeButton } from "./harness/steps.ts";

const FORMATS = ["NetCDF-4", "SQLite", "CSV"] as const;

forEachShell("opened files", { shells: tries(1, Infinity), service: { now: () => NOW_MS } }, (page, shell) => {
  const paths: string[] = [];

  it("can be exported from the cache in each format", async () => {
    const { service } = shell;
    await connect(page, service!.url, KEY);
    await choose(page, ["Torsvika"]);
    await setRange(page, "2026-09-05", "2026-09-05");
    await fetchButton(page).click();
    await allCached(page);
    for (const format of FORMATS) {
      await page.getByRole("button", { name: "Export", exact: true }).click();
      await page.getByRole("radiogroup", { name: "Format" }).getByText(format, { exact: true }).click();
      const save = writeButton(page);
      const { path, suggestedName } = await shell.saved(() => save.click());
      const named = join(dirname(path), `${format}-${suggestedName}`);
      copyFileSync(path, named);
      paths.push(named);
    }
    expect(new Set(paths).size).toBe(FORMATS.length);
  });

  it("have the same values as the cache at the cursor", async () => {
    const files = page.getByRole("region", { name: "Opened files" });
    for (const [i, path] of paths.entries()) {
      await shell.opened(path, async () => {
        await page.keyboard.press("Control+k");
        await page.keyboard.type("open a file");
        await page.getByRole("option", { name: /^Open a file(?! from)/ }).click();
      });
      // The files open one after the other.
      await expect.poll(() => files.getByRole("region").count(), SOON).toBe(i + 1);
    }
    // The station, and one line of each file.
    await page.locator(`[data-variable="ztd"][data-drawn="${1 + paths.length}"]`).waitFor();
    let values: string[] = [];
    let offset = 0;
    // A redrawn plot needs another movement of the cursor.
    const readoutValues = async (): Promise<string[]> => {
      const box = (await page.locator('[data-variable="ztd"] .u-over').boundingBox())!;
      offset = 1 - offset;
      await page.mouse.move(box.x + box.width / 3 + offset, box.y + box.height / 2);
      values = await page
        .locator('[data-moment] [data-variable="ztd"]')
        .evaluateAll((all) => all.map((each) => Number(each.getAttribute("data-value")).toFixed(4)));
      return values;
    };
    await expect.poll(readoutValues, SOON).toHaveLength(1 + paths.length);
    expect(Number(values[0])).toBeGreaterThan(1_000);
    expect(new Set(values).size).toBe(1);
    if (shell.kind === "web") await shoot(page, "files");
  });

  it("appear in all windows, and disappear from all when they are closed", async () => {
    const second = await shell.openWindow();
    await second
      .getByRole("region", { name: "Opened files" })
      .getByRole("region")
      .nth(paths.length - 1)
      .waitFor();
    const close = page.getByRole("button", { name: /^Close .*\.(nc|sqlite|csv)$/ });
    for (let left = paths.length; left > 0; left--) {
      // Wait until the previous file has closed.
      await expect.poll(() => close.count(), SOON).toBe(left);
      await close.first().click();
    }
    await second.getByRole("region", { name: "Opened files" }).waitFor({ state: "detached" });
    await page.locator('[data-variable="ztd"][data-drawn="1"]').waitFor();
    await second.close();
  });

  it("can be used without a connection", async () => {
    await page.getByRole("button", { name: /^Connection: / }).click();
    await page.getByRole("menuitem", { name: /^Remove “/ }).click();
    const openFiles = page.getByRole("region", { name: "Open files" });
    await openFiles.waitFor();
    await shell.opened(paths[2]!, () => page.keyboard.press("Control+Shift+O"));
    await page.locator('[data-variable="ztd"][data-drawn="1"]').waitFor();
    expect(await page.getByRole("tab").allInnerTexts()).toEqual(["Series", "Compare", "Table"]);
    expect(await page.getByRole("region", { name: "Stations" }).count()).toBe(0);
    // The files remain open when the page is reloaded.
    if (shell.kind === "web") await page.reload();
    await page.locator('[data-variable="ztd"][data-drawn="1"]').waitFor();
    if (shell.kind === "web") await shoot(page, "files-alone");
    await page.getByText(/^newest shown/).waitFor();
    expect(await page.getByRole("main").getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.getByRole("tab", { name: "Compare" }).click();
    await page.getByRole("heading", { name: "Only one open file contains ZTD" }).waitFor();
    await shell.opened(paths[0]!, () => page.keyboard.press("Control+Shift+O"));
    // The same values in another format.
    const row = page.getByRole("region", { name: "Matched sites" }).getByRole("row").nth(1);
    await expect.poll(() => row.getByRole("cell").nth(5).innerText(), SOON).toMatch(/^[+−]?0\.00?$/);
    if (shell.kind === "web") await shoot(page, "files-compared");
    await page.getByRole("button", { name: /^Close .*\.nc$/ }).click();
    await page.getByRole("tab", { name: "Table" }).click();
    await expect.poll(() => page.getByRole("gridcell").count(), SOON).toBeGreaterThan(10);
    await page.getByRole("button", { name: /^Close .*\.csv$/ }).click();
    await openFiles.waitFor();
    // A page in a browser cannot reopen files, because it has no paths.
    const recent = page.getByRole("list", { name: "Recent files" }).getByRole("button");
    await expect.poll(() => recent.count(), SOON).toBe(shell.kind === "web" ? 0 : paths.length);
    if (shell.kind !== "web") {
      await recent.first().focus();
      await page.keyboard.press("Enter");
      await page.locator('[data-variable="ztd"][data-drawn="1"]').waitFor();
      await page.getByRole("button", { name: "Connection: Opened files" }).click();
      await page.getByRole("menuitem", { name: "Close all files" }).click();
      await openFiles.waitFor();
    }
    expect(shell.problems).toEqual([]);
  });
});
