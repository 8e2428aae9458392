import type { Page } from "playwright-core";

/** Answers file choosers that a page opens itself; dialogs of the system belong to no page. */
export interface Choosers {
  /** Answers all later choosers of the page with the path that `give` returns. */
  answer(page: Page, give: () => string): Promise<void>;
}

export function createChoosers(): Choosers {
  const gives = new Map<Page, () => string>();
  return {
    async answer(page, give) {
      if (!gives.has(page)) page.on("filechooser", (chooser) => void chooser.setFiles(gives.get(page)!()));
      gives.set(page, give);
      // The next message stops the browser from opening its own dialog.
      await page.evaluate(() => document.readyState);
    },
  };
}
