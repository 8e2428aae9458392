import type { Page } from "playwright-core";
import { readFileSync } from "node:fs";

export interface Downloaded {
  /** As the page proposed it. */
  readonly name: string;
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * Does what makes the page write a file by itself, as it does with figures, tables and shared views in every shell.
 * What the core writes comes by `saved` of the shell instead.
 */
export async function downloaded(page: Page, act: () => Promise<void>): Promise<Downloaded> {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  const path = await download.path();
  return { name: download.suggestedFilename(), path, bytes: readFileSync(path) };
}
