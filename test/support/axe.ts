import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/** What of a page is looked at, and by which rules of axe: all that it has on, unless some are named. */
export interface Look {
  /** A selector; the whole page without. */
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

// The axe of the package that brings it.
const packages = createRequire(createRequire(import.meta.url).resolve("@axe-core/playwright"));
const AXE = readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");

/**
 * What axe has against a page for those who cannot see it, or cannot use a mouse. The package's own builder looks into
 * frames and collects them in a page of its own, which takes seconds each time: a page of ours has no frames.
 */
export async function violationsOn(page: Page, { within, tags, rules }: Look = {}): Promise<readonly Violation[]> {
  if (page.frames().length > 1) throw new Error("What is in a frame would not be looked at.");
  await settled(page);
  const isThere = await page.evaluate(() => "axe" in globalThis);
  if (!isThere) await page.evaluate(AXE);
  return page.evaluate(
    async ({ include, runOnly }) => {
      const { axe } = globalThis as unknown as { readonly axe: Axe };
      // What the library of controls reads aloud lies here for some seconds, its label being gone by then.
      const context = { ...include, exclude: [["[data-live-announcer]"]] };
      // No rule that is looked at reads style sheets or media as files, and no one reads selectors.
      const options = { ...runOnly, resultTypes: ["violations"], preload: false, selectors: false };
      const { violations } = await axe.run(context, options);
      return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }));
    },
    {
      include: within === undefined ? {} : { include: [[within]] },
      runOnly: runOnlyOf(tags, rules),
    },
  );
}

function runOnlyOf(tags: Look["tags"], rules: Look["rules"]): { readonly runOnly?: object } {
  if (tags) return { runOnly: { type: "tag", values: tags } };
  return rules ? { runOnly: { type: "rule", values: rules } } : {};
}

/**
 * Until what is read anew is there: it is dimmed meanwhile, which is too little contrast to stay. What comes while axe
 * looks may ask for more: from then on nothing is dimmed. And until no colour is on its way to another.
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
    // One that is given up for another ends too.
    await Promise.allSettled(moving.map((transition) => transition.finished));
  });
}

/** The window in light or dark as the system says, once it has followed; what would move does not. */
export async function inTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor({ state: "attached" });
}

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];

/** What axe has against a page as it is now, or against a part of it; by the rules of WCAG 2.1 unless told. */
export async function complaints(page: Page, within?: string, look: Look = { tags: WCAG }): Promise<string[]> {
  const violations = await violationsOn(page, { ...look, ...(within !== undefined && { within }) });
  return violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 200)}`));
}

/**
 * The same in light, and what it has against the colours in dark: nothing else differs. It begins with the theme that the
 * page has, and leaves it in the other: to draw everything anew takes longer than to look at it.
 */
export async function complaintsInThemes(page: Page, look: Look = { tags: WCAG }): Promise<string[]> {
  const found: string[] = [];
  const isDark = await page.locator("html[data-theme=dark]").count();
  for (const colorScheme of isDark ? (["dark", "light"] as const) : (["light", "dark"] as const)) {
    await inTheme(page, colorScheme);
    const all = await complaints(page, look.within, colorScheme === "light" ? look : { rules: ["color-contrast"] });
    found.push(...all.map((complaint) => `${colorScheme} ${complaint}`));
  }
  return found;
}
