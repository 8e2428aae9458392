import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "#shared/time/utc.ts";
import { isFetchDue } from "#renderer/stores/autoFetch.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { shoot } from "../e2e/harness/shoot.ts";
import { SOON } from "../e2e/harness/soon.ts";
import { allCached, choose, connect, drawer } from "../e2e/harness/steps.ts";
import { KEY } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const range = (page: Page) => page.getByRole("group", { name: "Time range" }).getByRole("button").first();

const fetchEvery = async (page: Page, name: string): Promise<void> => {
  await range(page).click();
  await page.getByRole("radiogroup", { name: "Fetch automatically" }).getByRole("radio", { name, exact: true }).click();
  await page.keyboard.press("Escape");
};

describe("an automatic download", () => {
  const due = {
    minutes: 5,
    isMoving: true,
    isHidden: false,
    isOffline: false,
    hasStations: true,
    isBusy: false,
    lastMs: 1_000,
    nowMs: 1_000 + 5 * MINUTE_MS,
  } as const;

  it("is due after its interval", () => {
    expect(isFetchDue(due)).toBe(true);
    expect(isFetchDue({ ...due, lastMs: -Infinity })).toBe(true);
    expect(isFetchDue({ ...due, nowMs: due.nowMs - 1 })).toBe(false);
  });

  it.each([
    { minutes: 0 },
    { isMoving: false },
    { isHidden: true },
    { isOffline: true },
    { hasStations: false },
    { isBusy: true },
  ] as const)("is not due with %o", (state) => {
    expect(isFetchDue({ ...due, ...state })).toBe(false);
  });
});

forEachShell("a range with automatic downloads", { shells: tries(1, Infinity), service: {} }, (page, shell) => {
  const queries = (): number => shell.service?.stats.log.filter(({ endpoint }) => endpoint === "query").length ?? 0;
  beforeAll(async () => {
    const { service } = shell;
    await page.setViewportSize({ width: 1440, height: 900 });
    await connect(page, service?.url ?? "", KEY);
    await choose(page, ["Kallio"]);
    await range(page).click();
    await page.getByRole("button", { name: "Last 24 hours" }).click();
  });

  it("shows its cost, downloads missing data at once, and adds no job to the list", async () => {
    expect(queries()).toBe(0);
    await range(page).click();
    await page.getByText(/: first [\d,]+ points · ~\d+ requests?/).waitFor();
    await shoot(page, "range-auto-fetch");
    await page.keyboard.press("Escape");
    await fetchEvery(page, "1 min");
    await allCached(page);
    await expect.poll(() => range(page).innerText(), SOON).toContain("Last 24 hours, every 1 min");
    expect(queries()).toBeGreaterThan(0);
    const list = await drawer(page);
    await expect.poll(() => list.getByRole("listitem").count(), SOON).toBe(0);
    await page.keyboard.press("Escape");
  });

  it("sends no requests when it is off, and starts again after a reload", async () => {
    await fetchEvery(page, "Off");
    const before = queries();
    await choose(page, ["Torsvika"]);
    await page.getByRole("button", { name: /^Fetch [\d,]+ points/ }).waitFor();
    expect(queries()).toBe(before);
    await fetchEvery(page, "5 min");
    await allCached(page);
    const count = queries();
    expect(count).toBeGreaterThan(before);
    await choose(page, ["Lumivaara"]);
    await page.getByRole("button", { name: /^Fetch [\d,]+ points/ }).waitFor();
    expect(queries()).toBe(count);
    await page.reload();
    await expect.poll(() => range(page).innerText(), SOON).toContain("every 5 min");
    await expect.poll(queries, SOON).toBeGreaterThan(count);
    expect(shell.problems).toEqual([]);
  });
});
