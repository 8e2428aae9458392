import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { DAY_MS } from "#shared/time/utc.ts";
import { axeViolationsInThemes } from "../support/axe.ts";
import { tries } from "../support/endurance.ts";
import { demoStationAt } from "../e2e/harness/demoStation.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import type { OpenShell } from "../e2e/harness/shell.ts";
import { shoot } from "../e2e/harness/shoot.ts";
import { inkOf } from "../e2e/harness/ink.ts";
import { SOON } from "../e2e/harness/soon.ts";
import { arrange, drawer, exploreDemo, fetchButton, openSection } from "../e2e/harness/steps.ts";

const LARGE = { width: 1440, height: 900 };
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Controls that are invisible or unreachable in a window of 1024 px at 200 %: clipped by an element that does not
 * scroll, or outside the window.
 */
async function clippedControls(page: Page): Promise<string[]> {
  // Elements that follow the mouse would remain outside the smaller window.
  await page.mouse.move(0, 0);
  await page.setViewportSize({ width: 512, height: 350 });
  const found = await page.evaluate(async () => {
    // The document is clipped at the window and never scrolls.
    const root = document.body;
    const isWide = (): boolean => root.scrollWidth > root.clientWidth;
    // Plots adapt some frames after the window.
    for (let frame = 0; frame < 3 || (frame < 120 && isWide()); frame++)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    const bad: string[] = [];
    const { scrollWidth, clientWidth } = root;
    if (isWide()) {
      const reaching = [...document.body.querySelectorAll("*")].filter(
        (e) => Math.abs(e.getBoundingClientRect().right - scrollWidth) < 1,
      );
      const who = reaching.map((e) => `${e.tagName}.${e.getAttribute("class")}`).join(", ");
      bad.push(`the document is ${scrollWidth} wide in a window of ${clientWidth}: ${who}`);
    }
    for (const control of document.querySelectorAll<HTMLElement>("button, input, a[href], [role=tab], [role=option]")) {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.closest("[inert]")) continue;
      const box = control.getBoundingClientRect();
      // Inputs behind a drawn switch, and buttons for screen readers only.
      if (box.width <= 2 || box.height <= 2 || control.closest("[style*='clip']")) continue;
      for (let at = control.parentElement; at; at = at.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(at);
        const around = at === document.body ? new DOMRect(0, 0, innerWidth, innerHeight) : at.getBoundingClientRect();
        if (/auto|scroll/.test(overflowX + overflowY)) break;
        const isCutX = overflowX !== "visible" && (box.left < around.left - 2 || box.right > around.right + 2);
        const isCutY = overflowY !== "visible" && (box.top < around.top - 2 || box.bottom > around.bottom + 2);
        if (isCutX || isCutY) {
          bad.push(`“${control.getAttribute("aria-label") ?? control.textContent}” is cut off by ${at.className}`);
          break;
        }
      }
    }
    return bad;
  });
  return found;
}

/**
 * Layout problems in windows of 1024 and 1440 px: controls smaller than 24 px, clipped text without a tooltip or label,
 * and views that scroll by a few pixels.
 */
async function layoutProblems(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const size of [LARGE, { width: 1024, height: 700 }]) {
    await page.setViewportSize(size);
    found.push(...(await page.evaluate(layoutProblemsNow)).map((what) => `${size.width}: ${what}`));
  }
  return found;
}

async function layoutProblemsNow(): Promise<string[]> {
  for (let frame = 0; frame < 4; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- runs in the page, without access to this module
  const isShown = (e: Element): boolean =>
    e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest("[inert], [style*='clip']");
  const bad: string[] = [];
  for (const control of document.querySelectorAll("button, input, a[href], [role=tab], [role=option]")) {
    const { width, height } = control.getBoundingClientRect();
    // Inputs behind a drawn switch, and links within text.
    const isText = getComputedStyle(control).display === "inline" || control.closest(".visually-hidden");
    if (!isShown(control) || width <= 2 || height <= 2 || isText || Math.min(width, height) >= 23.5) continue;
    bad.push(`“${control.getAttribute("aria-label") ?? control.textContent}” is ${width} by ${height}`);
  }
  for (const e of document.querySelectorAll<HTMLElement>("main *, [role=dialog] *")) {
    const { overflowX, overflowY } = getComputedStyle(e);
    const hasText = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent?.trim());
    const isCut = hasText && overflowX === "hidden" && e.clientWidth > 4 && e.scrollWidth > e.clientWidth + 1;
    if (isCut && isShown(e) && !e.closest("[title], [aria-label]:not(section, [role=grid], [role=region])"))
      bad.push(`“${e.textContent}” is cut off, without a tooltip or label`);
    const restPx = e.scrollHeight - e.clientHeight;
    if (/auto|scroll/.test(overflowY) && restPx > 0 && restPx < 8 && isShown(e))
      bad.push(`${e.className} scrolls by ${restPx} px`);
  }
  return bad;
}

