import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addRanges, addSigma, addStroke, createSpans } from "#renderer/plot/lineRaster.ts";
import { addRun, targetOf } from "#renderer/plot/pixels.ts";
import { type Bins, createBins } from "#shared/plot/bins.ts";

// Promise: lines and bands that are drawn as pixels look like strokes and fills.

const WIDTH = 40;
const HEIGHT = 400;
const STEP_MS = 1_000;
const BOX = { left: 0, top: 0, width: WIDTH, height: HEIGHT, low: -200, high: 200 };

describe("lines as pixels", () => {
  it("have as much ink as a stroke of their thickness, at any slope", () => {
    fc.assert(
      fc.property(fc.double({ min: -8, max: 8, noNaN: true }), fc.constantFrom(1, 2, 3), (slope, widthPx) => {
        const image = blank();
        addStroke(targetOf(image.pixels, image, "#336699", 1), straight(slope), widthPx, createSpans(WIDTH));
        const ink = inkOf(image.pixels, WIDTH / 2);
        expect(ink).toBeGreaterThan(widthPx * Math.hypot(1, slope) - 0.05);
        expect(ink).toBeLessThan(widthPx * Math.hypot(1, slope) + 0.05);
      }),
    );
  });

  it("leave the columns of a gap empty", () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 20 }), fc.integer({ min: 2, max: 10 }), (from, length) => {
        const image = blank();
        const line = straight(0.5, (i) => (i < from ? i : i + length));
        addStroke(targetOf(image.pixels, image, "#336699", 1), line, 1, createSpans(WIDTH));
        const empty = Array.from({ length: WIDTH }, (_, x) => inkOf(image.pixels, x) === 0);
        // A line begins and ends in the middle of a column.
        expect(empty.indexOf(true)).toBe(from);
        expect(empty.indexOf(false, from)).toBe(from + length);
      }),
    );
  });

  it("leave no pixel of what is above or below the axis", () => {
    for (const high of [-300, 300]) {
      const image = blank();
      const target = targetOf(image.pixels, image, "#336699", 1);
      const line = straight(0);
      line.bins.mean.fill(high);
      line.bins.sigma.fill(2);
      line.bins.min.fill(high - 1);
      line.bins.max.fill(high + 1);
      addStroke(target, line, 1, createSpans(WIDTH));
      addSigma(target, line);
      addRanges(target, line.bins, BOX);
      expect(image.pixels.every((pixel) => pixel === 0)).toBe(true);
    }
  });
});

describe("blending", () => {
  const colour = fc.tuple(fc.integer({ min: 0, max: 0xffffff }), fc.double({ min: 0.05, max: 1, noNaN: true }));

  it("is that of a canvas", () => {
    fc.assert(
      fc.property(colour, colour, ([lower, below], [upper, share]) => {
        const image = blank();
        for (const [hex, opacity] of [
          [lower, below],
          [upper, share],
        ] as const)
          addRun(targetOf(image.pixels, image, `#${hex.toString(16).padStart(6, "0")}`, opacity), 3, 5, 6);
        const pixel = image.pixels[5 * WIDTH + 3]! >>> 0;
        const [a, b] = [Math.round(share * 255) / 255, Math.round(below * 255) / 255];
        const all = a + b * (1 - a);
        expect(Math.abs((pixel >>> 24) - all * 255)).toBeLessThan(1);
        for (const [shift, place] of [
          [0, 16],
          [8, 8],
          [16, 0],
        ] as const) {
          const [top, under] = [(upper >>> place) & 255, (lower >>> place) & 255];
          const wanted = (top * a + under * b * (1 - a)) / all;
          expect(Math.abs(((pixel >>> shift) & 255) - wanted)).toBeLessThan(2.5);
        }
      }),
    );
  });
});

function blank(): { readonly width: number; readonly height: number; readonly pixels: Int32Array } {
  return { width: WIDTH, height: HEIGHT, pixels: new Int32Array(WIDTH * HEIGHT) };
}

/** A line of one value in each pixel column through the middle of the plot. @param columnOf the column of each value */
function straight(slope: number, columnOf = (i: number): number => i): { bins: Bins; stepMs: number; box: typeof BOX } {
  const columns = Array.from({ length: WIDTH }, (_, i) => columnOf(i)).filter((x) => x < WIDTH);
  const of = (valueOf: (x: number) => number): Float64Array => Float64Array.from(columns, valueOf);
  const none = (): Float64Array => of(() => Number.NaN);
  const times = of((x) => x * STEP_MS);
  const mean = of((x) => (WIDTH / 2 - x) * slope);
  const marks = { x: of((x) => x + 0.5), half: of(() => 0.5), fromMs: times, toMs: times, mean };
  const bins = {
    ...createBins(),
    n: columns.length,
    widthPx: WIDTH,
    ...marks,
    min: none(),
    max: none(),
    sigma: none(),
  };
  return { bins, stepMs: STEP_MS, box: BOX };
}

/** The number of covered pixels of a column. */
function inkOf(pixels: Int32Array, x: number): number {
  let ink = 0;
  for (let y = 0; y < HEIGHT; y++) ink += (pixels[y * WIDTH + x]! >>> 24) / 255;
  return ink;
}
