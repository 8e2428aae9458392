import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** Checks of a page for those who cannot see it, or cannot use a mouse. */
export function axeOn(page: Page): AxeBuilder {
  // What the library of controls reads aloud lies here for some seconds, its label being gone by then.
  return new AxeBuilder({ page }).exclude("[data-live-announcer]");
}

/**
 * Until what is read anew is there: it is dimmed meanwhile, which is too little contrast to stay. What comes while axe
 * looks may ask for more: from then on nothing is dimmed.
 */
export async function settled(page: Page): Promise<void> {
  await page.locator("[data-stale]").first().waitFor({ state: "detached" });
  await page.evaluate(() => {
    if (document.adoptedStyleSheets.length > 0) return;
    const undimmed = new CSSStyleSheet();
    undimmed.replaceSync("[data-stale] { opacity: 1 !important }");
    document.adoptedStyleSheets.push(undimmed);
  });
}

/** The window in light or dark as the system says, once it has followed; what would move does not. */
export async function inTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor({ state: "attached" });
}

/** What axe has against a page as it is now, or against a part of it. */
export async function complaints(page: Page, within?: string): Promise<string[]> {
  await settled(page);
  const axe = axeOn(page).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]);
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze();
  return violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 200)}`));
}

/** The same in light and in dark. */
export async function complaintsInThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await inTheme(page, colorScheme);
    found.push(...(await complaints(page)).map((complaint) => `${colorScheme} ${complaint}`));
  }
  return found;
}