/**
 * Controls and pictures that a screen reader cannot tell apart: without a name, or with the same name within one named
 * part of the page.
 */
async function sameNames(page: Page): Promise<string[]> {
  const bad: string[] = [];
  /** The named parts around a line of the snapshot, outermost first, each with the names in it. */
  const around: { readonly indent: number; readonly part: string; readonly seen: Set<string> }[] = [];
  const part = { indent: -1, part: "page", seen: new Set<string>() };
  for (const line of (await page.locator("body").ariaSnapshot()).split("\n")) {
    const indent = line.search(/\S/);
    while ((around.at(-1)?.indent ?? -1) >= indent) around.pop();
    const [, role = "", name = ""] = /^\s*- '?(\w+)(?: "((?:[^"\\]|\\.)*)")?/.exec(line) ?? [];
    const inside = around.at(-1) ?? part;
    if (inside.part === "log" || OF_REACT_ARIA.has(name)) continue;
    if (NAMED_APART.has(role)) {
      const isSame = inside.seen.has(`${role} ${name}`);
      inside.seen.add(`${role} ${name}`);
      if (name === "" || isSame) bad.push(`${role} “${name}” in ${inside.part}`);
    } else if (name !== "" || role === "log")
      around.push({ indent, part: name === "" ? role : `${role} “${name}”`, seen: new Set() });
  }
  return bad;
}

/** Its hidden buttons for screen readers; its announcements are the log. */
const OF_REACT_ARIA = new Set(["Dismiss", "Next"]);
const NAMED_APART = new Set(["button", "checkbox", "combobox", "img", "link", "slider", "switch", "tab", "textbox"]);

/** Closes messages of previous steps. */
async function closeMessages(page: Page): Promise<void> {
  const close = page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Close", exact: true });
  // All in one call: a click would wait for a message that has just disappeared by itself.
  await close.evaluateAll((buttons) => {
    for (const button of buttons) (button as HTMLElement).click();
  });
}

interface Screen {
  readonly name: string;
  open(page: Page, shell: OpenShell): Promise<unknown>;
  close?(page: Page): Promise<unknown>;
}

/** Closes the open dialog or menu. */
async function escape(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.locator("[role=dialog], [role=menu]").first().waitFor({ state: "detached" });
}

/** A dialog that a key opens. */
function byKey(name: string, keys: string, title: string): Screen {
  return {
    name,
    async open(page) {
      await page.keyboard.press(keys);
      await page.getByRole("dialog", { name: title }).waitFor();
    },
    close: escape,
  };
}

/** A dialog or menu that a button opens. */
function byButton(name: string, button: string | RegExp, role: "dialog" | "menu" = "dialog"): Screen {
  return {
    name,
    async open(page) {
      await page.getByRole("button", { name: button }).click();
      await page.getByRole(role).waitFor();
    },
    close: escape,
  };
}

/**
 * A day of one station that ends now, as another program would write it; its values differ from those of the service.
 */
function colleaguesCsv(): string {
  const stepMs = 300_000;
  const endMs = Math.floor(Date.now() / stepMs) * stepMs;
  const rows = Array.from({ length: 288 }, (_, i) => {
    const time = new Date(endMs - (288 - i) * stepMs).toISOString().replace(".000Z", "Z");
    return `COLL,${time},${(2_425 + 8 * Math.sin(i / 40)).toFixed(1)},${(14 + 2 * Math.cos(i / 40)).toFixed(1)}`;
  });
  return ["station_id,time,ztd_mm,pwv_mm", ...rows, ""].join("\n");
}

