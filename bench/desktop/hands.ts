import type { Page } from "playwright-core";

// What a person's hand does, as real input events.

const MOVES = 90;
const PLOT = '[data-variable="ztd"] .u-over';

async function plotBox(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await page.locator(PLOT).boundingBox();
  if (!box) throw new Error("There is no plot.");
  return box;
}

/** A drag of the plot there and back, with Shift. */
export async function pan(page: Page): Promise<void> {
  const { x, y, width, height } = await plotBox(page);
  const middle = y + height / 2;
  await page.keyboard.down("Shift");
  await page.mouse.move(x + width / 2, middle);
  await page.mouse.down();
  for (let i = 1; i <= MOVES; i++) {
    await page.mouse.move(x + width / 2 + Math.sin((i / MOVES) * 2 * Math.PI) * width * 0.3, middle);
  }
  await page.mouse.up();
  await page.keyboard.up("Shift");
}

/** The wheel over the plot: in, then out again. */
export async function zoom(page: Page): Promise<void> {
  const { x, y, width, height } = await plotBox(page);
  await page.mouse.move(x + width * 0.4, y + height / 2);
  for (let i = 0; i < MOVES; i++) await page.mouse.wheel(0, i < MOVES / 2 ? -60 : 60);
}

/** A station of the list, alone; with `to`, everything from the one that was clicked before. */
export async function clickStation(page: Page, index: number, to = false): Promise<void> {
  const row = page.locator("[role=grid] [data-id]").nth(index);
  await row.click({ position: { x: 80, y: 14 }, ...(to ? { modifiers: ["Shift"] as const } : {}) });
}
