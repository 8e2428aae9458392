import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeRuns, encodeRuns } from "#main/store/codec/runs.ts";
import { decodeScalars, decodeScalarsBefore, encodeScalars } from "#main/store/codec/scalars.ts";
import { DamagedData } from "#main/store/errors.ts";
import { buildPyramid, decodePyramids, encodePyramid } from "#main/store/pyramid/pyramid.ts";
import { anyValue } from "./arbitraries.ts";
import { gateCases } from "../support/endurance.ts";

/** Describes the first difference in a bit; null without one. All NaN are equal, as missing values. */
function difference(found: ArrayLike<unknown>, expected: ArrayLike<unknown>): string | null {
  if (found.length !== expected.length) return `${found.length} instead of ${expected.length}`;
  for (let i = 0; i < expected.length; i++) {
    if (!Object.is(found[i], expected[i])) return `${String(found[i])} instead of ${String(expected[i])} at ${i}`;
  }
  return null;
}

/** Returns bytes as SQLite does: a Buffer within a larger one. */
function stored(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([1, 2, 3]), bytes]).subarray(3);
}

/** Small steps of a delay, in the only codec that can be decoded in part. */
const delay = fc
  .tuple(fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 1, maxLength: 9_000 }), fc.nat(100))
  .map(([steps, share]) => {
    let tenths = 24_000;
    // Small steps first and large ones later, so that the first values take less than their share of the bytes; or vice versa.
    return Float64Array.from(steps, (step, i) => (tenths += i % 101 < share ? step : step % 2) / 10);
  });
const anyBits = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((word) => {
  const value = new Float64Array(BigUint64Array.of(word).buffer)[0]!;
  return value === value ? value : Number.NaN;
});
const anyColumn = fc.oneof(
  delay,
  fc.array(fc.oneof(anyValue, anyBits), { maxLength: 300 }).map((values) => Float64Array.from(values)),
);

function bytesEach(values: Float64Array): number {
  return encodeScalars(values).bytes.length / values.length;
}

describe("numbers", () => {
  test("any doubles are restored to the bit, the first of them also alone", () => {
    fc.assert(
      fc.property(anyColumn, fc.nat(1_000), (values, share) => {
        const { codec, bytes } = encodeScalars(values);
        expect(difference(decodeScalars(codec, stored(bytes), values.length), values)).toBeNull();
        const end = Math.round((values.length * share) / 1_000);
        const first = decodeScalarsBefore(codec, stored(bytes), values.length, end);
        expect(difference(first, values.subarray(0, end))).toBeNull();
      }),
      { numRuns: gateCases(600) },
    );
  });

  test("few decimals take two bytes or less of a value, full doubles of a slow quantity three quarters of eight", () => {
    const slow = Float64Array.from({ length: 2_880 }, (_, i) => 2_400 + Math.sin(i / 300) * 50 + Math.sin(i * i));
    for (const decimals of [0, 1, 2, 3])
      expect(bytesEach(slow.map((v) => Number(v.toFixed(decimals))))).toBeLessThan(2);
    expect(bytesEach(slow)).toBeLessThan(6.2);
  });

  test("missing bytes, extra bytes, other widths and impossible numbers of rows are reported as damage", () => {
    const { codec, bytes } = encodeScalars(Float64Array.from({ length: 100 }, (_, i) => i));
    expect(codec).toBe("packed");
    // Behind the marks of missing values, the decimals and the first value.
    const wide = bytes.slice().fill(26, 3, 4);
    for (const wrong of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.of(0)]), wide, bytes.subarray(0, 3)])
      expect(() => decodeScalars(codec, wrong, 100)).toThrow(DamagedData);
    for (const n of [90, 110, 1e8]) expect(() => decodeScalars(codec, bytes, n)).toThrow(DamagedData);
    expect(decodeScalars(codec, bytes, 100)[99]).toBe(99);
  });
});

describe("times", () => {
  test("any ascending times round-trip", () => {
    const step = fc.oneof(fc.constantFrom(1_000, 30_000), fc.integer({ min: 1, max: 10 ** 9 }));
    fc.assert(
      fc.property(
        fc.integer({ min: -(10 ** 14), max: 10 ** 14 }),
        fc.array(step, { maxLength: 200 }),
        (first, steps) => {
          let time = first;
          const times = Float64Array.from([first, ...steps.map((s) => (time += s))]);
          expect(difference(decodeRuns(stored(encodeRuns(times))), times)).toBeNull();
        },
      ),
    );
  });

  test("a day without gaps takes less than 24 bytes, and with a gap less than 36", () => {
    const day = Float64Array.from({ length: 2_880 }, (_, i) => 1.7e12 + i * 30_000);
    expect(encodeRuns(day).length).toBeLessThan(24);
    expect(encodeRuns(day.filter((_, i) => i < 1_000 || i > 1_100)).length).toBeLessThan(36);
  });
});

describe("pyramids", () => {
  /** Rows with equal steps, or in so many runs that they are compressed; some times have fractions. */
  const column = fc.record({
    rows: fc.nat(12_000),
    stepsMs: fc.array(fc.constantFrom(30_000, 1, 77_777, 0.5), { minLength: 1, maxLength: 7 }),
    gaps: fc.nat(5),
  });

  test("any number of concatenated ones round-trip", () => {
    fc.assert(
      // Repeated, to exceed the memory of the kernel.
      fc.property(fc.array(column, { maxLength: 5 }), fc.constantFrom(1, 1, 30, 300), (drawn, times) => {
        const once = drawn.map(({ rows, stepsMs, gaps }) => {
          let timeMs = 1_700_000_000_000;
          const timesMs = Float64Array.from(
            { length: rows },
            (_, i) => (timeMs += stepsMs[i % stepsMs.length]! * (1 + (i % 131))),
          );
          const values = timesMs.map((_, i) =>
            i % 7 < gaps || i % 1_000 < 100 * gaps ? Number.NaN : Math.sin(i) * 1e3,
          );
          return buildPyramid(timesMs, values).pyramid;
        });
        const made = Array.from({ length: times }, () => once).flat();
        const encodedOnce = once.map(encodePyramid);
        const encoded = Array.from({ length: times }, () => encodedOnce).flat();
        const lengths = encoded.map(({ length }) => length);
        const read = decodePyramids(stored(Buffer.concat(encoded)), lengths);
        expect(read).toHaveLength(made.length);
        read.forEach(({ start, end, summaries, ...columns }, i) => {
          const expected = made[i]!;
          for (const name of ["firstMs", "lastMs", "count"] as const)
            expect(difference(columns[name].subarray(start, end), expected[name])).toBeNull();
          expect(difference(summaries.subarray(3 * start, 3 * end), expected.summaries)).toBeNull();
        });
      }),
      { numRuns: gateCases(60) },
    );
  });
});
