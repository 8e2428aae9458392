import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { IS_ENDURANCE } from "../../support/endurance.ts";
import { restoreSize } from "./size.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const SCREENSHOTS = join(ROOT, "out", "screenshots");
const PICTURES = join(ROOT, "docs", "pictures");
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
] as const;
const { ZENITH_PICTURES: WANTED } = process.env;
const THEMES = ["light", "dark"] as const;

/**
 * Writes screenshots to out/screenshots, in both sizes and themes: `name-light-1440.png` and so on. With
 * ZENITH_PICTURES=1, those shown in the README or the docs are also copied to docs/pictures; with ZENITH_PICTURES=look
 * none is. Without the variable, only `npm run endurance` takes screenshots: no test reads them.
 */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!WANTED && !IS_ENDURANCE) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await settled(page);
      await nameFolders(page);
      const file = `${name}-${colorScheme}-${size.width}.png`;
      await page.screenshot({ path: join(SCREENSHOTS, file), animations: "disabled" });
      if (isPicture(file)) {
        mkdirSync(PICTURES, { recursive: true });
        copyFileSync(join(SCREENSHOTS, file), join(PICTURES, file));
      }
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await restoreSize(page, before);
}

/** The guide shows the small screenshots, referenced by their light names, in the theme of the reader. */
function isPicture(file: string): boolean {
  if (WANTED !== "1") return false;
  const guide = join(ROOT, "docs", "guide");
  const pages = [join(ROOT, "README.md"), ...readdirSync(guide).map((name) => join(guide, name))];
  const text = pages.map((path) => readFileSync(path, "utf8")).join("\n");
  return [file, file.replace("-dark-1024", "-light-1024")].some((name) => text.includes(`pictures/${name}`));
}

/** Waits until the page has redrawn after a change of view, size or theme, and data and fonts are loaded. */
async function settled(page: Page): Promise<void> {
  const waiting = page.getByText(/^(Reading the (cache|data)|Counting…)/);
  // Twice in a row: what is loaded may ask for more.
  for (let quiet = 0; quiet < 2;) {
    await page.evaluate(async () => {
      await document.fonts.ready;
      for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    const count = await waiting.count();
    quiet = count === 0 ? quiet + 1 : 0;
    if (count > 0) await expect.poll(() => waiting.count(), { timeout: 20_000 }).toBe(0);
  }
}

/** Names the folders of users instead of those of the test. */
async function nameFolders(page: Page): Promise<void> {
  await page.evaluate(
    (folder) => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { currentNode: text } = texts;
        text.nodeValue = (text.nodeValue ?? "")
          .replaceAll(new RegExp(`${folder}[\\w-]+`, "g"), "/home/you/Zenith Desk")
          .replace(/ --data-folder "?[^"]*Zenith Desk"?/, "");
      }
    },
    join(tmpdir(), "zenith-e2e-"),
  );
}
