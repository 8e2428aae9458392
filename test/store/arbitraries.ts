import * as fc from "fast-check";
import type { SeriesMode } from "#shared/series/rows.ts";
import { type Variable, VARIABLE_NAMES } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { anyCharacter } from "../support/characters.ts";

/** Any double: special ones often, measured ones with few decimals most often. NaN is a missing value. */
export const anyValue: fc.Arbitrary<number> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -30_000, max: 30_000 }).map((v) => v / 10) },
  { weight: 1, arbitrary: fc.integer({ min: -30_000, max: 30_000 }).map((v) => v / 1000) },
  { weight: 2, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, 5e-324, -5e-324, 1.7976931348623157e308, Infinity, -Infinity, NaN) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
);

const satelliteValue = fc.oneof(
  fc.integer({ min: -900, max: 3600 }).map((v) => (v / 10).toFixed(1)),
  fc.tuple(fc.nat(600), fc.nat(600)).map(([a, b]) => `${a / 10}/${b / 10}`),
  fc.constantFrom("", "-0.0", "05", "1e9", "NaN", "123456789012", "-3", "1.", ".5", "0.10", "-", "00.1", "é"),
);

/** A text that the service might send for one row; null is a missing value. */
export const anyText: fc.Arbitrary<string | null> = fc.oneof(
  { weight: 5, arbitrary: fc.array(satelliteValue, { minLength: 1, maxLength: 6 }).map((list) => list.join(",")) },
  { weight: 2, arbitrary: fc.constantFrom("G01,G05,R11", "G01,R11", "G01,G05,R11,E02", "") },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom("\ud800", "\udfff,1.5", "x".repeat(5_000), "\u0000", "\u202e", "ÿ\u0080") },
  { weight: 1, arbitrary: fc.constant(null) },
);

export const anyVariables: fc.Arbitrary<Variable[]> = fc.subarray([...VARIABLE_NAMES], { minLength: 1 });

export const anyMode: fc.Arbitrary<SeriesMode> = fc.record({
  intervalSeconds: fc.constantFrom(null, 900, 3_601),
  raw: fc.boolean(),
});

/** Start of the test data, a day before the start of a bucket, so that ranges cross the border. */
export const TEST_START_MS = Date.UTC(2026, 0, 1);
export const TEST_STEP_MS = 900_000;
const STEPS = Math.floor((3 * DAY_MS) / TEST_STEP_MS);

/** Ranges on and off the grid of the test rows; never empty. */
export const anyRange: fc.Arbitrary<TimeRange> = fc
  .tuple(fc.nat(STEPS), fc.integer({ min: 1, max: STEPS }), fc.constantFrom(0, 0, 1, -1), fc.constantFrom(0, 0, 1))
  .map(([start, length, shift, extra]) => ({
    startMs: TEST_START_MS + start * TEST_STEP_MS + shift,
    endMs: TEST_START_MS + (start + length) * TEST_STEP_MS + shift + extra,
  }));
