import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeWindow, type Rectangle, MIN_SIZE } from "#main/electron/shellState.ts";

const laptop: Rectangle = { x: 0, y: 25, width: 1440, height: 875 };
const screenRight: Rectangle = { x: 1440, y: 0, width: 2560, height: 1400 };

describe("placeWindow", () => {
  it("centres the first window on the primary display", () => {
    expect(placeWindow(null, [screenRight, laptop], 0)).toEqual({ x: 2000, y: 250, width: 1440, height: 900 });
  });

  it("restores a window on its display", () => {
    const saved = { x: 1500, y: 40, width: 1800, height: 1200 };
    expect(placeWindow(saved, [laptop, screenRight], 0)).toEqual(saved);
  });

  it("moves a window to another display if its display is missing", () => {
    const saved = { x: 1500, y: 40, width: 1800, height: 1200 };
    expect(placeWindow(saved, [laptop], 0)).toEqual(laptop);
  });

  it("offsets another window from the first", () => {
    const saved = { x: 100, y: 100, width: 900, height: 600 };
    expect(placeWindow(saved, [laptop], 1)).toEqual({ ...saved, x: 128, y: 128 });
  });

  it("places windows of at least the minimum size entirely on a display, for any saved bounds and displays", () => {
    const number = fc.integer({ min: -20_000, max: 20_000 });
    const size = fc.integer({ min: 1, max: 10_000 });
    const rectangle = fc.record({ x: number, y: number, width: size, height: size });
    const area = fc.record({
      x: number,
      y: number,
      width: fc.integer({ min: 640, max: 8000 }),
      height: fc.integer({ min: 400, max: 5000 }),
    });
    fc.assert(
      fc.property(
        fc.option(rectangle),
        area,
        fc.array(area, { maxLength: 3 }),
        fc.nat({ max: 30 }),
        (saved, first, more, open) => {
          const areas: [Rectangle, ...Rectangle[]] = [first, ...more];
          const placed = placeWindow(saved, areas, open);
          const inside = (a: Rectangle): boolean =>
            placed.x >= a.x &&
            placed.y >= a.y &&
            placed.x + placed.width <= a.x + a.width &&
            placed.y + placed.height <= a.y + a.height;
          const on = areas.find(inside);
          expect(on).toBeDefined();
          expect(placed.width).toBeGreaterThanOrEqual(Math.min(MIN_SIZE.width, on?.width ?? 0));
          expect(placed.height).toBeGreaterThanOrEqual(Math.min(MIN_SIZE.height, on?.height ?? 0));
        },
      ),
    );
  });
});
