import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { openCache } from "#main/store/index.ts";
import { checkFile } from "#main/store/maintenance/check.ts";
import type { Cache } from "#main/store/types.ts";
import { type Variable, VARIABLE_NAMES, variableKind } from "#shared/service/variables.ts";
import { alignOutward, containsMoment } from "#shared/time/range.ts";
import { anyMode, anyRange, anyVariables, TEST_START_MS, TEST_STEP_MS } from "./arbitraries.ts";
import { damageOf } from "./damageOf.ts";
import { SOUND } from "../support/pace.ts";
import { temporaryFolders } from "./folder.ts";
import { rowsAsModel, writeRows } from "./model.ts";

const folder = temporaryFolders();
const ALL_TIME = { startMs: TEST_START_MS - 1e10, endMs: TEST_START_MS + 1e10 };
const STATIONS = ["a", "b"];
const SCOPE: Omit<Parameters<typeof writeRows>[1], "stationIds"> = {
  variables: ["ztd"],
  range: { startMs: TEST_START_MS, endMs: TEST_START_MS + 60 * TEST_STEP_MS },
  intervalSeconds: null,
  raw: false,
};

function fill(cache: Cache, scope: Parameters<typeof writeRows>[1], value: number): void {
  const { startMs, endMs } = scope.range;
  const times: number[] = [];
  const first = Math.ceil(startMs / TEST_STEP_MS) * TEST_STEP_MS;
  for (let t = first; t < endMs && times.length < 60; t += TEST_STEP_MS) times.push(t);
  const rows = scope.stationIds.flatMap((stationId) =>
    times.map((timeMs) => ({
      stationId,
      timeMs,
      values: Object.fromEntries(
        scope.variables.map((v) => [v, variableKind(v) === "scalar" ? value + (timeMs % 7) : `${value}.5,1`]),
      ),
    })),
  );
  writeRows(cache, scope, rows);
}

describe("deletion of variables", () => {
  test("keeps the rows of other variables, and leaves none of these", () => {
    fc.assert(
      fc.property(anyVariables, anyVariables, anyMode, fc.option(anyRange), (asked, gone, mode, range) => {
        const cache = openCache(`${folder()}/cache.db`);
        const scope = { stationIds: STATIONS, variables: asked, range: { ...ALL_TIME }, ...mode };
        fill(cache, { ...scope, range: { startMs: TEST_START_MS, endMs: TEST_START_MS + 60 * TEST_STEP_MS } }, 1);
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
      fill(first, { ...scope, stationIds: ["a"] }, 1);
      vi.setSystemTime(6_000);
      fill(first, { ...scope, stationIds: ["b"] }, 1);
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
    fill(cache, scope, 1);
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

  test("is complete, including data written meanwhile", async () => {
    const place = folder();
    const cache = openCache(`${place}/cache.db`);
    fill(cache, scope, 1);
    cache.pin(["b"], true);
    cache.setSetting("limits", "x");
    const target = `${place}/elsewhere/moved.db`;
    let isWritten = false;
    await cache.copyTo(target, () => {
      if (!isWritten) fill(cache, { ...scope, stationIds: ["late"] }, 2);
      isWritten = true;
    });
    expect(readdirSync(dirname(target))).toEqual(["moved.db"]);
    const copy = openCache(target);
    for (const stationId of [...STATIONS, "late"])
      expect(copy.rows({ ...scope, stationId })).toEqual(cache.rows({ ...scope, stationId }));
    expect(copy.statistics().rows).toBe(cache.statistics().rows);
    expect(copy.rows({ ...scope, stationId: "late" }).timesMs).toHaveLength(60);
    expect(copy.setting("limits")).toBe("x");
    expect(
      copy
        .sizes()
        .filter((s) => s.isPinned)
        .map((s) => s.stationId),
    ).toEqual(["b"]);
    copy.close();
    cache.close();
  });

  test("fails if the file is written to all the time, and leaves no file", async () => {
    const place = folder();
    const cache = openCache(`${place}/cache.db`);
    fill(cache, scope, 1);
    const over = new AbortController();
    const writing = async (): Promise<void> => {
      for (let n = 0; !over.signal.aborted; n++) {
        cache.setSetting("n", String(n));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const busy = writing();
    await expect(cache.copyTo(`${place}/never.db`, () => {})).rejects.toThrow("written to all the while");
    over.abort();
    await busy;
    expect(existsSync(`${place}/never.db`) || existsSync(`${place}/never.db.unfinished`)).toBe(false);
    cache.close();
  });

  test("replaces no existing file, and leaves no file of a failed attempt", async () => {
    const place = folder();
    const cache = openCache(`${place}/cache.db`);
    fill(cache, scope, 1);
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
  fill(cache, scope, 1);
  let isWritten = false;
  const onProgress = (): void => {
    if (!isWritten) fill(cache, { ...scope, stationIds: ["b"] }, 2);
    isWritten = true;
  };
  expect(checkFile(path, { onProgress, throwIfStopped: () => {} })).toEqual(SOUND);
  expect(cache.sizes().map(({ stationId }) => stationId)).toEqual(["a", "b"]);
  cache.close();
});
