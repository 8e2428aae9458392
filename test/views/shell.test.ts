import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { restoreSize } from "../e2e/harness/size.ts";
import { axeViolationsInThemes } from "../support/axe.ts";
import { KEY } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";
import { openSection } from "../e2e/harness/steps.ts";

const desk = (page: Page) => page.getByRole("navigation", { name: "Sections" });
const palette = (page: Page) => page.getByRole("combobox", { name: "Search stations and commands" });

/** Waits for this number of selected stations. @returns the same number */
async function selectedCount(page: Page, count: number): Promise<number> {
  await page.getByText(`${count} selected`).waitFor();
  return count;
}

async function heightOf(part: Locator): Promise<number> {
  return (await part.boundingBox())?.height ?? 0;
}

/** By how many pixels the content is wider. */
function overflow(part: Locator): Promise<number> {
  return part.evaluate((box) => box.scrollWidth - box.clientWidth);
}

/** Describes the violations of all rules of axe in the page, with colours in both themes. */
function axeViolations(page: Page): Promise<string[]> {
  return axeViolationsInThemes(page, {});
}

async function menu(page: Page, entry: RegExp): Promise<void> {
  await page.getByRole("button", { name: /^Connection: / }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

const requests: string[] = [];
const feed = createServer(({ url }, response) => {
  requests.push(url ?? "");
  response.end(JSON.stringify({ version: "99.0.0", date: "2026-12-01", notes: ["R &amp; D <img src=x onerror=a()>"] }));
});
// Before the shells start, which inherit the environment.
beforeAll(async () => {
  await once(feed.listen(0, "127.0.0.1"), "listening");
  vi.stubEnv("ZENITH_RELEASES", `http://127.0.0.1:${(feed.address() as AddressInfo).port}`);
});
afterAll(() => {
  vi.unstubAllEnvs();
  feed.close();
});

/** Returns the right edge of an element, CSS pixels. */
async function rightOf(part: Locator): Promise<number> {
  const box = (await part.boundingBox())!;
  return box.x + box.width;
}

forEachShell("the window", { shells: tries(1, Infinity), service: {} }, (page, shell) => {
  beforeAll(() => {
    requests.length = 0;
  });

  it("connects with a name, and the page does not contain the key afterwards", async () => {
    const { service } = shell;
    await page.getByLabel("Address of the service").fill(service?.url ?? "");
    await page.getByLabel("API key").fill(KEY);
    await page.getByLabel("Name (optional)").fill("Aurora");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await desk(page).waitFor();
    expect(await page.content()).not.toContain(KEY);
    const fields = await page.locator("input").evaluateAll((all) => all.map((i) => (i as HTMLInputElement).value));
    expect(fields.join("\n")).not.toContain(KEY);
  });

  it("adds a station with the palette, or selects only it", async () => {
    await page.keyboard.press("Control+k");
    await palette(page).fill("heinaniemi");
    await page.getByRole("option", { name: /^Heinäniemi/ }).waitFor();
    await page.keyboard.press("Enter");
    await selectedCount(page, 1);
    await page.keyboard.press("Control+k");
    await palette(page).fill("kallio");
    await page.getByRole("option", { name: /^Kallio/ }).waitFor();
    await page.keyboard.press("Enter");
    await selectedCount(page, 2);
    await page.keyboard.press("Control+k");
    await palette(page).fill("torsvika");
    await page.getByRole("option", { name: /^Torsvika/ }).waitFor();
    await page.keyboard.press("Shift+Enter");
    expect(await selectedCount(page, 1)).toBe(1);
  });

  it("runs commands by keys, but not while typing or in a dialog", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("?6");
    await expect.poll(() => page.locator("input:focus").inputValue()).toBe("?6");
    await page.keyboard.press("Control+,");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.keyboard.press("?");
    const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await shortcuts.waitFor();
    await page.keyboard.press("1");
    await page.keyboard.press("Control+1");
    await page.keyboard.press("Escape");
    await shortcuts.waitFor({ state: "hidden" });
    // Still in Settings: the keys did not reach the window below.
    expect(await page.getByRole("heading", { name: "Settings" }).isVisible()).toBe(true);
    await page.keyboard.press("?");
    await shortcuts.waitFor();
    // Escape is pressed while no element has the focus.
    await page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    });
    await shortcuts.waitFor({ state: "hidden" });
    await page.keyboard.press("6");
    await page.getByRole("tab", { name: "Table", selected: true }).waitFor();
  });

  it("runs commands by keys while a closed list has the focus, which keeps its value", async () => {
    const interval = page.getByRole("button", { name: "Interval" });
    await interval.click();
    await page.getByRole("option", { name: "1 h means" }).click();
    await expect.poll(() => interval.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press("5");
    await page.getByRole("tab", { name: "Compare", selected: true }).waitFor();
    expect(await interval.innerText()).toBe("1 h means");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await page.getByRole("tab", { name: "Table", selected: true }).waitFor();
    await expect.poll(() => interval.innerText()).toBe("Every observation");
  });

  it("restores its state after a restart", async () => {
    await openSection(page, "Storage");
    await page.reload();
    await page.getByRole("heading", { name: "Storage" }).waitFor();
    await page.keyboard.press("1");
    expect(await selectedCount(page, 1)).toBe(1);
  });

  it("removes a connection, which can be undone", async () => {
    await menu(page, /^Remove “Aurora”/);
    await page.getByText("Explore the demo").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    expect(await selectedCount(page, 1)).toBe(1);
  });

  it("opens the demo with three stations and their data", async () => {
    await menu(page, /^Explore the demo/);
    await selectedCount(page, 3);
    for (const name of ["Kallio", "Torsvika", "Heinäniemi"])
      await page.getByText(name, { exact: true }).first().waitFor();
    await page.locator("[title*='rows of 3 stations']").waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it("chooses the variable of each view by the chips, and keeps the selection", async () => {
    const chip = (name: string): Locator =>
      page.getByRole("group", { name: "Variables" }).getByRole("button", { name, exact: true });
    const pressed = (name: string): Promise<string | null> => chip(name).getAttribute("aria-pressed");
    await page.keyboard.press("2");
    await chip("PWV").click();
    await page.getByRole("region", { name: "Legend" }).getByText("PWV, mm").waitFor();
    expect([await pressed("ZTD"), await pressed("PWV")]).toEqual(["false", "true"]);
    await page.keyboard.press("5");
    await page.getByText(/^PWV minus /).waitFor();
    await chip("ZTD").click();
    await page.getByText(/^ZTD minus /).waitFor();
    await page.keyboard.press("4");
    await chip("PWV").click();
    await page.getByRole("grid", { name: /^Completeness/ }).focus();
    await page.keyboard.press("Home");
    // PWV has a value in five minutes, ZTD ten.
    await page
      .getByRole("region", { name: "Day", exact: true })
      .getByText(/of 288 expected/)
      .waitFor();
    await page.keyboard.press("3");
    await expect.poll(() => pressed("Satellites")).toBe("true");
    expect(await chip("ZTD").isDisabled()).toBe(true);
    await page.keyboard.press("1");
    await expect.poll(async () => [await pressed("ZTD"), await pressed("PWV")]).toEqual(["true", "true"]);
  });

  it("shows the selection in contrast themes, and keeps Export visible at 200 %", async () => {
    const size = page.viewportSize();
    await page.emulateMedia({ forcedColors: "active" });
    const groundOf = (selected: boolean): Promise<string> =>
      page
        .getByRole("tab", { selected })
        .first()
        .evaluate((tab) => getComputedStyle(tab).backgroundColor);
    expect(await groundOf(true)).not.toBe(await groundOf(false));
    const all = page.getByRole("button", { name: "Clear selection" });
    const tickGround = (): Promise<string> =>
      all.evaluate((box) => getComputedStyle(box.querySelector("span")!).backgroundColor);
    expect(await tickGround()).toBe(await groundOf(true));
    await page.emulateMedia({ forcedColors: "none" });
    await page.setViewportSize({ width: 720, height: 450 });
    const right = async (): Promise<number> => {
      const box = await page.getByRole("button", { name: "Export", exact: true }).boundingBox();
      return box === null ? Infinity : box.x + box.width;
    };
    await expect.poll(right).toBeLessThanOrEqual(720);
    // The width without a scroll bar.
    await page.setViewportSize({ width: 705, height: 450 });
    const viewsRight = async (): Promise<number> => {
      const box = await page.getByRole("region", { name: "Views", exact: true }).boundingBox();
      return box === null ? Infinity : box.x + box.width;
    };
    await expect.poll(viewsRight).toBeLessThanOrEqual(705);
    const plots = page.getByRole("group", { name: "Plot", exact: true });
    // A whole panel.
    await expect.poll(() => heightOf(plots)).toBeGreaterThan(187);
    // Text at 280 %: nothing is wider than the window, and the plot keeps its height.
    await page.setViewportSize({ width: 512, height: 350 });
    for (const part of [page.locator("main"), page.getByRole("banner")])
      await expect.poll(() => overflow(part)).toBeLessThanOrEqual(0);
    await expect.poll(() => heightOf(plots)).toBeGreaterThan(240);
    await page.keyboard.press("2");
    const [map, legend] = [page.getByRole("application"), page.getByRole("region", { name: "Legend" })];
    await expect.poll(async () => (await heightOf(map)) - (await heightOf(legend))).toBeGreaterThan(150);
    await page.keyboard.press("1");
    await restoreSize(page, size);
  });

  it("cuts long names in their middle, because many differ at their end", async () => {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 900, height: 700 });
    // Beside the values of the map.
    await page.keyboard.press("Control+2");
    const name = page.getByTitle("Älvsborgsudden, Outer Pier").and(page.locator("[data-tail='ter Pier']"));
    // There is less room than for the whole name, and nothing reaches out of it: its start is cut.
    const isCut = (): Promise<boolean> =>
      name.evaluate((box) => {
        const whole = document.createElement("canvas").getContext("2d")!;
        whole.font = getComputedStyle(box).font;
        return whole.measureText(box.textContent).width > box.clientWidth && box.scrollWidth <= box.clientWidth;
      });
    await expect.poll(isCut).toBe(true);
    expect(await rightOf(name)).toBeLessThanOrEqual(
      await rightOf(page.getByRole("region", { name: "Stations", exact: true })),
    );
    // Screen readers and a search in the page find one name.
    expect(await name.innerText()).toBe("Älvsborgsudden, Outer Pier");
    await page.keyboard.press("Control+1");
    await restoreSize(page, size);
  });

  it("keeps the width of the stations for large windows while a small one shows them wider", async () => {
    const stations = page.getByRole("region", { name: "Stations", exact: true });
    const width = async () => (await stations.boundingBox())?.width ?? 0;
    const open = async (size: { width: number; height: number }) => {
      await page.setViewportSize(size);
      await page.reload();
      await stations.waitFor();
      return width();
    };
    const large = await open({ width: 1440, height: 900 });
    expect(await open({ width: 720, height: 450 })).toBeGreaterThan(large / 2);
    expect(await open({ width: 1440, height: 900 })).toBe(large);
    // A width that the user chooses is kept.
    await page.getByRole("separator", { name: "Width of the stations" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(width).toBeGreaterThan(large);
    const chosen = await width();
    expect(await open({ width: 1440, height: 900 })).toBeCloseTo(chosen, 0);
  });

  it("shows the control with the focus of a dialog that is higher than the window", async () => {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 512, height: 350 });
    await page.keyboard.press("e");
    await page.getByRole("dialog").waitFor();
    const isFocusShown = (): Promise<boolean> =>
      page.evaluate(() => {
        const box = document.activeElement?.getBoundingClientRect();
        const isInDialog = Boolean(document.activeElement?.matches("[role=dialog] *"));
        return isInDialog && box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
      });
    await expect.poll(isFocusShown).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await restoreSize(page, size);
  });

  it("passes axe in the storage section", async () => {
    await openSection(page, "Storage");
    await page.getByRole("heading", { name: "Storage" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it("checks for a newer version only if this is turned on, and shows its changes as text", async () => {
    await openSection(page, "Settings");
    expect(requests).toEqual([]);
    await page.getByText("Check once a day").click();
    const notice = page.getByRole("status").filter({ hasText: "Zenith Desk 99.0.0 is available." });
    await notice.click();
    const list = page.getByRole("dialog", { name: "Notices" });
    await list.getByRole("button", { name: "What is new" }).click();
    const dialog = page.getByRole("dialog", { name: "A newer version of Zenith Desk" });
    await dialog.getByText("R &amp; D").waitFor();
    expect(await dialog.locator("li > *").count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await notice.click();
    await list.getByRole("button", { name: "Close" }).click();
    await notice.waitFor({ state: "detached" });
    await page.reload();
    await page.getByText("Version 99.0.0 is available.").waitFor();
    expect(await notice.count()).toBe(0);
    expect(requests).toEqual(["/latest.json"]);
    await page.getByText("Check once a day").click();
  });

  it("shows the log, with errors of the page", async () => {
    shell.expectProblems();
    const main = page.locator("main");
    const size = page.viewportSize();
    await page.setViewportSize({ width: 1024, height: 700 });
    const before = await main.boundingBox();
    await page.evaluate(() => void setTimeout(() => reportError(new Error("a failure of this test"))));
    await page.getByText(/Something went wrong in this window .*a failure of this test/).waitFor();
    // A message moves nothing.
    expect(await main.boundingBox()).toEqual(before);
    await restoreSize(page, size);
    shell.calm();
    await page.keyboard.press("Control+k");
    await palette(page).fill("show log");
    await page.keyboard.press("Enter");
    const lines = page.getByRole("dialog", { name: "Log" }).getByRole("region", { name: "Lines of the log" });
    await lines.getByText(/core\[\d+\] Zenith Desk [\d.]+ opens/).waitFor();
    await page.getByText("Errors", { exact: true }).click();
    await lines.getByText(/opens/).waitFor({ state: "detached" });
    await expect.poll(() => lines.innerText()).toContain("window: Uncaught Error: a failure of this test");
    expect(await lines.innerText()).not.toContain(KEY);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Close" }).last().click();
  });

  it("deletes data only after the time to undo", async () => {
    const rows = page.locator("dl > div", { hasText: "Rows" }).locator("dd");
    await openSection(page, "Storage");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("No damage was found").waitFor();
    await page.getByRole("button", { name: "Delete everything" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    expect(await rows.innerText()).not.toBe("0");
    await page.getByRole("button", { name: "Delete everything" }).click();
    await page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Close" }).last().click();
    await page.getByText(/rows deleted/).waitFor();
    await rows.getByText("0", { exact: true }).waitFor();
  });
});
