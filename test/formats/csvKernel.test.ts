import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatUtc, formatUtcShort } from "#shared/time/utc.ts";
import { RowKernel, type TimeDigits } from "#formats/csv/kernel/kernel.ts";
import { anyDouble } from "./sources.ts";
import { tries } from "../support/endurance.ts";

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

/** A random integer from 0 up to, but not including, `below`. */
function random(below: number): number {
  return Math.floor(Math.random() * below);
}

function anySize(): number {
  return Math.random() * 10 ** (random(12) - 4);
}

/** A double that is at most `most` representable values away. */
function near(value: number, most: number): number {
  const double = new Float64Array([value]);
  const bits = new BigUint64Array(double.buffer);
  bits[0] = bits[0]! + BigInt(random(2 * most + 1) - most);
  return double[0]!;
}

describe("numbers", () => {
  it("match JavaScript: the shortest text that parses to the same double", () => {
    fc.assert(
      fc.property(anyDouble, (value) => {
        expect(numberText(value)).toBe(String(value));
      }),
      { numRuns: tries(4_000, 40_000) },
    );
  });

  it("match JavaScript with 1 to 17 digits, for any magnitude", () => {
    const anySize = fc
      .tuple(
        fc.double({ min: 1, max: 10, noNaN: true }),
        fc.integer({ min: -5, max: 12 }),
        fc.integer({ min: 1, max: 17 }),
      )
      .map(([digits, exponent, precision]) => Number(Number(`${digits}e${exponent}`).toPrecision(precision)));
    fc.assert(
      fc.property(anySize, (value) => {
        expect(numberText(value)).toBe(String(value));
        expect(numberText(-value)).toBe(String(-value));
      }),
      { numRuns: tries(4_000, 40_000) },
    );
  });

  it("match JavaScript for any bit pattern, and next to decimals", () => {
    const bits = new DataView(new ArrayBuffer(8));
    const finite = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((b) => {
      bits.setBigUint64(0, b);
      return bits.getFloat64(0);
    });
    const neighbour = fc
      .tuple(
        fc.integer({ min: -30_000_000, max: 30_000_000 }),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: -3, max: 3 }),
      )
      .map(([n, digits, ulps]) => {
        bits.setFloat64(0, n / 10 ** digits);
        bits.setBigUint64(0, BigInt.asUintN(64, bits.getBigUint64(0) + BigInt(ulps)));
        return bits.getFloat64(0);
      });
    fc.assert(
      fc.property(fc.oneof(finite, neighbour).filter(Number.isFinite), (value) => {
        expect(numberText(value)).toBe(String(value));
      }),
      { numRuns: tries(4_000, 40_000) },
    );
  });

  it("match JavaScript for edge cases and random doubles", () => {
    const found: string[] = [];
    const check = (value: number): void => {
      if (numberText(value) !== String(value)) found.push(String(value));
    };
    const kinds: readonly (() => number)[] = [
      anySize,
      () => -anySize(),
      () => Number(anySize().toPrecision(1 + random(17))),
      // Halfway between two decimals of 16 or 17 digits.
      () => Math.fround(anySize()),
      () => random(2 ** 53) / 2 ** random(60),
      () => random(2 ** (1 + random(40))) / 2 ** random(45),
      // Next to a change in the number of digits, or in the distance between doubles.
      () => near(10 ** (random(14) - 4) * (1 + random(9)), 4),
      () => near(2 ** (random(40) - 12), 4),
      () => near(random(1e8) / 10 ** random(9), 3),
      () => random(1e12) / 1e4,
      () => random(1e8) + Number(`0.${"9".repeat(1 + random(17))}`),
    ];
    for (const kind of kinds) for (let i = 0; i < tries(15_000, 200_000); i++) check(kind());
    for (let power = -1_074; power < 1_024; power++) for (const sign of [1, -1]) check(sign * 2 ** power);
    for (const value of [
      0,
      -0,
      5e-324,
      Number.MAX_VALUE,
      1e20,
      1e21,
      1e-6,
      1e-7,
      0.1,
      0.01,
      1e8,
      99_999_999.99999999,
    ]) {
      check(value);
      check(-value);
    }
    expect(found).toEqual([]);
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
      { numRuns: 2_000 },
    );
  });
});
