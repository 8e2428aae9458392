import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { type Cache, openCache } from "#main/store/index.ts";
import { checkFile } from "#main/store/maintenance/check.ts";
import { type Variable, VARIABLE_NAMES } from "#shared/service/variables.ts";
import { alignOutward, containsMoment } from "#shared/time/range.ts";
import { anyMode, anyRange, anyVariables, TEST_START_MS, TEST_STEP_MS } from "./arbitraries.ts";
import { damageOf } from "./damageOf.ts";
import { SOUND } from "../support/pace.ts";
import { temporaryFolders } from "./folder.ts";
import { fillRows, rowsAsModel, type writeRows } from "./model.ts";

const folder = temporaryFolders();
const ALL_TIME = { startMs: TEST_START_MS - 1e10, endMs: TEST_START_MS + 1e10 };
const STATIONS = ["a", "b"];
const SCOPE: Omit<Parameters<typeof writeRows>[1], "stationIds"> = {
  variables: ["ztd"],
  range: { startMs: TEST_START_MS, endMs: TEST_START_MS + 60 * TEST_STEP_MS },
  intervalSeconds: null,
  raw: false,
};

describe("deletion of variables", () => {
  test("keeps the rows of other variables, and leaves none of these", () => {
    fc.assert(
      fc.property(anyVariables, anyVariables, anyMode, fc.option(anyRange), (asked, gone, mode, range) => {
        const cache = openCache(`${folder()}/cache.db`);
        const scope = { stationIds: STATIONS, variables: asked, range: { ...ALL_TIME }, ...mode };
        fillRows(cache, { ...scope, range: { startMs: TEST_START_MS, endMs: TEST_START_MS + 60 * TEST_STEP_MS } }, 1);
        const rowsOf = (stationId: string, variable: Variable) =>
          rowsAsModel(stationId, cache.rows({ stationId, variables: [variable], range: ALL_TIME, ...mode }));
        const kept = new Map(asked.map((v) => [v, rowsOf("a", v)]));
        cache.forget(["a"], range, gone);
        const within = range ?? ALL_TIME;
        const whole = mode.intervalSeconds === null ? within : alignOutward(within, mode.intervalSeconds);
        const stays = (variable: Variable, timeMs: number): boolean =>
          !gone.includes(variable) || !containsMoment(whole, timeMs);
        for (const variable of asked) {
          expect(rowsOf("a", variable)).toEqual(kept.get(variable)?.filter((r) => stays(variable, r.timeMs)));
          const covered = cache.coverage("a", variable, mode).final;
          expect(covered.some((r) => !stays(variable, r.startMs))).toBe(false);
          expect(rowsOf("b", variable)).toHaveLength(kept.get(variable)?.length ?? 0);
        }
        expect(damageOf(cache.path)).toBeNull();
        cache.close();
      }),
      { numRuns: 25 },
    );
  });
});

describe("pins and last use", () => {
  const scope = {
    stationIds: ["a", "b"],
    variables: ["ztd"] as const,
    range: ALL_TIME,
    intervalSeconds: null,
    raw: false,
  };

  test("persist; a pin also without data", () => {
    const path = `${folder()}/cache.db`;
    vi.useFakeTimers({ now: 5_000, toFake: ["Date"] });
    try {
      const first = openCache(path);
      fillRows(first, { ...scope, stationIds: ["a"] }, 1);
      vi.setSystemTime(6_000);
      fillRows(first, { ...scope, stationIds: ["b"] }, 1);
      first.pin(["a"], true);
      vi.setSystemTime(9_000);
      first.rows({ ...scope, stationId: "b" });
      // Prefetched, which does not count as use.
      first.rows({ ...scope, stationId: "a" }, false);
      first.decimate({ ...scope, stationId: "a" }, 10, false);
      first.close();
    } finally {
      vi.useRealTimers();
    }
    const second = openCache(path);
    expect(second.sizes().map(({ stationId, usedAtMs, isPinned }) => [stationId, usedAtMs, isPinned])).toEqual([
      ["a", 5_000, true],
      ["b", 9_000, false],
    ]);
    second.forget(null, null);
    expect(second.sizes()).toMatchObject([{ stationId: "a", totalBytes: 0, asked: null, isPinned: true }]);
    second.pin(["a"], false);
    expect(second.sizes()).toEqual([]);
    second.close();
  });

  test("are not written by a read", () => {
    const cache = openCache(`${folder()}/cache.db`);
    fillRows(cache, scope, 1);
    const other = new Database(cache.path);
    const version = (): unknown => other.pragma("data_version", { simple: true });
    cache.sizes();
    const before = version();
    for (let i = 0; i < 10; i++) cache.rows({ ...scope, stationId: "a" });
    expect(version()).toBe(before);
    other.close();
    cache.close();
  });
});

