import { expect, test } from "vitest";
import type { Variable } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import { damageOf } from "./damageOf.ts";
import { temporaryFolders } from "./folder.ts";
import { rowsAsModel, writeRows } from "./model.ts";

const folder = temporaryFolders();
const never = new AbortController().signal;
const DAYS = 30;
const STATIONS = ["a", "b", "c"];
const NATIVE = { intervalSeconds: null, raw: false } as const;
const WHOLE = { startMs: 0, endMs: DAYS * DAY_MS };

/** A row every hour. */
function fill(cache: Cache, stationIds: readonly string[], variables: readonly Variable[], range = WHOLE): void {
  const times = Array.from(
    { length: (range.endMs - range.startMs) / 3_600_000 },
    (_, i) => range.startMs + i * 3_600_000,
  );
  const values = Object.fromEntries(variables.map((v) => [v, v === "prn" || v === "el" ? "1" : 2.5]));
  const rows = stationIds.flatMap((stationId) => times.map((timeMs) => ({ stationId, timeMs, values })));
  writeRows(cache, { stationIds, variables, range, ...NATIVE }, rows);
}

function rowsOf(cache: Cache, stationId: string, variable: Variable) {
  return rowsAsModel(stationId, cache.rows({ stationId, variables: [variable], range: WHOLE, ...NATIVE }));
}

/** Checks that every covered hour has its row, and no other has one. */
function demandWhole(cache: Cache, stationId: string, variable: Variable): number {
  const { final } = cache.coverage(stationId, variable, NATIVE);
  const covered = final.flatMap((r) =>
    Array.from({ length: (r.endMs - r.startMs) / 3_600_000 }, (_, i) => r.startMs + i * 3_600_000),
  );
  expect(rowsOf(cache, stationId, variable).map((row) => row.timeMs)).toEqual(covered);
  return covered.length;
}

test("deletion in steps gives the same as at once, and reports progress", async () => {
  const cache = openCache(`${folder()}/cache.db`);
  fill(cache, STATIONS, ["ztd", "pwv"]);
  const kept = STATIONS.map((id) => rowsOf(cache, id, "ztd"));
  const shares: number[] = [];
  const forgetting = { stationIds: ["a", "b"], range: null, variables: ["pwv"] as const };
  const rows = await cache.forgetInSteps(forgetting, (share) => shares.push(share), never);
  expect(rows).toBe(2 * DAYS * 24);
  expect(shares.at(-1)).toBe(1);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(STATIONS.map((id) => demandWhole(cache, id, "pwv"))).toEqual([0, 0, DAYS * 24]);
  expect(STATIONS.map((id) => rowsOf(cache, id, "ztd"))).toEqual(kept);
  expect(damageOf(cache.path)).toBeNull();
  cache.close();
});

test("a stopped deletion leaves consistent data, and can be completed later", async () => {
  const cache = openCache(`${folder()}/cache.db`);
  // Satellites without `prn` are rewritten, which is slow enough to be stopped halfway.
  const many = Array.from({ length: 40 }, (_, i) => `s${i}`);
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
