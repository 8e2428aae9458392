import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { fillBig } from "../endurance/bigCache.ts";
import { violationsOn } from "../support/axe.ts";
import { exploreDemo, openSection } from "../e2e/harness/steps.ts";

/** Starts maintenance and stops it from within the page when its progress appears; from here, it might be too late. */
async function startAndStop(page: Page, work: "Check" | "Compact"): Promise<void> {
  await page.evaluate(
    (label) => {
      const observer = new MutationObserver(() => {
        const stop = [...document.querySelectorAll("button")].find((button) => button.textContent === "Stop");
        if (!stop || !document.querySelector(`[role=progressbar][aria-label=${label}]`)) return;
        observer.disconnect();
        stop.click();
      });
      observer.observe(document.body, { childList: true, subtree: true });
    },
    work === "Check" ? "Checking" : "Compacting",
  );
  await page.getByRole("button", { name: work, exact: true }).click();
}

/** Waits until a text appears in the page, even if only for a moment that polling would miss. */
function textAppeared(page: Page, pattern: string): Promise<void> {
  return page.evaluate(
    (source) =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!new RegExp(source).test(document.body.textContent)) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      }),
    pattern,
  );
}

forEachShell("maintenance of a cache of some 100 MB", { shells: tries(1, Infinity) }, (page, shell) => {
  beforeAll(async () => {
    // Before a program opens the cache, because deleting rows needs exclusive access.
    fillBig(join(shell.dataFolder, "cache-demo.db"), 20);
    await exploreDemo(page);
  });

  it("checks and compacts with progress, stops on request, and continues while another section is open", async () => {
    await openSection(page, "Storage");
    await startAndStop(page, "Check");
    await page.getByText("Stopped. No damage was found so far.").waitFor();
    await startAndStop(page, "Compact");
    await page.getByText("Stopped. The file is unchanged.").waitFor();
    const violations = await violationsOn(page, { tags: ["wcag2a", "wcag2aa", "wcag21aa"] });
    expect(violations.map((v) => v.id)).toEqual([]);
    const progress = textAppeared(page, "[\\d.]+ MB of [\\d.]+ MB are compacted\\.");
    await page.getByRole("button", { name: "Compact", exact: true }).click();
    await progress;
    await page.getByRole("radio", { name: "Explore" }).click();
    await openSection(page, "Storage");
    await page.getByText(/^[\d.]+ MB were freed\.$/).waitFor();
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("Everything was read. No damage was found.").waitFor();
    expect(shell.problems).toEqual([]);
  });
});
