import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

export interface SavedFigure {
  readonly name: string;
  readonly path: string;
  readonly bytes: Buffer;
}

/** Saves what the dialog “Save figure” shows, which an action has opened, in one of its formats. */
export async function saveFigureAs(page: Page, format: "PNG" | "SVG" | "PDF"): Promise<SavedFigure> {
  const dialog = page.getByRole("dialog", { name: "Save figure" });
  await dialog.getByRole("radio", { name: format }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: `Save ${format}` }).click(),
  ]);
  await dialog.waitFor({ state: "detached" });
  const path = await download.path();
  return { name: download.suggestedFilename(), path, bytes: readFileSync(path) };
}
