import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type ResponseSummary, findDoubt, countMissingRows } from "#main/sync/doubts.ts";
import type { ResponseContents, StationContents } from "#main/store/types.ts";
import { DAY_MS } from "#shared/time/utc.ts";

const STEP_S = 30;
const RANGE = { startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2026, 0, 1, 1) };
const PLACES = 120;
const expectedOf = () => ({ range: RANGE, stepSeconds: STEP_S });
const CLAIMS: ResponseSummary = {
  rows: 0,
  claimedRows: null,
  statedRows: null,
  isUnfinished: false,
  statedRange: { startMs: null, endMs: null },
  irregularities: {},
};

function station(stationId: string, steps: readonly number[], more: Partial<StationContents> = {}): StationContents {
  const times = Float64Array.from(steps, (step) => RANGE.startMs + step * STEP_S * 1_000).toSorted();
  return {
    stationId,
    rows: times.length,
    outside: 0,
    offGrid: 0,
    atEnd: 0,
    conflicts: 0,
    valued: new Set(),
    span: () => (times.length === 0 ? null : { firstMs: times[0]!, lastMs: times.at(-1)! }),
    timesMs: () => times,
    ...more,
  };
}

const FULL = Array.from({ length: PLACES }, (_, step) => step);
const without = (n: number): number[] => FULL.slice(n);

const steps = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

function contents(stations: readonly StationContents[], foreignRows = 0): ResponseContents {
  return { stations, foreignRows };
}

/** Stations a, b and c with rows at these steps each, `to` excluded. */
const rowsOf = (...spans: readonly (readonly [from: number, to: number])[]): ResponseContents =>
  contents(spans.map(([from, to], i) => station("abc"[i]!, steps(from, to))));

const doubtful = (c: ResponseContents, claims: Partial<ResponseSummary> = {}): readonly string[] =>
  findDoubt(c, { ...CLAIMS, ...claims }, { expectedOf, isContradicted: () => false })?.stationIds ?? [];

test("the missing rows of a station are its steps without a row", () => {
  const some = fc.subarray(FULL);
  fc.assert(
    fc.property(some, (steps) => {
      expect(countMissingRows(station("a", steps).timesMs(), RANGE, STEP_S)).toBe(PLACES - steps.length);
    }),
  );
  expect(countMissingRows(new Float64Array(0), RANGE, STEP_S)).toBe(PLACES);
});

test("a complete station is never in doubt despite discarded rows, and one without rows always is", () => {
  const loose = fc.integer({ min: 1, max: 10_000 });
  fc.assert(
    fc.property(loose, loose, fc.boolean(), (foreign, outside, isOutside) => {
      const full = station("full", FULL, { outside: isOutside ? outside : 0 });
      const empty = station("empty", []);
      expect(doubtful(contents([full, empty], foreign))).toEqual(["empty"]);
      expect(doubtful(contents([station("empty", [], { outside })]))).toEqual(["empty"]);
    }),
  );
});

test("discarded rows may be the missing ones, unless there are more of them", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 200 }), (lacking, leftOut) => {
      const expected = leftOut <= lacking ? ["a"] : [];
      expect(doubtful(contents([station("a", without(lacking))], leftOut))).toEqual(expected);
      expect(doubtful(contents([station("a", without(lacking), { outside: leftOut })]))).toEqual(expected);
      expect(
        doubtful(contents([station("a", without(lacking))]), { irregularities: { unreadableTime: leftOut } }),
      ).toEqual(expected);
      expect(doubtful(contents([station("a", without(lacking))]), { rows: 70, claimedRows: 70 + leftOut })).toEqual(
        expected,
      );
    }),
  );
});

test("a response without discarded rows is not in doubt, however few rows it has", () => {
  for (const claimedRows of [null, 0, 3, 2])
    expect(doubtful(contents([station("a", []), station("b", [1, 2, 3])]), { rows: 3, claimedRows })).toEqual([]);
});

