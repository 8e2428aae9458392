import * as fc from "fast-check";
import { expect, test } from "vitest";
import { boundsProblem, boundsSchema } from "#renderer/plot/view.ts";
import { parseNumber } from "#renderer/ui/NumberField.tsx";
import { quantityOf } from "#shared/plot/values.ts";
import { valueTicks } from "#shared/plot/scale.ts";

const ZTD = quantityOf("ztd");
const PRESSURE = { key: "file pressure Pa", short: "pressure", label: "pressure", unit: "Pa" };

test.each([
  [ZTD, 2_000, 1e99, "ZTD can be shown from −1,000 to 10,000 mm."],
  [ZTD, -1e99, 2_600, "ZTD can be shown from −1,000 to 10,000 mm."],
  [quantityOf("pwv"), -5, 501, "PWV can be shown from −100 to 500 mm."],
  [ZTD, 2_700, 2_600, "The upper bound must be greater than the lower bound."],
  [ZTD, 2_600, 2_600, "The upper bound must be greater than the lower bound."],
  [ZTD, 2_600, 2_600.001, "The bounds must be at least 0.01 mm apart."],
  [ZTD, null, 2_600, "Both bounds must be numbers."],
  [PRESSURE, 101_325, 101_325.00001, "The bounds are too close together for an axis."],
  [PRESSURE, 0, 1e99, "pressure can be shown from −1,000,000,000,000 to 1,000,000,000,000 Pa."],
])("rejects bounds of %o from %d to %d", (quantity, low, high, sentence) => {
  expect(boundsProblem(quantity, low, high)).toBe(sentence);
});

test("valid bounds of an axis are restored, and its ticks have different labels", () => {
  const value = fc.double({ noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(ZTD, quantityOf("pwv"), PRESSURE), value, value, (quantity, low, high) => {
      const isPossible = boundsProblem(quantity, low, high) === null;
      expect(boundsSchema.parse({ [quantity.key]: [low, high] })).toEqual(
        isPossible ? { [quantity.key]: [low, high] } : {},
      );
      if (!isPossible) return;
      const { values, decimals } = valueTicks(low, high, 6);
      expect(values.length).toBeGreaterThan(0);
      expect(new Set(values.map((v) => v.toFixed(decimals))).size).toBe(values.length);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["2600", 2_600],
  ["2,600", 2_600],
  ["1,234,567.5", 1_234_567.5],
  ["12,5", 12.5],
  ["−3", -3],
  [" 1e3 ", 1_000],
  ["", null],
  ["0x10", null],
  ["1e999", null],
  ["Infinity", null],
  ["12 mm", null],
])("“%s” is read as %s", (text, value) => {
  expect(parseNumber(text)).toBe(value);
});
