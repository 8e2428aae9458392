import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { tries } from "../support/endurance.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { SOON } from "../e2e/harness/soon.ts";

const guide = (page: Page): Locator => page.getByRole("dialog", { name: "User guide" });
const contents = (page: Page): Locator => guide(page).getByRole("navigation", { name: "Pages of the guide" });
const shown = (page: Page): Locator => guide(page).locator("article");
const title = (page: Page): Promise<string> => shown(page).getByRole("heading").first().innerText();
const search = (page: Page): Locator => guide(page).getByRole("searchbox", { name: "Search the guide" });
const scrollTop = (page: Page): Promise<number> => shown(page).evaluate((article) => article.parentElement!.scrollTop);

/** Addresses of the resources that the page has loaded. */
const loadedResources = (page: Page): Promise<string[]> =>
  page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));

forEachShell("the user guide", { shells: tries(1, Infinity) }, (page) => {
  it("loads only when it is opened, and F1 opens it before there is a connection", async () => {
    await page.getByRole("button", { name: "Explore the demo" }).waitFor();
    expect((await loadedResources(page)).filter((name) => /Guide-|-1024-/.test(name))).toEqual([]);
    await page.keyboard.press("F1");
    await expect.poll(() => title(page), SOON).toBe("The first minute");
    expect(await search(page).evaluate((field) => field === document.activeElement)).toBe(true);
    // Contents and page side by side have the width of the window.
    const [box, window] = [(await guide(page).boundingBox())!, page.viewportSize()!];
    expect(box.width).toBeGreaterThan(Math.min(1_200, window.width) - 64);
  });

  it("shows its pictures in the theme of the window and loads only resources of the program", async () => {
    const picture = shown(page).getByRole("img", { name: /^The first screen/ });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      // The picture follows the theme a moment later.
      await expect.poll(() => picture.getAttribute("src"), SOON).toContain(colorScheme);
      expect(await picture.count()).toBe(1);
      await picture.scrollIntoViewIfNeeded();
      await expect.poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth), SOON).toBe(1024);
    }
    await page.emulateMedia({ colorScheme: null });
    const origin = await page.evaluate(() => location.origin);
    expect((await loadedResources(page)).filter((name) => !name.startsWith(origin))).toEqual([]);
  });

  it("follows links to pages and headings, and navigates back and forward", async () => {
    await contents(page).getByRole("link", { name: "Why is it missing?" }).click();
    await expect.poll(() => title(page), SOON).toBe("Why is it missing?");
    await shown(page).getByRole("link", { name: "Series", exact: true }).click();
    await expect.poll(() => title(page), SOON).toBe("Series");
    const back = guide(page).getByRole("button", { name: /^Back/ });
    await back.click();
    await expect.poll(() => title(page), SOON).toBe("Why is it missing?");
    expect(await scrollTop(page)).toBeGreaterThan(0);
    // The history of the browser would leave the program.
    await page.keyboard.press("Alt+ArrowLeft");
    await expect.poll(() => title(page), SOON).toBe("The first minute");
    await page.keyboard.press("Alt+ArrowRight");
    await contents(page).getByRole("link", { name: "From the command line" }).click();
    await expect.poll(() => scrollTop(page), SOON).toBeGreaterThan(300);
    expect(page.url()).not.toContain("missing");
  });

  it("searches all pages while the user types, and opens a result by keyboard", async () => {
    await guide(page).getByRole("region").focus();
    await page.keyboard.press("/");
    await page.keyboard.type("panoply");
    await expect.poll(() => guide(page).getByRole("option").count(), SOON).toBe(1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => title(page), SOON).toBe("Export");
    await search(page).fill("no such words anywhere");
    await guide(page).getByText("No page contains all of these words.").waitFor();
    await search(page).fill("");
    await contents(page).waitFor();
  });

  it("closes with Escape and reopens at the same page, also over another dialog", async () => {
    await page.keyboard.press("Escape");
    await expect.poll(() => guide(page).count(), SOON).toBe(0);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("F1");
    await expect.poll(() => title(page), SOON).toBe("Export");
    await page.keyboard.press("F1");
    await expect.poll(() => guide(page).count(), SOON).toBe(0);
    expect(await page.getByRole("dialog", { name: "Keyboard shortcuts" }).count()).toBe(1);
    await page.keyboard.press("Escape");
  });
});
