import type { Page } from "playwright-core";
import { readFileSync } from "node:fs";

export interface Downloaded {
  /** The name proposed by the page. */
  readonly name: string;
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * Runs an action that makes the page itself write a file, such as figures, tables and shared views in every shell. Files
 * of the core are returned by `saved` of the shell instead.
 */
export async function downloaded(page: Page, act: () => Promise<void>): Promise<Downloaded> {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  const path = await download.path();
  return { name: download.suggestedFilename(), path, bytes: readFileSync(path) };
}
