import * as fc from "fast-check";
import { expect, test } from "vitest";
import { binTrack, createBins } from "#shared/plot/bins.ts";
import { yOf } from "#shared/plot/scale.ts";
import { nearestLine } from "#renderer/plot/nearest.ts";

const WIDTH = 400;
const BOX = { left: 0, top: 0, width: WIDTH, height: 200, low: 0, high: 100 };
const VIEW = { startMs: 0, endMs: WIDTH * 1_000 };

/** A row each second, or more of them than pixels. */
function binsOf(values: readonly number[]) {
  const timesMs = Float64Array.from(values, (_, i) => (i * VIEW.endMs) / values.length);
  const track = {
    kind: "rows",
    range: VIEW,
    stepMs: 1_000,
    timesMs,
    values: Float64Array.from(values),
    sigma: null,
  } as const;
  const bins = createBins();
  binTrack(track, VIEW, WIDTH, bins);
  return bins;
}

test("of lines that do not cross, the one whose value is nearest to the pointer is pointed at, or none out of reach", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 8 }),
      fc.integer({ min: 0, max: WIDTH - 1 }),
      fc.double({ min: 0, max: 200, noNaN: true }),
      fc.constantFrom(40, 400, 3_000),
      (levels, x, y, rows) => {
        const lines = levels.map((level) => [String(level), binsOf(Array<number>(rows).fill(level))] as const);
        const found = nearestLine(lines, { x, y }, BOX, 16);
        const distances = levels.map((level) => Math.abs(yOf(BOX, level) - y));
        const least = Math.min(...distances);
        const isNearest = Math.abs(yOf(BOX, Number(found)) - y) - least < 1e-6;
        // Few rows are further apart than the reach.
        expect(found === null ? rows <= 40 || least >= 16 : isNearest).toBe(true);
      },
    ),
  );
});

test("gaps and lines without values are not pointed at", () => {
  const broken = binsOf(Array.from({ length: WIDTH }, (_, i) => (i < 100 ? 50 : Number.NaN)));
  const lines = [
    ["empty", createBins()],
    ["broken", broken],
  ] as const;
  const y = yOf(BOX, 50);
  expect(nearestLine(lines, { x: 50, y }, BOX, 16)).toBe("broken");
  expect(nearestLine(lines, { x: 300, y }, BOX, 16)).toBeNull();
});
