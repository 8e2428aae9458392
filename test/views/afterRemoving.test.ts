import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it, vi } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { SOON } from "../e2e/harness/soon.ts";
import { exploreDemo, stations } from "../e2e/harness/steps.ts";
import { KEY } from "../support/desk.ts";

/** The name of the focused element; null if there is none. */
function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) return null;
    return activeElement.getAttribute("aria-label") ?? activeElement.textContent;
  });
}

async function waitUntilGone(element: Locator): Promise<void> {
  await element.waitFor({ state: "detached" });
}

/** Presses Escape until the element is closed, because the first press may close a tooltip. */
async function closeWithEscape(page: Page, element: Locator): Promise<void> {
  const pressed = async (): Promise<void> => {
    await page.keyboard.press("Escape");
    await element.waitFor({ state: "detached", timeout: 1_000 });
  };
  await vi.waitFor(pressed, { timeout: 15_000 });
}

forEachShell("the focus after removing an element", { shells: tries(1, Infinity), service: {} }, (page, shell) => {
  beforeAll(async () => {
    await exploreDemo(page);
  });

  it("returns to its button after Escape closes the list of gaps, which closes after the drawer and dialogs", async () => {
    const gaps = page.getByRole("region", { name: "Gaps and their causes" });
    const drawer = page.getByRole("region", { name: "Downloads and exports" });
    await page.getByRole("tab", { name: "Series" }).focus();
    await page.keyboard.press("g");
    await gaps.waitFor();
    await page.keyboard.press("Escape");
    await waitUntilGone(gaps);

    await page.keyboard.press("g");
    await gaps.waitFor();
    await page.keyboard.press("Control+j");
    await drawer.waitFor();
    // On a button, Escape would close its tooltip first.
    await drawer.focus();
    await page.keyboard.press("Escape");
    await waitUntilGone(drawer);
    expect(await gaps.count()).toBe(1);
    await gaps.getByRole("grid").focus();
    await page.keyboard.press("Escape");
    await waitUntilGone(gaps);
    await expect.poll(() => focused(page), SOON).toBe("Gaps");

    // A dialog closes before the list.
    await page.keyboard.press("g");
    await gaps.waitFor();
    await page.keyboard.press("e");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await waitUntilGone(page.getByRole("dialog"));
    expect(await gaps.count()).toBe(1);
    await page.keyboard.press("g");
    await waitUntilGone(gaps);
  });

  it("moves to the next saved export, and stays in the dialog after the last one", async () => {
    const dialog = page.getByRole("dialog");
    for (const name of ["One", "Two", "Three"]) {
      await page.keyboard.press("e");
      await dialog.getByRole("button", { name: "Save this export…" }).click();
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.keyboard.press("Enter");
      await page.getByRole("list", { name: "Saved exports" }).getByText(name, { exact: true }).waitFor();
      if (name === "Three") break;
      await closeWithEscape(page, dialog);
    }
    // The element that opened the dialog disappears meanwhile, as a message would; the previously focused one follows.
    await closeWithEscape(page, dialog);
    await page.getByRole("tab", { name: "Series" }).focus();
    const message = await page.evaluateHandle(() => {
      const button = document.createElement("button");
      document.body.append(button);
      button.focus();
      return button;
    });
    await page.keyboard.press("e");
    await dialog.getByRole("radio", { name: /Saved exports · 3/ }).click();
    await message.evaluate((button) => button.remove());
    await dialog.getByText("Three", { exact: true }).waitFor();
    const buttons = await dialog.getByRole("button").all();
    expect(buttons.length).toBeGreaterThan(12);
    for (const button of buttons) await button.focus();
    const items = page.getByRole("list", { name: "Saved exports" }).getByRole("listitem");
    await dialog.getByRole("button", { name: "Remove “Two”" }).focus();
    for (const left of [2, 1]) {
      await page.keyboard.press("Enter");
      await expect.poll(() => items.count(), SOON).toBe(left);
      await expect.poll(() => focused(page), SOON).toMatch(/^Remove “/);
    }
    await page.keyboard.press("Enter");
    await page.getByText(/No exports are saved/).waitFor();
    const isIn = () => dialog.evaluate((box) => box.contains(document.activeElement));
    await expect.poll(isIn, SOON).toBe(true);
    await closeWithEscape(page, dialog);
    await expect.poll(() => focused(page), SOON).not.toBeNull();
  });

  it("returns to the open dialog rather than a message, and Escape on a message closes the dialog", async () => {
    const dialog = page.getByRole("dialog");
    const messages = page.getByRole("region", { name: "Messages" });
    await page.keyboard.press("e");
    await dialog.getByRole("button", { name: "Save this export…" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Four");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Remove “Four”" }).click();
    const undo = messages.getByRole("button", { name: "Undo" }).first();
    await undo.waitFor();
    // A focused button beside the message is removed.
    await messages.evaluate((region) => {
      const button = document.createElement("button");
      region.prepend(button);
      button.focus();
      button.remove();
    });
    const isIn = () => dialog.evaluate((box) => box.contains(document.activeElement));
    await expect.poll(isIn, SOON).toBe(true);

    await undo.focus();
    await closeWithEscape(page, dialog);
  });

  it("stays in the list of selected stations, and moves to “Show all stations” after the last one", async () => {
    await page.getByRole("button", { name: /^Filter stations/ }).click();
    await page.getByText("Selected", { exact: true }).click();
    await page.keyboard.press("Escape");
    const rows = stations(page).locator("[role=row][data-id]");
    await expect.poll(() => rows.count(), SOON).toBe(3);
    await stations(page).focus();
    for (const left of [2, 1]) {
      await page.keyboard.press("Home");
      await page.keyboard.press("Space");
      await expect.poll(() => rows.count(), SOON).toBe(left);
      await expect.poll(() => focused(page), SOON).toBe("Stations");
    }
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await page.getByText("No station matches the search and filters").waitFor();
    await expect.poll(() => focused(page), SOON).toBe("Show all stations");
    await page.keyboard.press("Enter");
    await rows.first().waitFor();
    await expect.poll(() => focused(page), SOON).not.toBeNull();

    // Also with the box in the heading.
    await stations(page).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await page.getByText("1 selected").waitFor();
    await page.getByRole("button", { name: "Clear selection" }).focus();
    await page.keyboard.press("Enter");
    await waitUntilGone(page.getByRole("button", { name: "Clear selection" }));
    await expect.poll(() => focused(page), SOON).not.toBeNull();
  });

  it("moves to the next connection, and to the demo button after the last one", async () => {
    const menu = page.getByRole("button", { name: /^Connection: / });
    for (const name of ["One", "Two", "Three"]) {
      await menu.click();
      await page.getByRole("menuitem", { name: "Connect to another service…" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Address of the service").fill(shell.service!.url);
      await dialog.getByLabel("API key", { exact: true }).fill(KEY);
      await dialog.getByLabel("Name", { exact: false }).last().fill(name);
      await dialog.getByRole("button", { name: "Connect", exact: true }).click();
      await page.getByRole("button", { name: `Connection: ${name}` }).waitFor();
    }
    await menu.click();
    await page.getByRole("menuitem", { name: "Remove “Three”" }).click();
    const kept = page.getByRole("region", { name: "Your connections" }).getByRole("listitem");
    await expect.poll(() => kept.count(), SOON).toBe(3);
    await expect.poll(() => focused(page), SOON).not.toBeNull();
    for (const left of [2, 1, 0]) {
      await page
        .getByRole("button", { name: /^More for / })
        .first()
        .focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: "Remove" }).focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => kept.count(), SOON).toBe(left);
      await expect.poll(() => focused(page), SOON).toMatch(left > 0 ? /^More for / : /^Explore the demo/);
    }
    expect(shell.problems).toEqual([]);
  });
});
