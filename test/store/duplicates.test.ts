import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openCache } from "#main/store/index.ts";
import type { Variable } from "#shared/service/variables.ts";
import { TEST_START_MS, TEST_STEP_MS } from "./arbitraries.ts";
import { temporaryFolders } from "../support/folder.ts";
import { type Cell, type ModelRow, rowsAsModel, writeRows } from "./model.ts";

/** Rows that occur several times in a response: no value may be lost or mixed with others. */

const folder = temporaryFolders();
const VARIABLES: readonly Variable[] = ["ztd", "ztd_sigma", "pwv", "el", "prn"];
const DAYS = 3;
const RANGE = { startMs: TEST_START_MS, endMs: TEST_START_MS + DAYS * 96 * TEST_STEP_MS };
const SCOPE = { stationIds: ["here"], variables: VARIABLES, range: RANGE, intervalSeconds: null, raw: false };

const number = fc.option(fc.constantFrom(1, 2, -0), { nil: null });
const text = fc.constantFrom(null, "a", "b");
const copy: fc.Arbitrary<ModelRow> = fc.record({
  stationId: fc.constant("here"),
  // Few times on several days, so that most are repeated, also after their day was encoded.
  timeMs: fc.constantFrom(0, 1, 2, 100, 101, 200).map((step) => TEST_START_MS + step * TEST_STEP_MS),
  values: fc.record({ ztd: number, ztd_sigma: number, pwv: number, el: text, prn: fc.constantFrom(null, "G1") }),
});

/** The expected rows, merged field by field. */
function expected(rows: readonly ModelRow[]): { rows: ModelRow[]; conflicts: number } {
  let conflicts = 0;
  const merged = new Map<number, Partial<Record<Variable, Cell>>>();
  for (const { timeMs, values } of rows) {
    const known = merged.get(timeMs);
    if (!known) {
      merged.set(timeMs, { ...values });
      continue;
    }
    for (const variable of VARIABLES) {
      const [old, fresh] = [known[variable]!, values[variable]!];
      if (fresh === null) continue;
      if (old !== null && old !== fresh) conflicts++;
      known[variable] = fresh;
    }
  }
  const sorted = [...merged].toSorted(([a], [b]) => a - b);
  return { rows: sorted.map(([timeMs, values]) => ({ stationId: "here", timeMs, values })), conflicts };
}

test("each field keeps its last value, missing values replace no others, and conflicts are reported", () => {
  let conflicts = 0;
  fc.assert(
    fc.property(fc.array(copy, { minLength: 1, maxLength: 40 }), (rows) => {
      const cache = openCache(`${folder()}/cache.db`);
      const report = writeRows(cache, SCOPE, rows);
      const whole = expected(rows);
      expect(rowsAsModel("here", cache.rows({ ...SCOPE, stationId: "here" }))).toEqual(whole.rows);
      // Late duplicates of a bucket are compared with each other first.
      expect((report.irregularities.conflict ?? 0) > 0).toBe(whole.conflicts > 0);
      conflicts += whole.conflicts;
      cache.close();
    }),
    { numRuns: 40 },
  );
  expect(conflicts).toBeGreaterThan(20);
});

function at(step: number, prn: string | null, el: string | null): ModelRow {
  const timeMs = TEST_START_MS + step * TEST_STEP_MS;
  return { stationId: "here", timeMs, values: { ztd: null, ztd_sigma: null, pwv: null, el, prn } };
}

test("satellite values are never combined with the satellites of another duplicate", () => {
  const cache = openCache(`${folder()}/cache.db`);
  for (const between of [[], [at(200, "G9", "9")]]) {
    const report = writeRows(cache, SCOPE, [
      at(1, "G1,G2", "10,20"),
      at(2, "G1", "1"),
      ...between,
      at(1, "G2,G1", null),
    ]);
    expect(report.irregularities.conflict).toBe(1);
    const [first, second] = rowsAsModel("here", cache.rows({ ...SCOPE, stationId: "here" }));
    expect(first!.values).toMatchObject({ prn: "G2,G1", el: null });
    expect(second!.values).toMatchObject({ prn: "G1", el: "1" });
  }
  cache.close();
});
