import type { Page } from "playwright-core";

type Point = readonly [number, number];

/** Puts fingers on the window, moves them in steps, and lifts them. Coordinates are CSS pixels of the window. */
export async function moveFingers(page: Page, from: readonly Point[], to: readonly Point[]): Promise<void> {
  const touch = await page.context().newCDPSession(page);
  const points = (share: number) =>
    from.map(([x, y], id) => {
      const [toX, toY] = to[id] ?? [x, y];
      return { id, x: x + (toX - x) * share, y: y + (toY - y) * share };
    });
  await touch.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: points(0) });
  for (const share of [0.25, 0.5, 0.75, 1])
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: points(share) });
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await touch.send("Emulation.setTouchEmulationEnabled", { enabled: false });
  await touch.detach();
}