test("a response with a round number of rows may be truncated if a station has no row at one end", () => {
  const both = contents([station("a", FULL.slice(0, 60)), station("b", FULL)]);
  for (const rows of [100, 128, 700, 1_000, 4_096]) expect(doubtful(both, { rows })).toEqual(["a"]);
  const late = contents([station("a", without(60)), station("b", FULL)]);
  for (const rows of [100, 128, 700, 1_000, 4_096]) expect(doubtful(late, { rows })).toEqual(["a"]);
  for (const rows of [0, 50, 64, 180, 999, 1_001]) expect(doubtful(both, { rows })).toEqual([]);
  expect(doubtful(contents([station("a", FULL), station("b", FULL)]), { rows: 1_000 })).toEqual([]);
});

test("a long rest without rows of any station is in doubt if two stations end together, or the rows end after whole days", () => {
  const days = { startMs: RANGE.startMs, endMs: RANGE.startMs + 3 * DAY_MS };
  const inDays = (c: ResponseContents, endMs = days.endMs): readonly string[] => {
    const knowledge = {
      expectedOf: () => ({ range: { ...days, endMs }, stepSeconds: STEP_S }),
      isContradicted: () => false,
    };
    return findDoubt(c, CLAIMS, knowledge)?.stationIds ?? [];
  };
  const [day, all] = [2_880, 3 * 2_880];
  // Whole days, kept from either end.
  for (const days of [1, 2]) {
    expect(inDays(rowsOf([0, days * day]))).toEqual(["a"]);
    expect(inDays(rowsOf([all - days * day, all]))).toEqual(["a"]);
  }
  fc.assert(
    fc.property(fc.integer({ min: 1, max: all }), fc.integer({ min: 0, max: 1 }), (rows, later) => {
      const isLong = all - rows - later >= 120;
      // A row more in one station, as after a number of rows that the stations do not share evenly.
      expect(inDays(rowsOf([0, rows], [0, Math.min(all, rows + later)]))).toEqual(isLong ? ["a", "b"] : []);
      expect(inDays(rowsOf([all - rows, all], [Math.max(0, all - rows - later), all]))).toEqual(
        isLong ? ["a", "b"] : [],
      );
      expect(inDays(rowsOf([0, rows]))).toEqual(rows < all && rows % day === 0 ? ["a"] : []);
      // Another station has rows to the end, or the catalogue has none after these.
      expect(inDays(rowsOf([0, rows], [0, rows], [0, all]))).toEqual([]);
      expect(inDays(rowsOf([0, rows], [0, rows]), days.startMs + rows * STEP_S * 1_000)).toEqual([]);
    }),
  );
});

test("if the rows of one station seem shifted, other incomplete stations are in doubt too", () => {
  const shifted = station("a", FULL.slice(10), { outside: 10 });
  expect(doubtful(contents([shifted, station("b", without(5)), station("c", FULL)]))).toEqual(["a", "b"]);
});

test("unreadable values, rows off the grid and a response marked as incomplete cause doubt", () => {
  const both = contents([station("a", FULL), station("b", FULL)]);
  expect(doubtful(both, { irregularities: { unreadableValue: 1 } })).toEqual(["a", "b"]);
  expect(doubtful(both, { isUnfinished: true })).toEqual(["a", "b"]);
  expect(doubtful(contents([station("a", FULL, { offGrid: 1 }), station("b", FULL)]))).toEqual(["a"]);
});

test("every reason counts: a contradicted station does not settle the others", () => {
  const both = contents([station("a", FULL), station("b", FULL, { offGrid: 1 }), station("c", FULL)]);
  const knowledge = { expectedOf, isContradicted: (s: StationContents) => s.stationId === "a" };
  expect(findDoubt(both, CLAIMS, knowledge)?.stationIds).toEqual(["a", "b"]);
  const late = contents([station("a", without(60)), station("b", FULL, { offGrid: 1 }), station("c", FULL)]);
  const statedRange = { startMs: RANGE.startMs + 60 * STEP_S * 1_000, endMs: RANGE.endMs };
  expect(doubtful(late, { statedRange })).toEqual(["a", "b"]);
});
