import type { Locator, Page } from "playwright-core";

// What a person's hand does, as real input events.

const MOVES = 90;
const MOST_LOOKS = 100;

type Box = NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>;

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

/** Ends the selection: while several stations are selected, a click on one only shows its details. */
export async function clearSelection(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Clear selection" }).click();
}

/** Where something is once it stays there: a list that was filtered just now moves its rows. */
async function restingBox(what: Locator): Promise<Box> {
  let before: Box | null = null;
  for (let look = 0; look < MOST_LOOKS; look++) {
    await what.waitFor();
    const box: Box | null = await what.boundingBox();
    if (box && before && box.x === before.x && box.y === before.y) return box;
    before = box;
  }
  throw new Error("What is to be clicked does not come to rest.");
}

/**
 * A station of the list, alone; with `to`, everything from the one that was clicked before. By the mouse itself: what
 * Playwright looks at before a click of its own, and while it happens, would be measured too.
 */
export async function clickStation(page: Page, index: number, to = false): Promise<void> {
  const box = await restingBox(page.locator("[role=grid] [data-id]").nth(index));
  await page.mouse.move(box.x + 80, box.y + 14);
  if (to) await page.keyboard.down("Shift");
  await page.mouse.down();
  await page.mouse.up();
  if (to) await page.keyboard.up("Shift");
}
