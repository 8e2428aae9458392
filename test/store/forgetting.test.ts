import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Variable } from "#shared/service/variables.ts";
import { alignOutward, containsMoment, type TimeRange } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import { damageOf } from "./damageOf.ts";
import { temporaryFolders } from "../support/folder.ts";
import { anyMode, anyRange, anyVariables, TEST_START_MS, TEST_STEP_MS } from "./arbitraries.ts";
import { fillRows, rowsAsModel, writeRows } from "./model.ts";
import { gateCases, tries } from "../support/endurance.ts";

const folder = temporaryFolders();
const never = new AbortController().signal;
const DAYS = 30;
const NATIVE = { intervalSeconds: null, raw: false } as const;
const WHOLE = { startMs: 0, endMs: DAYS * DAY_MS };

function hoursOf({ startMs, endMs }: TimeRange): number[] {
  return Array.from({ length: (endMs - startMs) / 3_600_000 }, (_, i) => startMs + i * 3_600_000);
}

/** A row every hour. */
function fill(cache: Cache, stationIds: readonly string[], variables: readonly Variable[], range = WHOLE): void {
  const values = Object.fromEntries(variables.map((v) => [v, v === "prn" || v === "el" ? "1" : 2.5]));
  const rows = stationIds.flatMap((stationId) => hoursOf(range).map((timeMs) => ({ stationId, timeMs, values })));
  writeRows(cache, { stationIds, variables, range, ...NATIVE }, rows);
}

function rowsOf(cache: Cache, stationId: string, variable: Variable) {
  return rowsAsModel(stationId, cache.rows({ stationId, variables: [variable], range: WHOLE, ...NATIVE }));
}

/** Checks that every covered hour has its row, and no other has one. */
function demandWhole(cache: Cache, stationId: string, variable: Variable): number {
  const { final } = cache.coverage(stationId, variable, NATIVE);
  const covered = final.flatMap(hoursOf);
  expect(rowsOf(cache, stationId, variable).map((row) => row.timeMs)).toEqual(covered);
  return covered.length;
}

test("deletion removes rows and coverage of variables in whole intervals, at once or in steps, and nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(anyVariables, anyVariables, anyMode, fc.option(anyRange), fc.boolean()),
      async ([asked, gone, mode, range, inSteps]) => {
        const cache = openCache(`${folder()}/cache.db`);
        const filled = { startMs: TEST_START_MS, endMs: TEST_START_MS + 60 * TEST_STEP_MS };
        fillRows(cache, { stationIds: ["a", "b"], variables: asked, range: filled, ...mode }, 1);
        const all = { startMs: TEST_START_MS - 1e10, endMs: TEST_START_MS + 1e10 };
        const of = (stationId: string, variable: Variable) =>
          rowsAsModel(stationId, cache.rows({ stationId, variables: [variable], range: all, ...mode }));
        const before = new Map(asked.map((v) => [v, of("a", v)]));
        const shares: number[] = [];
        const forgetting = { stationIds: ["a"], range, variables: gone };
        const onProgress = (share: number): void => void shares.push(share);
        const removed = inSteps
          ? await cache.forgetInSteps(forgetting, onProgress, never)
          : cache.forget(["a"], range, gone);
        const within = range ?? all;
        const whole = mode.intervalSeconds === null ? within : alignOutward(within, mode.intervalSeconds);
        const stays = (variable: Variable, timeMs: number): boolean =>
          !gone.includes(variable) || !containsMoment(whole, timeMs);
        const lost = new Set<number>();
        for (const variable of asked) {
          const rows = before.get(variable)!;
          for (const { timeMs } of rows) if (!stays(variable, timeMs)) lost.add(timeMs);
          expect(of("a", variable)).toEqual(rows.filter((row) => stays(variable, row.timeMs)));
          const covered = cache.coverage("a", variable, mode).final;
          expect(covered.some((r) => !stays(variable, r.startMs))).toBe(false);
          expect(of("b", variable)).toHaveLength(rows.length);
        }
        // A row counts once for each kind of its values.
        expect(removed).toBeGreaterThanOrEqual(lost.size);
        expect(shares).toEqual(shares.toSorted((a, b) => a - b));
        expect(inSteps ? shares.at(-1) : 1).toBe(1);
        expect(damageOf(cache.path)).toBeNull();
        cache.close();
      },
    ),
    { numRuns: tries(gateCases(20), 200) },
  );
});

test("a stopped deletion leaves consistent data, and can be completed later", async () => {
  const cache = openCache(`${folder()}/cache.db`);
  // Satellites without `prn` are rewritten, which is slow enough to be stopped halfway.
  const many = Array.from({ length: 10 }, (_, i) => `s${i}`);
  fill(cache, many, ["prn", "el"]);
  const stop = new AbortController();
  const forgetting = { stationIds: null, range: null, variables: ["prn"] as const };
  await cache.forgetInSteps(forgetting, (share) => void (share > 0.3 && stop.abort()), stop.signal);
  const left = many.map((id) => demandWhole(cache, id, "prn"));
  expect(left.some((n) => n > 0)).toBe(true);
  expect(left.some((n) => n === 0)).toBe(true);
  expect(damageOf(cache.path)).toBeNull();
  await cache.forgetInSteps(forgetting, () => {}, never);
  expect(many.map((id) => demandWhole(cache, id, "prn"))).toEqual(many.map(() => 0));
  expect(many.map((id) => demandWhole(cache, id, "el"))).toEqual(many.map(() => DAYS * 24));
  cache.close();
});

test("data written during a deletion has neither rows without coverage nor coverage without rows", async () => {
  const cache = openCache(`${folder()}/cache.db`);
  fill(cache, ["a"], ["ztd"], { startMs: 0, endMs: DAY_MS });
  fill(cache, ["a"], ["ztd"], { startMs: 20 * DAY_MS, endMs: DAYS * DAY_MS });
  let isWritten = false;
  const writeOnce = (): void => {
    if (!isWritten) fill(cache, ["a"], ["ztd"], { startMs: 5 * DAY_MS, endMs: 7 * DAY_MS });
    isWritten = true;
  };
  await cache.forgetInSteps({ stationIds: null, range: null, variables: null }, writeOnce, never);
  expect([0, 2 * 24]).toContain(demandWhole(cache, "a", "ztd"));
  cache.close();
});
