import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { tries } from "../support/endurance.ts";
import { forEachShell } from "./harness/forEachShell.ts";
import { downloaded } from "./harness/downloaded.ts";
import { allCached, drawer, openSection, writeButton } from "./harness/steps.ts";
import { SOON } from "./harness/soon.ts";

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
    });
    if (name.test(focused)) return;
    seen.push(focused.slice(0, 30));
  }
  throw new Error(`Tab did not reach ${name}, only ${seen.join(", ")}.`);
}

/** The role of the focused element and the beginning of its name. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    const label = document.getElementById(element?.getAttribute("aria-labelledby") ?? "");
    const name = element?.getAttribute("aria-label") ?? label?.textContent ?? element?.textContent ?? "";
    return `${element?.getAttribute("role") ?? element?.tagName} ${/^[^.]*/.exec(name)?.[0]}`;
  });
}

forEachShell("keyboard navigation", { shells: tries(1, Infinity) }, (page, shell) => {
  it("opens the demo, selects and downloads a station, changes the range and the view, and exports a file", async () => {
    await page.getByRole("button", { name: "Explore the demo" }).waitFor();
    await tabTo(page, /^Explore the demo$/);
    await page.keyboard.press("Enter");
    await allCached(page);
    await expect.poll(() => focused(page), SOON).toBe("group Plot");

    await page.keyboard.press("/");
    await page.keyboard.type("kirkko");
    await page.keyboard.press("Enter");
    const legend = page.getByRole("group", { name: "Stations shown" }).getByRole("button");
    await expect.poll(() => legend.allInnerTexts(), SOON).toEqual(["Kirkkolahti"]);
    await page.keyboard.press("f");
    await page
      .getByRole("dialog", { name: "Fetch" })
      .getByRole("button", { name: /^Fetch [\d,]+ points/ })
      .waitFor();
    await page.keyboard.press("Enter");
    await allCached(page);

    const range = page.getByRole("group", { name: "Time range" }).getByRole("button").first();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const before = await range.innerText();
    await page.keyboard.press("+");
    await expect.poll(() => range.innerText(), SOON).not.toBe(before);
    await page.keyboard.press("[");
    await page.keyboard.press("]");
    await page.keyboard.press("6");
    await page.getByRole("tab", { name: "Table", selected: true }).waitFor();
    await page.keyboard.press("1");
    await page.getByRole("tab", { name: "Series", selected: true }).waitFor();

    await page.keyboard.press("e");
    const save = writeButton(page);
    await expect.poll(() => save.getAttribute("aria-disabled"), SOON).not.toBe("true");
    const { suggestedName } = await shell.saved(() => page.keyboard.press("Enter"));
    expect(suggestedName).toMatch(/Kirkkolahti.*\.nc$/);

    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("p");
    await page.getByRole("dialog", { name: "Save figure" }).waitFor();
    await expect.poll(() => focused(page), SOON).toMatch(/^BUTTON Save (PNG|SVG|PDF)$/);
    expect((await downloaded(page, () => page.keyboard.press("Enter"))).name).toMatch(/\.(png|svg|pdf)$/);
  });

  it("keeps the focus in the list of jobs after a job is removed, and restores it when the list is closed", async () => {
    const list = await drawer(page);
    const inList = () => list.evaluate((section) => section.contains(document.activeElement));
    const items = list.getByRole("listitem");
    // Two downloads and the file.
    await expect.poll(() => items.count(), SOON).toBe(3);
    await items.first().getByRole("button", { name: "Remove from the list" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => items.count(), SOON).toBe(2);
    await expect.poll(inList, SOON).toBe(true);
    // The next button has the focus; Escape closes its tooltip before it closes the list.
    await items
      .getByRole("button", { name: /^Remove from the list/ })
      .and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.press("Escape");
    if (await list.isVisible()) await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await page
      .getByRole("button", { name: /^Status:/ })
      .and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.press("Enter");
    await list.waitFor();
  });

  it("restores the focus after a message is closed, and later messages disappear automatically", async () => {
    const messages = page.getByRole("region", { name: "Messages" });
    const save = async (name: string): Promise<void> => {
      await page.keyboard.press("Control+s");
      await page.getByRole("dialog").getByRole("textbox").fill(name);
      await page.keyboard.press("Enter");
      await messages.getByText(`“${name}” was saved.`).waitFor();
    };
    const focused = page.locator(":focus");
    await page.getByRole("button", { name: "Export", exact: true }).focus();
    await save("One");
    // The focus moves from this button to the message, and back.
    await expect.poll(() => focused.innerText(), SOON).toBe("Export");
    await messages.getByRole("button", { name: "Close" }).last().focus();
    await page.keyboard.press("Enter");
    await messages.getByText("“One” was saved.").waitFor({ state: "detached" });
    await expect.poll(() => focused.innerText(), SOON).toBe("Export");
    await save("Two");
    await messages.getByText("“Two” was saved.").waitFor({ state: "detached" });
  });

  it("opens dialogs, closes them with Escape, which restores the focus, toggles the list of jobs, and opens and leaves the settings", async () => {
    const dialogs = page.getByRole("dialog");
    const range = page.getByRole("group", { name: "Time range" }).getByRole("button").first();
    for (const [keys, name] of [
      ["?", "Keyboard shortcuts"],
      ["Control+k", "Search, or run a command"],
      ["f", "Fetch"],
      ["e", "Export"],
    ] as const) {
      await range.focus();
      await page.keyboard.press(keys);
      await page.getByRole("dialog", { name }).waitFor();
      expect(await range.evaluate((button) => button === document.activeElement)).toBe(false);
      await page.keyboard.press("Escape");
      await expect.poll(() => dialogs.count(), SOON).toBe(0);
      await expect.poll(() => range.evaluate((button) => button === document.activeElement), SOON).toBe(true);
    }
    await page.keyboard.press("Control+j");
    await page.getByRole("region", { name: "Downloads and exports" }).waitFor({ state: "hidden" });
    await page.keyboard.press("Control+,");
    await page.getByRole("heading", { name: "Settings" }).first().waitFor();
    await page.keyboard.press("1");
    await page.getByRole("tab", { name: "Series", selected: true }).waitFor();
  });

  it("moves the focus with each command into the view that it shows, and back to the control in the old one", async () => {
    const isFocused = async (name: string): Promise<void> => {
      await expect.poll(() => focused(page), SOON).toBe(name);
    };
    await page.getByRole("group", { name: "Plot", exact: true }).focus();
    await page.keyboard.press("Control+,");
    await isFocused("H2 Settings");
    await page.keyboard.press("1");
    await isFocused("group Plot");
    await page.keyboard.press("4");
    await isFocused("grid Completeness by station and UTC day");
    await page.keyboard.press("1");
    await isFocused("group Plot");
    // Also from the tabs, and from the title bar, which stays.
    await page.getByRole("tab", { name: "Map" }).click();
    await page.keyboard.press("1");
    await isFocused("group Plot");
    await openSection(page, "Storage");
    await page.keyboard.press("Control+,");
    await isFocused("H2 Settings");
    await page.getByRole("button", { name: /^Connection:/ }).focus();
    await page.keyboard.press("1");
    await isFocused("group Plot");
    // A view that is loaded first gets the focus where its keys work, and a group of choices at the chosen one.
    await page.keyboard.press("6");
    await isFocused("grid Rows");
    await page.keyboard.press("5");
    await isFocused("radio Pairs");
    await page.keyboard.press("m");
    await isFocused("H2 Morning");
    await page.keyboard.press("1");
    await isFocused("group Plot");
    await page.getByRole("button", { name: /^Step forward/ }).focus();
    await page.keyboard.press("Tab");
    await isFocused("radio Explore stations and data");
  });

  it("goes around the parts of the window with F6, and back to the control that had the focus there", async () => {
    const focus = () => focused(page);
    // From another view, or the focus would be there before the key acts.
    await page.keyboard.press("4");
    await expect.poll(focus, SOON).toBe("grid Completeness by station and UTC day");
    await page.keyboard.press("1");
    await expect.poll(focus, SOON).toBe("group Plot");
    // Navigation is entered at the section that is shown, also after another control of it was used.
    await page.getByRole("button", { name: "Settings and help" }).focus();
    await page.keyboard.press("F6");
    await page.keyboard.press("Shift+F6");
    await expect.poll(focus, SOON).toBe("radio Explore stations and data");
    await page.keyboard.press("1");
    await expect.poll(focus, SOON).toBe("group Plot");
    const region = () =>
      page.evaluate(() => document.activeElement?.closest("[data-region]")?.getAttribute("aria-label") ?? "");
    const seen: string[] = [];
    do {
      await page.keyboard.press("F6");
      seen.push(await region());
    } while ((await focus()) !== "group Plot" && seen.length < 12);
    expect(seen).toEqual(["", "", "Sections", "Stations", seen.at(-1)]);
    await page.keyboard.press("Shift+F6");
    expect(await region()).toBe("Stations");
    await page.keyboard.press("F6");
    expect(await focus()).toBe("group Plot");
  });

  it("creates, runs, edits and deletes a schedule, and undoes the deletion", async () => {
    const isFocused = async (name: string | RegExp): Promise<void> => {
      await expect.poll(() => focused(page), SOON).toMatch(name);
    };
    const schedule = page.getByRole("list", { name: "Schedules" }).getByRole("listitem");
    await tabTo(page, /^Explore stations and data$/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No schedules" }).waitFor();
    await tabTo(page, /^New schedule$/);
    await page.keyboard.press("Enter");
    await isFocused("BUTTON Save");
    await page.keyboard.press("Enter");
    await isFocused("BUTTON New schedule");
    expect(await schedule.allInnerTexts()).toEqual([expect.stringMatching(/^Kirkkolahti daily\n/)]);

    await tabTo(page, /^Run now/);
    await page.keyboard.press("Enter");
    await schedule.getByRole("button", { name: /^Last run .*delivered/ }).waitFor();
    await isFocused("BUTTON Run now “Kirkkolahti daily”");

    await tabTo(page, /^Edit/);
    await page.keyboard.press("Enter");
    await isFocused("BUTTON Save");
    await tabTo(page, /^Name$|^$/);
    await page.keyboard.press("Backspace");
    await page.getByText(/^Use up to 60 letters/).waitFor();
    await page.keyboard.type("Weekly");
    await page.keyboard.press("Enter");
    await isFocused("BUTTON Edit “Weekly”");

    // The way goes through the message about what was saved, which does not take the focus later.
    await tabTo(page, /^Close$/);
    await tabTo(page, /^Delete/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No schedules" }).waitFor();
    await isFocused("BUTTON New schedule");
    await page.keyboard.press("Control+z");
    await schedule.getByText("Weekly").first().waitFor();
    await isFocused("BUTTON New schedule");
  });
});