describe("a copy of the cache", () => {
  const scope = { stationIds: STATIONS, variables: VARIABLE_NAMES, range: ALL_TIME, intervalSeconds: null, raw: false };

  test("is complete, and nothing is written while it is made", async () => {
    const place = folder();
    const cache = openCache(`${place}/cache.db`);
    fillRows(cache, scope, 1);
    cache.pin(["b"], true);
    cache.setSetting("limits", "x");
    const target = `${place}/elsewhere/moved.db`;
    const copied = cache.copyTo(target, () => {});
    expect(() => fillRows(cache, { ...scope, stationIds: ["late"] }, 2)).toThrow("being copied to its new place");
    const read = cache.rows({ ...scope, stationId: "a" });
    await copied;
    expect(readdirSync(dirname(target))).toEqual(["moved.db"]);
    const copy = openCache(target);
    for (const stationId of STATIONS)
      expect(copy.rows({ ...scope, stationId })).toEqual(cache.rows({ ...scope, stationId }));
    expect(copy.rows({ ...scope, stationId: "a" })).toEqual(read);
    expect(copy.statistics().rows).toBe(cache.statistics().rows);
    expect(copy.setting("limits")).toBe("x");
    expect(copy.sizes().map((s) => [s.stationId, s.isPinned])).toEqual([
      ["a", false],
      ["b", true],
    ]);
    copy.close();
    fillRows(cache, { ...scope, stationIds: ["late"] }, 2);
    cache.close();
  });

  test("replaces no existing file, and leaves no file of a failed attempt", async () => {
    const place = folder();
    const cache = openCache(`${place}/cache.db`);
    fillRows(cache, scope, 1);
    const target = `${place}/taken.db`;
    writeFileSync(target, "mine");
    await expect(cache.copyTo(target, () => {})).rejects.toThrow("There is a file of this name already");
    const other = openCache(cache.path);
    other.setSetting("a", "b");
    await expect(cache.copyTo(`${place}/free.db`, () => {})).rejects.toThrow("Another program");
    other.close();
    expect(existsSync(`${place}/free.db`) || existsSync(`${place}/free.db.unfinished`)).toBe(false);
    await cache.copyTo(`${place}/free.db`, () => {});
    expect(existsSync(`${place}/free.db`)).toBe(true);
    cache.close();
  });
});

test("a check does not take rows that others write meanwhile for damage", () => {
  const path = `${folder()}/cache.db`;
  const cache = openCache(path);
  const scope = { ...SCOPE, stationIds: ["a"] };
  fillRows(cache, scope, 1);
  let isWritten = false;
  const onProgress = (): void => {
    if (!isWritten) fillRows(cache, { ...scope, stationIds: ["b"] }, 2);
    isWritten = true;
  };
  expect(checkFile(path, { onProgress, throwIfStopped: () => {} })).toEqual(SOUND);
  expect(cache.sizes().map(({ stationId }) => stationId)).toEqual(["a", "b"]);
  cache.close();
});