const SCREENS: readonly Screen[] = [
  { name: "start", open: (page) => page.getByRole("button", { name: "Explore the demo" }).waitFor() },
  {
    name: "series",
    async open(page) {
      await exploreDemo(page);
      await expect.poll(async () => Math.min(...(await inkOf(page, "Zenith total delay"))), SOON).toBeGreaterThan(20);
    },
  },
  {
    name: "series-statistics",
    async open(page) {
      await page.keyboard.press("s");
      await page.getByRole("cell", { name: /%$/ }).first().waitFor();
    },
    close: (page) => page.keyboard.press("s"),
  },
  {
    name: "series-hovmoller",
    async open(page) {
      await arrange(page, "Anomalies");
      await page.getByRole("heading", { name: "ZTD anomaly mm" }).waitFor();
      await arrange(page, "Hovmöller diagram");
      const diagram = page.getByRole("img", { name: /Zenith total delay, 3 stations/ });
      await diagram.and(page.locator("[data-drawn='3']")).waitFor();
    },
    async close(page) {
      await arrange(page, "Lines");
      await page.getByRole("region", { name: "Zenith total delay" }).waitFor();
    },
  },
  {
    name: "series-multiples",
    async open(page) {
      await arrange(page, "Small multiples");
      await page.locator("section[data-line] [data-drawn='1']").first().waitFor();
    },
    async close(page) {
      await arrange(page, "Lines");
      await page.getByRole("region", { name: "Zenith total delay", exact: true }).waitFor();
    },
  },
  {
    name: "series-rows",
    async open(page) {
      for (let zooms = 0; zooms < 8; zooms++) await page.keyboard.press("+");
      const plot = page.getByRole("region", { name: "Zenith total delay" }).locator("canvas").first();
      const { x, y, width, height } = (await plot.boundingBox())!;
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.getByText(/^cursor/).waitFor();
    },
    async close(page) {
      for (let zooms = 0; zooms < 8; zooms++) await page.keyboard.press("-");
      await page.getByRole("tab", { name: "Series" }).hover();
    },
  },
  {
    name: "series-not-asked",
    async open(page) {
      await page.keyboard.press("[");
      await page.getByRole("list", { name: "Causes of gaps" }).getByText("not downloaded").waitFor();
    },
    close: (page) => page.keyboard.press("]"),
  },
  byButton("catalogue-filter", "Filter stations"),
  {
    name: "catalogue-none",
    async open(page) {
      await page.getByRole("searchbox", { name: "Find a station" }).fill("no such station");
      await page.getByText("No station matches the search").waitFor();
    },
    close: (page) => page.getByRole("searchbox", { name: "Find a station" }).fill(""),
  },
  {
    name: "time-range",
    async open(page) {
      await page.getByRole("group", { name: "Time range" }).getByRole("button").first().click();
      await page.getByRole("dialog", { name: "Time range" }).waitFor();
    },
    close: escape,
  },
  byKey("fetch", "f", "Fetch"),
  byKey("export", "e", "Export"),
  byKey("annotations", "n", "Thresholds and notes"),
  {
    name: "station",
    async open(page) {
      await page.keyboard.press("i");
      await page.getByRole("region", { name: "Station", exact: true }).waitFor();
    },
    close: (page) => page.keyboard.press("i"),
  },
  {
    name: "table",
    async open(page) {
      await page.keyboard.press("6");
      await page
        .getByText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/)
        .first()
        .waitFor();
    },
    close: (page) => page.keyboard.press("1"),
  },
  {
    name: "opened-files",
    async open(page, shell) {
      const path = join(shell.dataFolder, "colleague.csv");
      writeFileSync(path, colleaguesCsv());
      await shell.opened(path, () => page.keyboard.press("Control+Shift+O"));
      await page.getByRole("button", { name: "Close colleague.csv" }).waitFor();
    },
    close: (page) => page.getByRole("button", { name: "Close colleague.csv" }).click(),
  },
  {
    name: "view-map",
    async open(page) {
      await page.keyboard.press("2");
      await page.getByRole("button", { name: "PWV", exact: true }).click();
      await page.getByRole("radio", { name: /^Live/ }).click();
      await page.getByText(/^PWV of \d+ of/).waitFor();
    },
    close: (page) => page.keyboard.press("1"),
  },
  ...["Availability", "Compare"].map((name) => ({
    name: `view-${name.toLowerCase()}`,
    async open(page: Page) {
      await page.getByRole("tab", { name }).click();
    },
    close: (page: Page) => page.keyboard.press("1"),
  })),
  {
    name: "view-satellites",
    async open(page) {
      await page.keyboard.press("3");
      await page.getByRole("button", { name: /Station of the sky/ }).click();
      await page.getByRole("option", { name: demoStationAt(Date.now() - 3.5 * DAY_MS) }).click();
      // A week would take long to download; zoom to its middle.
      for (let zooms = 0; zooms < 3; zooms++) await page.keyboard.press("+");
      await page.getByText(/^No satellites of .* are cached/).waitFor();
      await fetchButton(page).click();
      await page.getByRole("slider", { name: "Moment of the sky plot" }).waitFor({ timeout: 60_000 });
      await page.getByRole("button", { name: /^Status: .*nothing running/ }).waitFor();
      // The drawer that the download opens, maybe only now.
      const opened = await drawer(page);
      await page.keyboard.press("Control+j");
      await opened.waitFor({ state: "detached" });
    },
    async close(page) {
      for (let zooms = 0; zooms < 3; zooms++) await page.keyboard.press("-");
      await page.keyboard.press("1");
    },
  },
  {
    name: "jobs",
    async open(page) {
      const opened = await drawer(page);
      await opened.getByRole("button", { name: "Show results by station" }).first().click();
      await opened.getByRole("grid", { name: "Verdicts" }).locator("[data-row]").first().waitFor();
    },
    close: (page) => page.keyboard.press("Control+j"),
  },
  {
    name: "compare-derived",
    async open(page) {
      await page.keyboard.press("5");
      await page.getByRole("radio", { name: "Derived" }).click();
      await page.getByRole("region", { name: "Formulas and constants" }).waitFor();
    },
    async close(page) {
      await page.getByRole("radio", { name: "Pairs" }).click();
      await page.keyboard.press("1");
    },
  },
  {
    name: "export-saved",
    async open(page) {
      await page.keyboard.press("e");
      await page.getByRole("button", { name: "Save this export…" }).click();
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("Week of the north");
      await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("zenith export --repeat").waitFor();
    },
    close: escape,
  },
  {
    name: "views-share",
    async open(page) {
      await page.getByRole("button", { name: /^Connection:/ }).click();
      await page.getByRole("menuitem", { name: "Share this view" }).click();
      await page.getByText(/^About \d/).waitFor();
    },
    close: escape,
  },
  {
    name: "guide",
    async open(page) {
      await page.keyboard.press("F1");
      await page.getByRole("dialog", { name: "User guide" }).locator("article").getByRole("heading").first().waitFor();
    },
  },
  {
    name: "guide-search",
    open: async (page) => {
      await page.getByRole("searchbox", { name: "Search the guide" }).fill("rejected");
      await page.getByRole("option").first().click();
    },
    async close(page) {
      await page.keyboard.press("F1");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
  },
  byButton("connections", /^Connection:/, "menu"),
  byKey("connect", "Control+o", "Connect to a service"),
  byKey("palette", "Control+k", "Search, or run a command"),
  byKey("shortcuts", "?", "Keyboard shortcuts"),
  {
    name: "about",
    async open(page) {
      await page.getByRole("button", { name: "Settings and help" }).click();
      await page.getByRole("menuitem", { name: "About Zenith Desk" }).click();
      await page.getByRole("dialog").waitFor();
    },
    close: escape,
  },
  byButton("plot-options", "Plot options"),
  {
    name: "morning",
    async open(page) {
      await page.keyboard.press("m");
      await page.getByRole("cell", { name: /%$/ }).first().waitFor();
    },
    close: (page) => page.keyboard.press("1"),
  },
  {
    name: "no-schedules",
    async open(page) {
      await page.getByRole("radio", { name: "Schedules" }).click();
      await page.getByRole("heading", { name: "No schedules" }).waitFor();
    },
  },
  {
    name: "schedule-form",
    async open(page) {
      await page.getByRole("button", { name: "New schedule" }).click();
      await page.getByText(/^Next run/).waitFor();
    },
  },
  {
    name: "schedules",
    async open(page) {
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("button", { name: /^Run now/ }).click();
      await page.getByRole("button", { name: /^Last run .*(?:complete|delivered)/i }).click();
      await page.getByText(/, started manually$/).waitFor();
    },
  },
  ...(["Settings", "Storage"] as const).map((section) => ({
    name: section.toLowerCase(),
    async open(page: Page) {
      await openSection(page, section);
      await page.getByRole("heading", { name: section, exact: true }).waitFor();
    },
  })),
  {
    name: "nothing-chosen",
    async open(page) {
      await page.getByRole("radio", { name: "Explore stations and data" }).click();
      await page.getByRole("button", { name: "Clear selection" }).click();
      await page.getByText("No station selected").waitFor();
    },
  },
];

forEachShell("every screen", { shells: tries(1, Infinity) }, (page, shell) => {
  it.each(SCREENS)("passes axe and clips no control at 200 %: $name", async (screen) => {
    const { kind } = shell;
    // Each screen starts in the theme and size of the previous one, which saves redrawing.
    if (kind === "web") await page.setViewportSize(LARGE);
    await screen.open(page, shell);
    // The page is the same in all shells, so that pictures of one are enough.
    if (kind === "web") await closeMessages(page);
    if (kind === "web") await shoot(page, screen.name);
    const before = page.viewportSize();
    const small = kind === "web" ? await layoutProblems(page) : [];
    const clipped = kind === "web" ? await clippedControls(page) : [];
    if (before) await page.setViewportSize(before);
    const violations = await axeViolationsInThemes(page, { tags: WCAG });
    const same = await sameNames(page);
    await screen.close?.(page);
    expect({ violations, clipped, small, same }).toEqual({ violations: [], clipped: [], small: [], same: [] });
  });
});
