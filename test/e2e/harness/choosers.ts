import type { Page } from "playwright-core";

/** Answers the page's own questions for a file; the system's dialogs belong to no page. */
export interface Choosers {
  /** From now on with what this gives: a question may come after what causes it. */
  answer(page: Page, give: () => string): Promise<void>;
}

export function createChoosers(): Choosers {
  const gives = new Map<Page, () => string>();
  return {
    async answer(page, give) {
      if (!gives.has(page)) page.on("filechooser", (chooser) => void chooser.setFiles(gives.get(page)!()));
      gives.set(page, give);
      // The browser learns with the next message that it shall not open a dialog of its own.
      await page.evaluate(() => document.readyState);
    },
  };
}
