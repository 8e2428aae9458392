import { DAY_MS } from "#shared/time/utc.ts";
import type { Locator, Page } from "playwright-core";

// Frequent steps of users, by roles and names.

/** Connects to a service on the first screen. */
export async function connect(page: Page, address: string, key: string): Promise<void> {
  await page.getByLabel("Address of the service").fill(address);
  await page.getByLabel("API key", { exact: true }).fill(key);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await stations(page).waitFor();
}

export function stations(page: Page): Locator {
  return page.getByRole("grid", { name: "Stations" });
}

/** Selects exactly these stations: finds each by its name and ticks it. */
export async function choose(page: Page, names: readonly string[]): Promise<void> {
  const none = page.getByRole("button", { name: "Clear selection" });
  if (await none.isVisible()) await none.click();
  await none.waitFor({ state: "detached" });
  const search = page.getByRole("searchbox", { name: "Find a station" });
  for (const name of names) {
    await search.fill(name);
    const found = stations(page).getByRole("row").filter({ hasText: name }).first();
    await found.getByRole("gridcell").first().click();
    await found.and(page.locator("[aria-selected=true]")).waitFor();
  }
  await search.fill("");
}

/** Types both ends of the time range; a day as the end is included. */
export async function setRange(page: Page, start: string, end: string): Promise<void> {
  await page.getByRole("group", { name: "Time range" }).getByRole("button").first().click();
  await page.getByLabel("Start, UTC").fill(start);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(end);
  const excluded = isDay ? new Date(Date.parse(end) + DAY_MS).toISOString().slice(0, 10) : end;
  await page.getByLabel("End, UTC (not included)").fill(excluded);
  const show = page.getByRole("button", { name: "Show", exact: true });
  await show.click();
  await show.waitFor({ state: "detached" });
}

/** The button of the export dialog that writes the file, in either shell. */
export function writeButton(page: Page): Locator {
  return page.getByRole("button", { name: /^(Save…|Write and download)$/ });
}

/** The button that writes a shared view with its data, in either shell. */
export function shareButton(page: Page): Locator {
  return page.getByRole("dialog").getByRole("button", { name: /^(Save file…|Download file)$/ });
}

/** The button that fetches the selection and shows the cost. */
export function fetchButton(page: Page): Locator {
  return page.getByRole("button", { name: /^Fetch (when online: )?[\d,]+ points?/ });
}

/** The number of points shown by the button. */
export async function pointsOf(button: Locator): Promise<number> {
  return numberOf(/([\d,]+) points? · ~[\d,]+ requests?/.exec(await button.innerText())?.[1] ?? "");
}

export function numberOf(words: string): number {
  return Number(words.replaceAll(",", ""));
}

/** Opens the drawer of downloads and exports. */
export async function drawer(page: Page): Promise<Locator> {
  const opened = page.getByRole("region", { name: "Downloads and exports" });
  const jobs = page.getByRole("button", { name: /^Status:/ });
  // Starting a download opens the drawer, too; a click at the same moment would close it.
  while (!(await opened.isVisible())) {
    await jobs.click();
    await jobs
      .and(page.locator("[aria-expanded=true]"))
      .waitFor({ timeout: 1_000 })
      .catch(() => {});
  }
  return opened;
}

/** Opens a section that is in the menu below the sections. */
export async function openSection(page: Page, name: "Storage" | "Settings"): Promise<void> {
  await page.getByRole("button", { name: "Settings and help" }).click();
  await page.getByRole("menuitem", { name }).click();
}

/** Asks whether the service is reachable, in the list of downloads, and closes it again if it was closed. */
export async function checkNetwork(page: Page): Promise<void> {
  const wasOpen = await page.getByRole("region", { name: "Downloads and exports" }).isVisible();
  const check = (await drawer(page)).getByRole("button", { name: "Check now" });
  await check.click();
  await check.waitFor();
  if (wasOpen) return;
  await page.keyboard.press("Control+j");
  await check.waitFor({ state: "detached" });
}

/** Arranges the lines of the plot. */
export async function arrange(page: Page, name: string): Promise<void> {
  const options = page.getByRole("dialog", { name: "Plot options" });
  await page.getByRole("button", { name: "Plot options" }).click();
  await options.getByRole("button", { name: "Arrangement of the lines" }).click();
  await page.getByRole("option", { name, exact: true }).click();
  await page.keyboard.press("Escape");
  await options.waitFor({ state: "detached" });
}

/** Waits until all selected data have arrived. */
export async function allCached(page: Page): Promise<void> {
  await page
    .getByText(/^Cached: /)
    .first()
    .waitFor();
}

/** Opens the demo on the first screen, and waits for the data of its three stations. */
export async function exploreDemo(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Explore the demo" }).click();
  await page.getByText("3 selected").waitFor();
  await allCached(page);
}
