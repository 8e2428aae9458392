import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_DECIMALS, writeDouble, writeFixed } from "#service/measurements/digits.ts";
import { gateCases } from "../support/endurance.ts";

const bytes = Buffer.alloc(64);
const double = (value: number): string => bytes.toString("latin1", 3, writeDouble(bytes, 3, value));
const fixed = (value: number, decimals: number): string =>
  bytes.toString("latin1", 3, writeFixed(bytes, 3, value, decimals));

/** The double that many steps after the value, or before it for a negative number. */
function stepped(value: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(steps));
  return view.getFloat64(0);
}

describe("digits", () => {
  it("digits: any double, and many of the size of measurements, round-trip to the bit as valid JSON", () => {
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    const measured = fc.double({ min: -4096, max: 4096, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(any, { arbitrary: measured, weight: 2 }), (value) => {
        const sent = value + 0; // JSON has -0, but its sign has no meaning here
        expect(Object.is(JSON.parse(double(sent)) + 0, sent)).toBe(true);
      }),
      { numRuns: gateCases(60_000) },
    );
  });

  it("digits: doubles around powers of two and just below whole numbers round-trip", () => {
    for (let power = -3; power <= 33; power++) {
      for (let steps = -50; steps <= 50; steps++) {
        for (const base of [2 ** power, 2 ** power * 1.5, Math.ceil(2 ** power * 1.3)]) {
          const value = stepped(base, steps);
          expect([value, Number(double(value))]).toEqual([value, value]);
          expect(Number(double(-value))).toBe(-value);
        }
      }
    }
  });

  it("digits: decimals are written exactly, with the requested number of digits", () => {
    fc.assert(
      fc.property(fc.integer({ min: -5e8, max: 5e8 }), fc.integer({ min: 0, max: MAX_DECIMALS }), (n, decimals) => {
        const value = n / 10 ** decimals + 0;
        expect(fixed(value, decimals)).toBe(value.toFixed(decimals));
      }),
      { numRuns: gateCases(20_000) },
    );
  });
});
