import type { Locator, Page } from "playwright-core";

// The actions of a user, as real input events.

const MOVES = 90;
/** A hand needs longer from the end of its movement to the click. */
const AIM_MS = 100;
const MAX_ATTEMPTS = 100;

type Box = NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>;

const PLOT = '[data-variable="ztd"] .u-over';

async function plotBox(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await page.locator(PLOT).boundingBox();
  if (!box) throw new Error("There is no plot.");
  return box;
}

/** Drags the plot back and forth, with Shift. */
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

/** Turns the wheel over the plot: zooms in, then out. */
export async function zoom(page: Page): Promise<void> {
  const { x, y, width, height } = await plotBox(page);
  await page.mouse.move(x + width * 0.4, y + height / 2);
  for (let i = 0; i < MOVES; i++) await page.mouse.wheel(0, i < MOVES / 2 ? -60 : 60);
}

/** Ends the selection: while several stations are selected, a click on one only shows its details. */
export async function clearSelection(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Clear selection" }).click();
}

/** The position of an element that no longer moves: a list moves its rows after it is filtered. */
async function stableBox(what: Locator): Promise<Box> {
  let before: Box | null = null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await what.waitFor();
    const box: Box | null = await what.boundingBox();
    if (box && before && box.x === before.x && box.y === before.y) return box;
    before = box;
  }
  throw new Error("The element to click does not stop moving.");
}

/**
 * Selects one station of the list; with `to`, all stations from the one that was clicked before. Uses the mouse directly,
 * since the checks that Playwright makes for a click would be measured too.
 */
export async function clickStation(page: Page, index: number, to = false): Promise<void> {
  const box = await stableBox(page.locator("[role=grid] [data-id]").nth(index));
  await page.mouse.move(box.x + 80, box.y + 14);
  await page.waitForTimeout(AIM_MS);
  if (to) await page.keyboard.down("Shift");
  await page.mouse.down();
  await page.mouse.up();
  if (to) await page.keyboard.up("Shift");
}
