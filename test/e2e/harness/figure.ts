import type { Page } from "playwright-core";
import { type Downloaded, downloaded } from "./downloaded.ts";

/** Saves the figure of the open dialog “Save figure” in one of its formats. */
export async function saveFigureAs(page: Page, format: "PNG" | "SVG" | "PDF"): Promise<Downloaded> {
  const dialog = page.getByRole("dialog", { name: "Save figure" });
  await dialog.getByRole("radio", { name: format }).click();
  const figure = await downloaded(page, () => dialog.getByRole("button", { name: `Save ${format}` }).click());
  await dialog.waitFor({ state: "detached" });
  return figure;
}
