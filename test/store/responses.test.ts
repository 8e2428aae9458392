import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCache } from "#main/store/index.ts";
import type { ResponseScope } from "#main/store/types.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { type Variable, VARIABLE_NAMES, variableKind } from "#shared/service/variables.ts";
import { containsMoment, type TimeRange } from "#shared/time/range.ts";
import { momentsOf } from "#shared/time/runs.ts";
import { anyMode, anyRange, anyText, anyValue, anyVariables, TEST_START_MS, TEST_STEP_MS } from "./arbitraries.ts";
import { temporaryFolders } from "../support/folder.ts";
import { createModel, type ModelRow, rowsAsModel, writeRows } from "./model.ts";
import { gateCases, tries } from "../support/endurance.ts";
import { settled } from "../support/judge.ts";

const folder = temporaryFolders();
const ALL_TIME: TimeRange = { startMs: TEST_START_MS - 1e10, endMs: TEST_START_MS + 1e10 };
const STATIONS = ["here", "there"];

const row = fc.record({
  stationId: fc.constantFrom(...STATIONS, "foreign"),
  // Mostly on the grid of 900 s, sometimes off it: native observations may be at any time.
  timeMs: fc
    .tuple(fc.nat(6 * 96), fc.constantFrom(0, 0, 0, 1, 450_000))
    .map(([step, shift]) => TEST_START_MS + step * TEST_STEP_MS + shift),
  values: fc.record(
    Object.fromEntries(
      VARIABLE_NAMES.map((v) => [
        v,
        variableKind(v) === "scalar" ? anyValue.map((x) => (x === x ? x : null)) : anyText,
      ]),
    ) as Record<Variable, fc.Arbitrary<number | string | null>>,
  ),
});

function hasValue({ values }: ModelRow, variable: Variable): boolean {
  const value = values[variable];
  return typeof value === "number" && !Number.isNaN(value);
}

function at(step: number, ztd: number | null, stationId = "here"): ModelRow {
  return { stationId, timeMs: TEST_START_MS + step * TEST_STEP_MS, values: { ztd } };
}

const answer = fc.record({
  stationIds: fc.subarray(STATIONS, { minLength: 1 }),
  variables: anyVariables,
  range: anyRange,
  // Unique times per station; duplicates are tested in duplicates.test.ts.
  rows: fc.uniqueArray(row, { selector: (r) => `${r.stationId} ${r.timeMs}`, maxLength: 40 }),
});

