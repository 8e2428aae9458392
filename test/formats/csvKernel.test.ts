import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatUtc, formatUtcShort } from "#shared/time/utc.ts";
import { RowKernel, type TimeDigits } from "#formats/csv/kernel/kernel.ts";
import { anyDouble } from "./sources.ts";
import { gateCases, tries } from "../support/endurance.ts";

/** Offset at which the tests write single texts, in the memory of the first column. */
const AT = 100_000;

function kernelOf(digits: TimeDigits): RowKernel {
  return new RowKernel({ digits, columns: 1, prefixBytes: 0 });
}

const kernel = kernelOf(0);

function numberText(value: number): string {
  return kernel.bytes.toString("latin1", AT, kernel.writeNumber(value, AT));
}

function timeText(kernel: RowKernel, ms: number): string {
  return kernel.bytes.toString("latin1", AT, kernel.writeTime(ms, AT));
}

const whole = (most: number) => fc.integer({ min: 0, max: most });
const bits = new DataView(new ArrayBuffer(8));
/** A double that is some representable values away. */
function moved(value: number, steps: number): number {
  bits.setFloat64(0, value);
  bits.setBigUint64(0, BigInt.asUintN(64, bits.getBigUint64(0) + BigInt(steps)));
  return bits.getFloat64(0);
}
const near = (value: fc.Arbitrary<number>) =>
  fc.tuple(value, fc.integer({ min: -4, max: 4 })).map(([v, steps]) => moved(v, steps));
const size = fc
  .tuple(fc.double({ min: 1, max: 10, noNaN: true }), fc.integer({ min: -5, max: 12 }))
  .map(([digits, exponent]) => Number(`${digits}e${exponent}`));

/** Kinds of doubles whose texts are hard in different ways. */
const KINDS: Readonly<Record<string, fc.Arbitrary<number>>> = {
  any: anyDouble,
  "any bit pattern": fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((word) => {
    bits.setBigUint64(0, word);
    return bits.getFloat64(0);
  }),
  "1 to 17 digits": fc
    .tuple(size, fc.integer({ min: 1, max: 17 }))
    .map(([value, digits]) => Number(value.toPrecision(digits))),
  "halfway between two decimals of 16 or 17 digits": fc.oneof(
    size.map(Math.fround),
    fc.tuple(fc.maxSafeNat(), whole(60)).map(([n, power]) => n / 2 ** power),
  ),
  "next to decimals, powers of ten and powers of two": near(
    fc.oneof(
      fc.tuple(whole(1e8), whole(9)).map(([n, digits]) => n / 10 ** digits),
      fc.tuple(whole(14), fc.integer({ min: 1, max: 9 })).map(([power, digit]) => digit * 10 ** (power - 4)),
      fc.integer({ min: -12, max: 28 }).map((power) => 2 ** power),
    ),
  ),
  "just below whole numbers": fc
    .tuple(whole(1e8), fc.integer({ min: 1, max: 17 }))
    .map(([n, nines]) => n + Number(`0.${"9".repeat(nines)}`)),
};

describe("numbers match JavaScript: the shortest text that parses to the same double", () => {
  it.each(Object.entries(KINDS))("%s", (_, kind) => {
    fc.assert(
      fc.property(kind.filter(Number.isFinite), (value) => {
        expect(numberText(value)).toBe(String(value));
        expect(numberText(-value)).toBe(String(-value));
      }),
      { numRuns: tries(gateCases(2_000), 60_000) },
    );
  });

  it("powers of two and the ends of notations", () => {
    const powers = Array.from({ length: 2_098 }, (_, i) => 2 ** (i - 1_074));
    const ends = [0, 5e-324, Number.MAX_VALUE, 1e20, 1e21, 1e-6, 1e-7, 0.1, 0.01, 1e8, 99_999_999.99999999];
    const wrong = [...powers, ...ends].flatMap((v) => [v, -v]).filter((v) => numberText(v) !== String(v));
    expect(wrong).toEqual([]);
  });
});

describe("times", () => {
  const moment = fc
    .integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) })
    .filter((t) => new Date(t).getUTCFullYear() > 0);

  it("are ISO 8601 with the number of decimals of the file", () => {
    const whole = kernelOf(0);
    const fine = kernelOf(3);
    fc.assert(
      fc.property(fc.array(moment, { maxLength: 5 }), (moments) => {
        for (const ms of moments) {
          const second = Math.floor(ms / 1000) * 1000;
          expect(timeText(fine, ms)).toBe(formatUtc(ms));
          expect(timeText(whole, second)).toBe(formatUtcShort(second));
        }
      }),
      { numRuns: gateCases(2_000) },
    );
  });
});
