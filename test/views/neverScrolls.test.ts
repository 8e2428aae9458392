import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createBridgeClient } from "#shared/bridge/client.ts";
import type { FileGrant } from "#shared/file/opened.ts";
import { BUILT } from "#main/web/built.ts";
import { keepSocket } from "#renderer/bridge/socketChannel.ts";
import { chromiumBrowser, chromiumPath } from "../e2e/harness/chromium.ts";
import { builtApp } from "../support/build.ts";
import { tries } from "../support/endurance.ts";
import { clickKind, controlKinds, focusAll, scrollProblems } from "./controls.ts";
import { addLongContent, prepareLongContent } from "./longContent.ts";
import { openTestShell, type TestShell } from "../web/shell.ts";
import { openSection } from "../e2e/harness/steps.ts";
import { scratchFolder } from "../support/folder.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** The views, dialogs and sections of the window. */
const PARTS: readonly (readonly [name: string, open: (page: Page) => Promise<void>])[] = [
  ["series, with gaps and jobs", (page) => page.keyboard.press("1")],
  ["map", (page) => page.keyboard.press("2")],
  ["satellites", (page) => page.keyboard.press("3")],
  ["availability", (page) => page.keyboard.press("4")],
  ["compare", (page) => page.keyboard.press("5")],
  ["table", (page) => page.keyboard.press("6")],
  ["fetch", (page) => page.keyboard.press("f")],
  ["export", (page) => page.keyboard.press("e")],
  ["palette", (page) => page.keyboard.press("Control+k")],
  [
    "guide",
    async (page) => {
      await page.keyboard.press("F1");
      await page.getByRole("searchbox", { name: "Search the guide" }).waitFor();
    },
  ],
  [
    "schedule form",
    async (page) => {
      await page.getByRole("radio", { name: "Schedules" }).click();
      await page
        .getByRole("button", { name: /^New schedule/ })
        .first()
        .click();
    },
  ],
  ["schedules", (page) => page.getByRole("radio", { name: "Schedules" }).click()],
  ["storage", (page) => openSection(page, "Storage")],
  ["settings", (page) => openSection(page, "Settings")],
];

/** One of this number of kinds of controls is clicked. */
const ONE_OF = tries(4, 1);

const LARGE = { width: 1024, height: 700 };
/** The same window with text at 200 %. */
const DOUBLED = { width: 512, height: 350 };

describe("the window with long content", () => {
  const dataFolder = scratchFolder();
  let test: TestShell;
  let browser: Browser | null = null;
  let page: Page;
  /** Kinds of controls that were already clicked in another part, such as those of the station list. */
  const clicked = new Set<string>();
  beforeAll(async () => {
    if (chromiumPath() === null) return;
    builtApp();
    prepareLongContent(dataFolder);
    [browser, test] = await Promise.all([chromiumBrowser(), openTestShell({ dataFolder, ...BUILT })]);
    const secret = await test.secret();
    const { bridge, attach, emit } = createBridgeClient();
    const end = keepSocket(attach, emit, { open: () => test.pageSocket(secret) });
    await addLongContent(bridge, async (name) => {
      const headers = { authorization: `Bearer ${secret}`, origin: test.shell.origin };
      const path = `${test.shell.origin}/open?name=${encodeURIComponent(name)}`;
      const response = await fetch(path, {
        method: "POST",
        headers,
        body: "station_id,time,ztd_mm\na,2026-01-10T00:00:00Z,2400\n",
      });
      return ((await response.json()) as FileGrant).grantId;
    });
    end();
    page = await (await browser.newContext({ viewport: LARGE, reducedMotion: "reduce" })).newPage();
    // With a listener, no file dialog of the system opens.
    page.on("filechooser", () => {});
    await page.goto(test.shell.newLink());
    await page.getByRole("region", { name: "Downloads and exports" }).waitFor();
  });
  afterAll(async () => {
    await page?.context().close();
    await test?.close();
  });

  /** Closes dialogs, menus and lists. */
  async function closeOverlays(): Promise<void> {
    const overlay = page.locator("[role=dialog], [role=menu], [role=listbox]");
    for (let tries = 0; tries < 5 && (await overlay.count()) > 0; tries++) await page.keyboard.press("Escape");
  }

  it("does not scroll when “Keep up to date” of the last of many jobs is toggled", async ({ skip }) => {
    if (!browser) return skip("there is no Chromium on this computer (CHROMIUM names one)");
    const low = page.getByText("Keep up to date", { exact: true }).last();
    const before = await low.locator("..").getByRole("switch").isChecked();
    await low.click();
    await expect.poll(() => low.locator("..").getByRole("switch").isChecked()).toBe(!before);
    expect(await page.evaluate(scrollProblems)).toEqual([]);
  });

  it("shows all controls of the title bar at any width, and with text at 200 %", async () => {
    if (!browser) return;
    for (const width of [1440, 1024, 900, 899, 720, 600, 512]) {
      await page.setViewportSize({ width, height: LARGE.height });
      const outside = await page
        .getByRole("banner")
        .evaluate((bar) =>
          [...bar.querySelectorAll("button")]
            .filter((button) => button.getBoundingClientRect().right > innerWidth)
            .map((button) => button.getAttribute("aria-label") ?? button.innerText),
        );
      expect([width, outside]).toEqual([width, []]);
    }
    await page.setViewportSize(LARGE);
  });

  it.each(PARTS)("does not scroll when controls are used in: %s", async (_name, open) => {
    if (!browser) return;
    await closeOverlays();
    const explore = page.getByRole("radio", { name: "Explore" });
    if (!(await explore.isChecked())) await explore.click();
    await open(page);
    const kinds = await page.evaluate(controlKinds);
    expect(kinds.length).toBeGreaterThan(0);
    const fresh = kinds.filter((kind) => !clicked.has(kind));
    for (const kind of fresh) clicked.add(kind);
    for (const kind of fresh.filter((_, at) => at % ONE_OF === 0)) {
      await page.evaluate(clickKind, kind);
      expect([kind, await page.evaluate(scrollProblems)]).toEqual([kind, []]);
      await closeOverlays();
    }
    await page.setViewportSize(DOUBLED);
    expect(await page.evaluate(focusAll)).toEqual([]);
    expect(await page.evaluate(scrollProblems)).toEqual([]);
    await page.setViewportSize(LARGE);
    expect(await page.evaluate(focusAll)).toEqual([]);
  });
});
