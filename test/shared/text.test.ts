import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyValue, exactValue } from "#shared/plot/values.ts";
import { count, decimal, exponential, many, shortCount } from "#shared/text.ts";

test("numbers are written with thousands separators, a true minus sign and no negative zero", () => {
  expect(count(1_204_300)).toBe("1,204,300");
  expect([many(1, "station"), many(2_000, "oddity", "oddities")]).toEqual(["1 station", "2,000 oddities"]);
  expect(decimal(2411.34, 1)).toBe("2,411.3");
  expect(decimal(2411.3456, 1, 3)).toBe("2,411.346");
  expect([decimal(-0.01, 1), decimal(-1_234, 0), decimal(Number.NaN, 1)]).toEqual(["0.0", "−1,234", "–"]);
});

test("numbers too large or too small to be read as digits are written with an exponent", () => {
  expect([decimal(1_790_000_123, 0), decimal(1e12, 1), decimal(-1e300, 1, 3)]).toEqual([
    "1,790,000,123",
    "1e12",
    "−1e300",
  ]);
  expect([exponential(1.234_567_89e-12), exponential(0), exponential(Number.NaN)]).toEqual(["1.23457e−12", "0", "–"]);
  expect([exactValue(1e300), exactValue(-3e-7), exactValue(0)]).toEqual(["1e300", "−3e−7", "0.0"]);
  expect([2_411.345_678, 1_790_000_123, 0.000_123, 1.5e-9, -1e300, Number.NaN].map((v) => anyValue(v))).toEqual([
    "2,411.346",
    "1,790,000,123",
    "0.000123",
    "1.5e−9",
    "−1e300",
    "–",
  ]);
  expect([anyValue(1_900, 1), anyValue(2.5e-7, 1)]).toEqual(["1,900.0", "2.5e−7"]);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(3), (value, digits) => {
      for (const text of [decimal(value, digits), exactValue(value), anyValue(value)])
        expect(text.length).toBeLessThanOrEqual("−999,999,999,999.999".length);
    }),
  );
});

function sizeOf(text: string): number {
  return Number(text.replace("k", "")) * (text.endsWith("k") ? 1_000 : 1);
}

test("a short count has at most four characters below a million, and never decreases", () => {
  expect([812, 1_234, 9_949, 9_950, 98_000].map(shortCount)).toEqual(["812", "1.2k", "9.9k", "10k", "98k"]);
  fc.assert(
    fc.property(fc.nat({ max: 999_499 }), fc.nat({ max: 999_499 }), (a, b) => {
      expect(shortCount(a).length).toBeLessThanOrEqual(4);
      expect(sizeOf(shortCount(Math.min(a, b)))).toBeLessThanOrEqual(sizeOf(shortCount(Math.max(a, b))));
    }),
  );
});
