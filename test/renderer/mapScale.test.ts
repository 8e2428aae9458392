import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endsOf, heightResiduals, REDUCED, stationValues } from "#renderer/features/map/scale.ts";
import { LABEL_PX, placeLabels } from "#renderer/map/labels.ts";

describe("height residuals", () => {
  const heights = Float64Array.from([0, 100, 500, 900, 2_000, 300]);

  test("are zero for values on any line over height", () => {
    fc.assert(
      fc.property(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: 0, max: 3_000 }), (slope, offset) => {
        const residuals = heightResiduals(
          heights.map((h) => offset + slope * h),
          heights,
        );
        expect(Math.max(...residuals.map(Math.abs))).toBeLessThan(1e-6);
      }),
    );
  });

  test("sum to zero, and are unknown without a height or with too few stations", () => {
    const values = heights.map((h, i) => 2_400 - 0.3 * h + 10 * (i % 3));
    const residuals = heightResiduals(values, heights);
    expect(residuals.reduce((a, b) => a + b, 0)).toBeCloseTo(0);
    expect(Math.max(...residuals)).toBeGreaterThan(3);
    const without = Float64Array.from([...heights.subarray(0, 5), Number.NaN]);
    expect([...heightResiduals(values, without)].map(Number.isNaN)).toEqual([false, false, false, false, false, true]);
    expect([...heightResiduals(values.subarray(0, 4), heights.subarray(0, 4))]).toEqual([NaN, NaN, NaN, NaN]);
    expect(Number.isNaN(heightResiduals(values, heights.fill(7))[0]!)).toBe(true);
  });

  test("use the heights of the catalogue", () => {
    const stations = [0, 100, 200, 300, 400].map((h, i) => ({ id: `s${i}`, ellipsoidalHeight: i === 0 ? null : h }));
    const frame = {
      momentMs: 0,
      read: (id: string) => ({ timeMs: 0, value: Number(id.slice(1)), from: "cache" as const }),
    };
    expect(Number.isNaN(stationValues(REDUCED, stations, frame)[0]!)).toBe(true);
    expect([...stationValues("ztd", stations, frame)]).toEqual([0, 1, 2, 3, 4]);
  });
});

describe("bounds of a colour scale", () => {
  test("include all but the outer two per cent on both sides, and are symmetric for an anomaly", () => {
    const values = Array.from({ length: 101 }, (_, i) => 2_000 + i);
    const [low, high] = endsOf("ztd", Float64Array.of(...values, NaN))!;
    expect(low).toBeLessThanOrEqual(2_002);
    expect(high).toBeGreaterThanOrEqual(2_098);
    expect(endsOf(REDUCED, Float64Array.of(-3.2, 1, 12.5))).toEqual([-13, 13]);
    expect(endsOf("pwv", new Float64Array())).toBeNull();
    // An outlier does not determine the bounds.
    expect(endsOf("ztd", Float64Array.of(...values, 1e9))![1]).toBeLessThan(3_000);
  });
});

test("labels do not overlap each other", () => {
  const mark = fc.record({ x: fc.integer({ min: 0, max: 300 }), y: fc.integer({ min: 0, max: 200 }) });
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 40 }), (places) => {
      const marks = places.map((place, i) => ({ ...place, text: `S${i}` }));
      const labels = placeLabels(marks, (text) => text.length * 7);
      const meet = labels.flatMap((a, i) =>
        labels.slice(i + 1).filter((b) => Math.abs(a.y - b.y) < LABEL_PX && a.x < b.x + b.width && b.x < a.x + a.width),
      );
      expect(meet).toEqual([]);
    }),
  );
  expect(placeLabels([{ x: 50, y: 50, text: "Kallio" }], () => 40)).toEqual([
    { text: "Kallio", x: 59, y: 50, width: 40 },
  ]);
});
