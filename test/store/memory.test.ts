import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { type Cache, openCache } from "#main/store/index.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { TEST_START_MS } from "./arbitraries.ts";
import { temporaryFolders } from "../support/folder.ts";
import { settled } from "../support/judge.ts";

const folder = temporaryFolders();
const DAYS = 4;
const range = { startMs: TEST_START_MS, endMs: TEST_START_MS + DAYS * DAY_MS };
const selection = { stationId: "a", variables: ["ztd"] as const, range, intervalSeconds: null, raw: false };

/** Writes the value to all epochs of the given days. */
function write(cache: Cache, valueMm: number, fromDay: number, toDay: number): void {
  const part = { startMs: range.startMs + fromDay * DAY_MS, endMs: range.startMs + toDay * DAY_MS };
  const timesMs = Float64Array.from({ length: (toDay - fromDay) * 2_880 }, (_, i) => part.startMs + i * 30_000);
  const writer = cache.openResponse({ ...selection, stationIds: ["a"], range: part });
  writer.add({ stationId: "a", timesMs, scalars: { ztd: timesMs.map(() => valueMm) }, texts: {} });
  writer.commit(settled(part));
}

/** Returns the mean of each day from the pyramid, and the number of values. */
function seen(cache: Cache): unknown {
  const { mean, approximate } = cache.decimate(selection, DAYS).ztd!;
  expect(approximate || mean.every(Number.isNaN)).toBe(true);
  return [...mean, cache.valueTimes(selection).total];
}

describe("decoded data in memory", () => {
  it("is never older than the file, also after writes by others", () => {
    const path = `${folder()}/cache.db`;
    const cache = openCache(path);
    let other = openCache(path);
    expect(seen(cache)).toEqual([NaN, NaN, NaN, NaN, 0]);
    write(cache, 1, 0, 3);
    expect(seen(cache)).toEqual([1, 1, 1, NaN, 3 * 2_880]);
    write(cache, 2, 1, 2);
    expect(seen(cache)).toEqual([1, 2, 1, NaN, 3 * 2_880]);
    write(other, 3, 2, 4);
    expect(seen(cache)).toEqual([1, 2, 3, 3, 4 * 2_880]);
    // Data are only deleted under an exclusive lock, so another process cannot delete in between.
    other.close();
    cache.forget(["a"], { startMs: range.startMs, endMs: range.startMs + DAY_MS });
    expect(seen(cache)).toEqual([NaN, 2, 3, 3, 3 * 2_880]);
    cache.forget(null, null);
    expect(seen(cache)).toEqual([NaN, NaN, NaN, NaN, 0]);
    other = openCache(path);
    expect(seen(other)).toEqual([NaN, NaN, NaN, NaN, 0]);
    write(cache, 5, 0, 4);
    expect(seen(other)).toEqual([5, 5, 5, 5, 4 * 2_880]);
    cache.close();
    other.close();
  });

  it("is read unchanged from many parts, also by several readers at once", () => {
    const cache = openCache(`${folder()}/cache.db`);
    const days = 40;
    const dayOf = (ms: number): number => Math.floor((ms - range.startMs) / DAY_MS);
    // A day without rows is between parts that are read together.
    for (let day = 0; day < days; day++) if (day !== 17) write(cache, day, day, day + 1);
    const from = range.startMs + DAY_MS / 2;
    const some = { ...selection, range: { startMs: from, endMs: from + (days - 1) * DAY_MS } };
    const times = Float64Array.from({ length: (days - 1) * 2_880 }, (_, i) => from + i * 30_000).filter(
      (ms) => dayOf(ms) !== 17,
    );
    // Compared by Node, because vitest would take minutes to print the difference of so many numbers.
    const demandDays = (timesMs: Float64Array, values: unknown): void =>
      expect(isDeepStrictEqual(values, timesMs.map(dayOf))).toBe(true);
    const { timesMs, columns } = cache.rows(some);
    expect(isDeepStrictEqual(timesMs, times)).toBe(true);
    demandDays(timesMs, columns.ztd?.values);
    const [one, other] = [cache.reusedBlocks(some), cache.reusedBlocks(some)];
    let rows = 0;
    for (const block of one) {
      other.next();
      demandDays(block.timesMs, block.columns.ztd?.values);
      rows += block.timesMs.length;
    }
    expect(rows).toBe(times.length);
    other.return?.();
    cache.close();
  });
});
