import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/** The checked part of a page and the rules of axe; by default the whole page and all enabled rules. */
export interface AxeOptions {
  /** A selector; the whole page if absent. */
  readonly within?: string;
  readonly tags?: readonly string[];
  readonly rules?: readonly string[];
}

export interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

interface Axe {
  run(
    context: object,
    options: {
      readonly runOnly?: object;
      readonly resultTypes: readonly string[];
      readonly preload: boolean;
      readonly selectors: boolean;
    },
  ): Promise<{ readonly violations: readonly Violation[] }>;
}

/** Globals of a checked page. */
interface Checker {
  readonly axe: Axe;
  /** The content and the surroundings of parts without violations, each with the size of the window and the rules. */
  readonly checkedParts?: Set<string>;
}

// The version of axe that @axe-core/playwright depends on.
const packages = createRequire(createRequire(import.meta.url).resolve("@axe-core/playwright"));
const AXE = readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");

/**
 * Returns the accessibility violations that axe finds in a page. The builder of the package also checks frames in a
 * separate page, which takes seconds each time; pages of this application have no frames. Parts of the page that are the
 * same as in an earlier check, such as the list of stations, are not checked again.
 */
export async function violationsOn(
  page: Page,
  { within, tags, rules }: AxeOptions = {},
): Promise<readonly Violation[]> {
  if (page.frames().length > 1) throw new Error("Frames are not checked.");
  await settled(page);
  const isLoaded = await page.evaluate(() => "axe" in globalThis);
  if (!isLoaded) await page.evaluate(AXE);
  return page.evaluate(
    async ({ include, runOnly }) => {
      const { axe, checkedParts = new Set() } = globalThis as unknown as Checker;
      const around = (e: Element | null): string =>
        e === null ? "" : around(e.parentElement) + (e.cloneNode() as Element).outerHTML;
      const conditions = JSON.stringify([runOnly, innerWidth, innerHeight]);
      const keyOf = (part: Element): string => conditions + around(part.parentElement) + part.outerHTML;
      const scope = document.querySelector(include?.[0]?.[0] ?? "html") ?? document.documentElement;
      const parts = new Map([...scope.querySelectorAll("section, header, nav, footer")].map((e) => [e, keyOf(e)]));
      const unchanged = [...parts].filter(([, key]) => checkedParts.has(key)).map(([part]) => part);
      // React Aria keeps announcements here for some seconds, after their label was removed.
      const context = { ...(include && { include }), exclude: [["[data-live-announcer]"], ...unchanged] };
      // No checked rule reads style sheets or media as files, and selectors are not used.
      const axeOptions = { ...runOnly, resultTypes: ["violations"], preload: false, selectors: false };
      const { violations } = await axe.run(context, axeOptions);
      if (violations.length === 0) for (const key of parts.values()) checkedParts.add(key);
      Object.assign(globalThis, { checkedParts });
      return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }));
    },
    {
      include: within === undefined ? null : [[within]],
      runOnly: runOnlyOf(tags, rules),
    },
  );
}

/** A control that is called by what is written on it must have a name that contains it; off by default in axe. */
const SPOKEN_NAMES = { "label-content-name-mismatch": { enabled: true } };

function runOnlyOf(
  tags: AxeOptions["tags"],
  rules: AxeOptions["rules"],
): { readonly runOnly?: object; readonly rules?: object } {
  if (tags) return { runOnly: { type: "tag", values: tags }, rules: SPOKEN_NAMES };
  return rules ? { runOnly: { type: "rule", values: rules } } : {};
}

/**
 * Waits until no data is being reloaded and no colour is changing. Data is dimmed while it is reloaded, with too little
 * contrast for axe; because data may also be reloaded while axe runs, dimming is then turned off.
 */
async function settled(page: Page): Promise<void> {
  await page.locator("[data-stale]").first().waitFor({ state: "detached" });
  await page.evaluate(async () => {
    if (document.adoptedStyleSheets.length === 0) {
      const undimmed = new CSSStyleSheet();
      undimmed.replaceSync("[data-stale] { opacity: 1 !important }");
      document.adoptedStyleSheets.push(undimmed);
    }
    const moving = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    // A replaced transition ends, too.
    await Promise.allSettled(moving.map((transition) => transition.finished));
  });
}

/** Switches the page to a theme, with reduced motion, and waits until it has changed. */
export async function inTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor({ state: "attached" });
}

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];

/** Describes the violations in a page or a part of it; by default of the rules of WCAG 2.1. */
export async function axeViolations(
  page: Page,
  within?: string,
  options: AxeOptions = { tags: WCAG },
): Promise<string[]> {
  const violations = await violationsOn(page, { ...options, ...(within !== undefined && { within }) });
  return violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 200)}`));
}

/**
 * Describes the violations in the light theme, and those of colours in the dark theme, where nothing else differs. It
 * starts with the current theme and ends with the other one, because redrawing takes longer than checking.
 */
export async function axeViolationsInThemes(page: Page, options: AxeOptions = { tags: WCAG }): Promise<string[]> {
  const found: string[] = [];
  const isDark = await page.locator("html[data-theme=dark]").count();
  for (const colorScheme of isDark ? (["dark", "light"] as const) : (["light", "dark"] as const)) {
    await inTheme(page, colorScheme);
    const all = await axeViolations(
      page,
      options.within,
      colorScheme === "light" ? options : { rules: ["color-contrast"] },
    );
    found.push(...all.map((violation) => `${colorScheme} ${violation}`));
  }
  return found;
}