describe("responses", () => {
  test("any sequence of overlapping responses gives the same as a plain model", () => {
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 5 }), anyMode, anyRange, anyVariables, (...drawn) => {
        const [answers, mode, range, variables] = drawn;
        const cache = openCache(`${folder()}/cache.db`);
        const model = createModel();
        for (const { rows, ...scope } of answers) {
          writeRows(cache, { ...scope, ...mode }, rows);
          model.respond({ ...scope, ...mode }, rows);
        }
        for (const stationId of STATIONS) {
          for (const [asked, within] of [
            [VARIABLE_NAMES, ALL_TIME],
            [variables, range],
          ] as const) {
            const selection = { stationId, variables: asked, range: within, ...mode };
            const expected = model.rows(stationId, mode, asked, within);
            expect(rowsAsModel(stationId, cache.rows(selection))).toEqual(expected);
            expect(cache.countRows(selection)).toBe(expected.length);
            const times = [...cache.times(selection)].flatMap((runs) => [...momentsOf(runs)]);
            expect(times).toEqual(expected.map((row) => row.timeMs));
            for (const variable of asked.filter((v) => variableKind(v) === "scalar")) {
              const withValue = model
                .rows(stationId, mode, [variable], within)
                .filter((row) => hasValue(row, variable));
              for (const isKept of [false, true]) {
                const found = momentsOf(cache.valueTimes({ ...selection, variables: [variable] }, isKept));
                expect([...found]).toEqual(withValue.map((row) => row.timeMs));
              }
            }
            expect([...cache.blocks(selection)].flatMap((block) => rowsAsModel(stationId, block))).toEqual(expected);
          }
          for (const variable of VARIABLE_NAMES) {
            const { final, provisional } = cache.coverage(stationId, variable, mode);
            expect(final).toEqual(model.covered(stationId, mode, variable));
            expect(provisional).toEqual([]);
          }
        }
        cache.close();
      }),
      { numRuns: tries(gateCases(30), 200) },
    );
  });

  test("a part of a response that is already there writes no values", () => {
    fc.assert(
      fc.property(answer, anyMode, fc.nat(39), (given, mode, from) => {
        const { rows, ...scope } = given;
        const cache = openCache(`${folder()}/cache.db`);
        writeRows(cache, { ...scope, ...mode }, rows);
        const before = STATIONS.map((stationId) => [...cache.rows({ ...scope, ...mode, stationId }).timesMs]);
        expect(writeRows(cache, { ...scope, ...mode }, rows.slice(from)).bytesWritten).toBe(0);
        const after = STATIONS.map((stationId) => [...cache.rows({ ...scope, ...mode, stationId }).timesMs]);
        expect(after).toEqual(before);
        cache.close();
      }),
      { numRuns: tries(gateCases(30), 200) },
    );
  });

  test("a response in any parts, order and repetition, from two programs, gives the same rows as in one part", () => {
    const pieces = fc.record({
      rows: fc.uniqueArray(row, { selector: (r) => `${r.stationId} ${r.timeMs}`, maxLength: 60 }),
      cuts: fc.array(fc.nat(6 * 96 * TEST_STEP_MS), { maxLength: 6 }),
      groups: fc.constantFrom<Variable[][]>([["ztd", "prn", "el"]], [["ztd"], ["prn", "el"]], [["ztd", "prn"], ["el"]]),
      seed: fc.infiniteStream(fc.nat(1000)),
      repeats: fc.nat(2),
    });
    fc.assert(
      fc.property(pieces, ({ rows, cuts, groups, seed, repeats }) => {
        const mode: SeriesMode = { intervalSeconds: null, raw: false };
        const range = { startMs: TEST_START_MS, endMs: TEST_START_MS + 6 * 96 * TEST_STEP_MS };
        const whole: ResponseScope = { stationIds: STATIONS, variables: ["ztd", "prn", "el"], range, ...mode };
        const one = openCache(`${folder()}/cache.db`);
        writeRows(one, whole, rows);

        const shuffled = <T>(list: readonly T[]): T[] =>
          list
            .map((item) => ({ item, at: seed.next().value }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ item }) => item);
        const borders = [0, ...cuts.toSorted((a, b) => a - b), range.endMs - range.startMs];
        const scopes = borders.slice(1).flatMap((end, i) =>
          groups.flatMap((variables) =>
            STATIONS.map((stationId) => ({
              ...mode,
              stationIds: [stationId],
              variables,
              range: { startMs: range.startMs + borders[i]!, endMs: range.startMs + end },
            })),
          ),
        );
        const many = openCache(`${folder()}/cache.db`);
        const commandLine = openCache(many.path);
        for (const [i, scope] of shuffled([...scopes, ...scopes.slice(0, repeats)]).entries()) {
          const mine = rows.filter((r) => containsMoment(scope.range, r.timeMs));
          writeRows(i % 2 === 0 ? many : commandLine, scope, shuffled([...mine, ...mine.slice(0, repeats)]));
        }
        for (const stationId of STATIONS) {
          const selection = { ...whole, stationId };
          expect(rowsAsModel(stationId, many.rows(selection))).toEqual(rowsAsModel(stationId, one.rows(selection)));
          for (const v of whole.variables)
            expect(many.coverage(stationId, v, mode)).toEqual(one.coverage(stationId, v, mode));
        }
        expect(many.statistics().rows).toBe(one.statistics().rows);
        for (const cache of [one, many, commandLine]) cache.close();
      }),
      { numRuns: tries(gateCases(25), 200) },
    );
  });

  test("irregularities are counted, and values that mark no value are stored as sent", () => {
    const cache = openCache(`${folder()}/cache.db`);
    const range = { startMs: TEST_START_MS, endMs: TEST_START_MS + 4 * TEST_STEP_MS };
    const rows = [
      at(1, 1),
      at(0, 2),
      at(1, 9.97e36),
      at(2, null),
      at(4, 5),
      at(-1, 6),
      at(0.5, 7),
      at(0, 8, "foreign"),
    ];
    const scope = { stationIds: ["here"], variables: ["ztd" as const], range, intervalSeconds: 900, raw: false };
    const report = writeRows(cache, scope, rows);
    expect(report.irregularities).toEqual({
      unsorted: 1,
      conflict: 1,
      outOfRange: 2,
      offGrid: 1,
      foreignStation: 1,
      // 1 mm, 2 mm and a mark.
      implausible: 3,
    });
    expect(report.rows).toBe(3);
    expect(rowsAsModel("here", cache.rows({ ...scope, stationId: "here" }))).toEqual([
      at(0, 2),
      at(1, 9.97e36),
      at(2, null),
    ]);
    cache.close();
  });

  test("a cache can be written to between two blocks of a reader", () => {
    const cache = openCache(`${folder()}/cache.db`);
    const range = { startMs: TEST_START_MS, endMs: TEST_START_MS + 100 * 86_400_000 };
    const scope = { stationIds: ["here"], variables: ["prn" as const], range, intervalSeconds: null, raw: false };
    const rows = Array.from({ length: 99 }, (_, day) => ({ ...at(day * 96, null), values: { prn: "G01" } }));
    writeRows(cache, scope, rows);
    let read = 0;
    for (const block of cache.blocks({ ...scope, stationId: "here" })) {
      read += block.timesMs.length;
      cache.setSetting("seen", String(read));
    }
    expect(read).toBe(99);
    cache.close();
  });

  test("an abandoned response leaves no data", () => {
    const cache = openCache(`${folder()}/cache.db`);
    const range = { startMs: TEST_START_MS, endMs: TEST_START_MS + TEST_STEP_MS };
    const scope = { stationIds: ["a"], variables: ["ztd" as const], range, intervalSeconds: null, raw: true };
    const writer = cache.openResponse(scope);
    writer.add({ stationId: "a", timesMs: Float64Array.of(TEST_START_MS), scalars: {}, texts: {} });
    writer.abandon();
    expect(() => writer.commit(settled(range))).toThrow("only once");
    expect(cache.statistics()).toMatchObject({ rows: 0, stations: 0 });
    cache.close();
  });
});
