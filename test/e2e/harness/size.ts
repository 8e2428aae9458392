import type { Page } from "playwright-core";

/** Gives a page the size that it had before, by `page.viewportSize()`; null for one that is as large as its window. */
export async function restoreSize(page: Page, before: ReturnType<Page["viewportSize"]>): Promise<void> {
  if (before) return page.setViewportSize(before);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.clearDeviceMetricsOverride");
  await session.detach();
}
