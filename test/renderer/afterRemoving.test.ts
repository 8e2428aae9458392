import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it, vi } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import type { OpenShell } from "../e2e/harness/shell.ts";
import { SOON } from "../e2e/harness/soon.ts";
import { allCached, stations } from "../e2e/harness/steps.ts";
import { KEY } from "../support/desk.ts";

/** What has the focus, as it is called; null where nothing has. */
function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) return null;
    return activeElement.getAttribute("aria-label") ?? activeElement.textContent;
  });
}

async function isGone(what: Locator): Promise<void> {
  await what.waitFor({ state: "detached" });
}

/** Esc closes a hint before what is under it, and whether there is one is a matter of moments. */
async function escapeFrom(page: Page, what: Locator): Promise<void> {
  const pressed = async (): Promise<void> => {
    await page.keyboard.press("Escape");
    await what.waitFor({ state: "detached", timeout: 1_000 });
  };
  await vi.waitFor(pressed, { timeout: 15_000 });
}

forEachShell("what goes around the focus", { shells: tries(1, Infinity), service: {} }, (opened) => {
  let shell: OpenShell;
  let page: Page;
  beforeAll(async () => {
    shell = opened();
    page = shell.page;
    await page.getByRole("button", { name: /Explore the demo/ }).click();
    await allCached(page);
  });

  it("the list of gaps goes with Esc, one thing at a time, and the focus to where it is opened from", async () => {
    const gaps = page.getByRole("region", { name: "Gaps and their causes" });
    const drawer = page.getByRole("region", { name: "Downloads and exports" });
    await page.getByRole("tab", { name: "Series" }).focus();
    await page.keyboard.press("g");
    await gaps.waitFor();
    await page.keyboard.press("Escape");
    await isGone(gaps);

    await page.keyboard.press("g");
    await gaps.waitFor();
    await page.keyboard.press("Control+j");
    await drawer.waitFor();
    // Not on a button: its hint would go first.
    await drawer.focus();
    await page.keyboard.press("Escape");
    await isGone(drawer);
    expect(await gaps.count()).toBe(1);
    await gaps.getByRole("grid").focus();
    await page.keyboard.press("Escape");
    await isGone(gaps);
    await expect.poll(() => focused(page), SOON).toBe("Gaps");

    // A dialog is above it.
    await page.keyboard.press("g");
    await gaps.waitFor();
    await page.keyboard.press("e");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await isGone(page.getByRole("dialog"));
    expect(await gaps.count()).toBe(1);
    await page.keyboard.press("g");
    await isGone(gaps);
  });

  it("saved exports: at the next one, and after the last in the dialog", async () => {
    const dialog = page.getByRole("dialog");
    for (const name of ["One", "Two", "Three"]) {
      await page.keyboard.press("e");
      await dialog.getByRole("button", { name: "Save this export…" }).click();
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.keyboard.press("Enter");
      await page.getByRole("list", { name: "Saved exports" }).getByText(name, { exact: true }).waitFor();
      if (name === "Three") break;
      await escapeFrom(page, dialog);
    }
    // What it was opened from goes while it is open, as a message does: what had the focus before that gets it back.
    await escapeFrom(page, dialog);
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
    await escapeFrom(page, dialog);
    await expect.poll(() => focused(page), SOON).not.toBeNull();
  });

  it("under a dialog: never at a message, and Esc at one closes the dialog", async () => {
    const dialog = page.getByRole("dialog");
    const messages = page.getByRole("region", { name: "Messages" });
    await page.keyboard.press("e");
    await dialog.getByRole("button", { name: "Save this export…" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Four");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Remove “Four”" }).click();
    const undo = messages.getByRole("button", { name: "Undo" }).first();
    await undo.waitFor();
    // Something over all that goes with the focus on it, beside the message.
    await messages.evaluate((region) => {
      const button = document.createElement("button");
      region.prepend(button);
      button.focus();
      button.remove();
    });
    const isIn = () => dialog.evaluate((box) => box.contains(document.activeElement));
    await expect.poll(isIn, SOON).toBe(true);

    await undo.focus();
    await escapeFrom(page, dialog);
  });

  it("stations of the selection: the list of them keeps the keys, and after the last one what brings others", async () => {
    await page.getByRole("button", { name: /^3 selected$/ }).click();
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

    // And by the buttons above the list and in the details.
    await stations(page).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await page.getByText("1 selected").waitFor();
    await page.getByRole("button", { name: "Clear selection" }).focus();
    await page.keyboard.press("Enter");
    await isGone(page.getByRole("button", { name: "Clear selection" }));
    await expect.poll(() => focused(page), SOON).not.toBeNull();
  });

  it("connections: at the next one, and after the last where one is made", async () => {
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
