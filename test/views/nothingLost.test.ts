import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { SOON } from "../e2e/harness/soon.ts";
import { drawer, exploreDemo } from "../e2e/harness/steps.ts";
import { violationsOn } from "../support/axe.ts";

const LOW = { width: 1024, height: 700 };

const messages = (page: Page): Locator => page.getByRole("region", { name: "Messages" });

/** The name of the focused element; null if there is none. */
function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) return null;
    return activeElement.getAttribute("aria-label") ?? activeElement.textContent;
  });
}

const TABLE = "station_id,time,ztd_mm\nA,2026-09-01T00:00:00Z,2400.1\nA,2026-09-01T00:05:00Z,2400.2\n";

async function saveView(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+s");
  await page.getByRole("dialog").getByRole("textbox").fill(name);
  await page.keyboard.press("Enter");
  await messages(page).getByText(`“${name}” was saved.`).waitFor();
}

/** Closes the messages that are there; some may disappear by themselves in the meantime. */
async function closeMessages(page: Page): Promise<void> {
  await messages(page)
    .getByRole("button", { name: "Close" })
    .evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLElement).click();
    });
}

forEachShell("a low window with the demo", { shells: tries(1, Infinity) }, (page, shell) => {
  beforeAll(async () => {
    await page.setViewportSize(LOW);
    await exploreDemo(page);
  });

  it("has no controls, plots and values covered by messages, with the drawer open or closed", async () => {
    await drawer(page);
    for (const name of ["One", "Two", "Three"]) {
      await saveView(page, name);
      // A message under the pointer does not disappear by itself.
      await messages(page).getByText(name).hover();
      for (const isOpen of [true, false]) {
        const covered = () =>
          page.evaluate(() => {
            const boxes = [...document.querySelectorAll("[aria-label=Messages] [data-kind]")].map((e) =>
              e.getBoundingClientRect(),
            );
            const controls = [
              ...document.querySelectorAll("button,input,a[href],[role=tab],[role=row],canvas,main p > span"),
            ];
            const main = document.querySelector("main")!.getBoundingClientRect();
            return controls.flatMap((control) => {
              const { left, right, top, bottom } = control.getBoundingClientRect();
              // Controls scrolled out of the view are not covered.
              const foot = control.closest("main") ? Math.min(bottom, main.bottom) : bottom;
              const isUnder = boxes.some((b) => left < b.right && right > b.left && top < b.bottom && foot > b.top);
              return isUnder && !control.closest("[aria-label=Messages]") ? [control.textContent] : [];
            });
          });
        await expect.poll(covered, SOON).toEqual([]);
        await page.keyboard.press("Control+j");
        await page
          .getByRole("region", { name: "Downloads and exports" })
          .waitFor({ state: isOpen ? "detached" : "visible" });
      }
    }
    const violations = await violationsOn(page, { within: "[aria-label=Messages]" });
    expect(violations.map((v) => v.id)).toEqual([]);
    await closeMessages(page);
    await page.keyboard.press("Control+j");
  });

  it("keeps a dialog with something typed open at the first Esc, and leaves it at the second", async () => {
    const dialog = page.getByRole("dialog", { name: "Connect to a service" });
    await page.keyboard.press("Control+o");
    const address = dialog.getByLabel("Address of the service");
    await address.fill("https://service.example");
    await page.keyboard.press("Escape");
    await dialog.getByText("Press Esc again to discard what you typed.").waitFor();
    expect(await address.inputValue()).toBe("https://service.example");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("Control+o");
    await address.focus();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("moves the focus to the next saved view after deleting one, and stays in the dialog after the last", async () => {
    await page.getByRole("button", { name: /^Connection:/ }).click();
    await page.getByRole("menuitem", { name: "Rename, delete or share views…" }).click();
    const dialog = page.getByRole("dialog", { name: "Saved views" });
    const names = () => dialog.getByRole("listitem").count();
    await expect.poll(names, SOON).toBe(3);
    await dialog.getByRole("button", { name: "Delete “Two”" }).focus();
    for (const left of [2, 1]) {
      await page.keyboard.press("Enter");
      await expect.poll(names, SOON).toBe(left);
      await expect.poll(() => focused(page), SOON).toMatch(/^Delete “/);
    }
    await page.keyboard.press("Enter");
    await expect.poll(names, SOON).toBe(0);
    await expect.poll(() => focused(page), SOON).toBe("Open a file…");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count(), SOON).toBe(0);
    await closeMessages(page);
  });

  it("shows all columns of the table of pairs", async () => {
    await page.keyboard.press("5");
    const table = page.getByRole("region", { name: "Table of pairs" });
    await table.getByRole("row").nth(1).waitFor();
    const overflow = () => table.evaluate((box) => box.scrollWidth - box.clientWidth);
    await expect.poll(overflow, SOON).toBe(0);
    expect(await table.getByRole("columnheader").last().innerText()).toMatch(/^Height\s+m$/);
    await page.keyboard.press("1");
  });

  it("moves the focus to the next opened file after closing one, and keeps a focus after the last", async () => {
    const close = (name: string) => page.getByRole("button", { name: `Close ${name}` });
    for (const name of ["a.csv", "b.csv", "c.csv"]) {
      await shell.drop(name, TABLE);
      await close(name).waitFor();
    }
    await close("b.csv").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page), SOON).toBe("Close c.csv");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page), SOON).toBe("Close a.csv");
    await page.keyboard.press("Enter");
    await close("a.csv").waitFor({ state: "detached" });
    await expect.poll(() => focused(page), SOON).not.toBeNull();
    await closeMessages(page);
  });

  it("keeps the selection with a message if a box on the map contains no station", async () => {
    await page.keyboard.press("2");
    const map = page.getByRole("application", { name: "Map of stations" });
    // The map is drawn and accepts input.
    await map.getByText(/ km$/).waitFor();
    await page.getByText("3 selected").waitFor();
    const { x, y, height } = (await map.boundingBox())!;
    // In the Pacific.
    const [left, top] = [x + 24, y + height / 2];
    await page.keyboard.down("Shift");
    await page.mouse.move(left, top);
    await page.mouse.down();
    await page.mouse.move(left + 6, top + 6);
    await page.mouse.move(left + 12, top + 12);
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await messages(page).getByText("No station inside.").waitFor();
    await page.getByText("3 selected").waitFor();
    expect(shell.problems).toEqual([]);
  });

  it("removes a note, which can be undone", async () => {
    await page.getByRole("tab", { name: "Series" }).click();
    await page.keyboard.press("n");
    const note = page.getByRole("list", { name: "Thresholds and notes of this view" }).getByText("Receiver changed");
    await page.getByLabel("Note", { exact: true }).fill("Receiver changed");
    await page.keyboard.press("Enter");
    await note.waitFor();
    await page.getByRole("button", { name: /^Remove .*Receiver changed$/ }).click();
    await note.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await note.waitFor();
    expect(shell.problems).toEqual([]);
  });
});
