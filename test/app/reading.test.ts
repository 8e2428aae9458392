import * as fc from "fast-check";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import type { SeriesGaps, SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import { readAllGaps } from "#main/app/reading/gaps.ts";
import { createPace } from "#main/app/pace.ts";
import { readPage } from "#main/app/reading/page.ts";
import { readStatistics } from "#main/app/reading/statistics.ts";
import { readWindow } from "#main/app/reading/window.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import { rangeSet, totalMs, union } from "#shared/time/rangeset.ts";
import { never } from "../support/desk.ts";
import { settled } from "../support/judge.ts";
import { gateCases } from "../support/endurance.ts";
import { stationOf } from "../support/station.ts";
import { scratchFolder } from "../support/folder.ts";

const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 30_000;
const NATIVE: ReadMode = { intervalSeconds: null, raw: false, resampled: false };

const root = scratchFolder();
let files = 0;

const CATALOGUE_STATION = stationOf("a", { historicDataFromMs: START_MS, dataLastUpdatedMs: START_MS + STEP_MS });

interface CachedRows {
  readonly timesMs: Float64Array;
  readonly ztd: Float64Array;
}

function cacheWith({ timesMs, ztd }: CachedRows, range: { startMs: number; endMs: number }): Cache {
  const cache = openCache(join(root, `${files++}.db`));
  const mode = { intervalSeconds: null, raw: false };
  const writer = cache.openResponse({ stationIds: ["a"], variables: ["ztd"], range, ...mode });
  writer.add({ stationId: "a", timesMs, scalars: { ztd }, texts: {} });
  writer.commit(settled(range));
  return cache;
}

/** Runs of epochs with gaps between them, some without a value. */
const cachedRows: fc.Arbitrary<CachedRows> = fc
  .array(
    fc.tuple(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 1, max: 9 })),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((parts) => {
    const times: number[] = [];
    const values: number[] = [];
    let epoch = 0;
    for (const [rows, gap, rhythm] of parts) {
      for (let i = 0; i < rows; i++, epoch++) {
        times.push(START_MS + epoch * STEP_MS);
        values.push(i % rhythm === 3 ? Number.NaN : 2_400 + Math.round(100 * Math.sin(epoch / 50)) / 10);
      }
      epoch += gap;
    }
    return { timesMs: Float64Array.from(times), ztd: Float64Array.from(values) };
  });

function rangeOf({ timesMs }: CachedRows): { startMs: number; endMs: number } {
  return { startMs: START_MS, endMs: timesMs.at(-1)! + STEP_MS };
}

function rowsOf(window: SeriesWindow): Extract<SeriesWindow, { kind: "rows" }> {
  if (window.kind !== "rows") throw new Error("rows were expected");
  return window;
}

describe("a window of a series", () => {
  it("returns all rows, or columns that agree with them", async () => {
    let approximations = 0;
    await fc.assert(
      fc.asyncProperty(cachedRows, fc.integer({ min: 1, max: 60 }), async (all, columns) => {
        const range = rangeOf(all);
        const cache = cacheWith(all, range);
        const query = { variables: ["ztd" as const], range, mode: NATIVE, columns };
        const n = all.timesMs.length;
        const rows = rowsOf(await readWindow(cache, { ...query, mostRows: n }, "a", createPace(never)));
        expect([rows.timesMs, rows.values.ztd]).toEqual([all.timesMs, all.ztd]);

        const found = await readWindow(cache, { ...query, mostRows: n - 1 }, "a", createPace(never));
        if (found.kind !== "columns") throw new Error("columns were expected");
        const { count, min, max } = found.variables.ztd!;
        const isExact = n < 128 * columns;
        if (!isExact) approximations++;
        const widthMs = (range.endMs - range.startMs) / columns;
        for (let c = 0; c < columns; c++) {
          const [fromMs, toMs] = [range.startMs + c * widthMs, range.startMs + (c + 1) * widthMs];
          const own = valuesBetween(all, fromMs, toMs);
          // A block of 64 rows across two columns contributes its extremes to both.
          const near = isExact ? own : valuesBetween(all, fromMs - widthMs, toMs + widthMs);
          expect(isBetween([min[c]!, max[c]!], own, near)).toBe(true);
          expect(isExact ? count[c] : own.length).toBe(own.length);
        }
        const seen = count.reduce((sum, n) => sum + n, 0);
        expect(seen).toBe(all.ztd.filter((v) => !Number.isNaN(v)).length);
        cache.close();
      }),
      { numRuns: 40 },
    );
    expect(approximations).toBeGreaterThan(0);
  });

  it("assigns a row at the border of two columns to the later one, also for fractional widths", async () => {
    const all = { timesMs: Float64Array.of(START_MS, START_MS + 4_423 * STEP_MS), ztd: Float64Array.of(1, 2) };
    const cache = cacheWith(all, rangeOf(all));
    const range = { startMs: START_MS, endMs: START_MS + 2 * 4_423 * STEP_MS };
    const query = { variables: ["ztd" as const], range, mode: NATIVE, columns: 56, mostRows: 1 };
    const found = await readWindow(cache, query, "a", createPace(never));
    if (found.kind !== "columns") throw new Error("columns were expected");
    const filled = Array.from(found.variables.ztd!.count).flatMap((n, column) => (n > 0 ? [column] : []));
    expect(filled).toEqual([0, 28]);
    cache.close();
  });

  it("returns arrays with their own buffers, so that they can be transferred", async () => {
    const all = { timesMs: Float64Array.of(START_MS, START_MS + STEP_MS), ztd: Float64Array.of(1, 2) };
    const cache = cacheWith(all, rangeOf(all));
    cache.replaceCatalogue([CATALOGUE_STATION], [], START_MS);
    const mode = { intervalSeconds: null, raw: false };
    const writer = cache.openResponse({ stationIds: ["a"], variables: ["pwv"], range: rangeOf(all), ...mode });
    writer.add({ stationId: "a", timesMs: all.timesMs, scalars: { pwv: Float64Array.of(3, 4) }, texts: {} });
    writer.commit(settled(rangeOf(all)));
    const late = { startMs: START_MS + STEP_MS, endMs: START_MS + 2 * STEP_MS };
    const averaged = { ...NATIVE, intervalSeconds: 60, resampled: true };
    for (const [mode, range] of [
      [NATIVE, late],
      [averaged, rangeOf(all)],
    ] as const) {
      const query = { variables: ["ztd" as const, "pwv" as const], range, mode, columns: 1, mostRows: 9 };
      const { timesMs, values } = rowsOf(await readWindow(cache, query, "a", createPace(never)));
      expect(timesMs).toHaveLength(1);
      for (const array of [timesMs, values.ztd!, values.pwv!]) {
        expect(array.buffer.byteLength).toBe(array.byteLength);
        expect(array).toHaveLength(timesMs.length);
      }
    }
    cache.close();
  });
});

describe("gaps and values", () => {
  it("cover the range without overlaps", async () => {
    await fc.assert(
      fc.asyncProperty(cachedRows, fc.nat(3), fc.nat(3), async (all, before, after) => {
        const asked = rangeOf(all);
        const range = { startMs: asked.startMs - before * 3_600_000, endMs: asked.endMs + after * 3_600_000 };
        const cache = cacheWith(all, asked);
        const gapsOf = async (minimumMs: number): Promise<SeriesGaps> => {
          const query = { stationIds: ["a"], variables: ["ztd" as const], range, mode: NATIVE, minimumMs };
          const users = { jobs: () => [], verdicts: () => null };
          const sources = { cache, users, connectionId: "c", nowMs: range.endMs };
          const [gaps] = await readAllGaps(sources, query, createPace(never));
          return gaps!;
        };
        const found = await gapsOf(0);
        const gaps = rangeSet(found.gaps.map((gap) => gap.range));
        const withValue = all.timesMs.filter((_, i) => !Number.isNaN(all.ztd[i]!));
        const epochs = rangeSet(Array.from(withValue, (startMs) => ({ startMs, endMs: startMs + STEP_MS })));
        expect(union(gaps, epochs)).toEqual([range]);
        expect(totalMs(gaps) + totalMs(epochs)).toBe(range.endMs - range.startMs);
        const seconds = Object.values(found.secondsByCause).reduce((sum, s) => sum + s, 0);
        expect(seconds).toBe(totalMs(gaps) / 1_000);
        const long = await gapsOf(600_000);
        expect(long.secondsByCause).toEqual(found.secondsByCause);
        expect(long.gaps.every((g) => g.range.endMs - g.range.startMs >= 600_000)).toBe(true);
        cache.close();
      }),
      { numRuns: gateCases(40) },
    );
  });
});

describe("pages and statistics", () => {
  it("cover exactly the cached rows", async () => {
    await fc.assert(
      fc.asyncProperty(cachedRows, fc.nat(4_000), fc.integer({ min: 1, max: 5_000 }), async (all, offset, limit) => {
        const range = rangeOf(all);
        const cache = cacheWith(all, range);
        const selection = { stationId: "a", variables: ["ztd" as const], range, mode: NATIVE };
        const page = await readPage(cache, { ...selection, offset, limit }, createPace(never));
        expect(page).toEqual({
          total: all.timesMs.length,
          offset,
          timesMs: all.timesMs.slice(offset, offset + limit),
          columns: { ztd: all.ztd.slice(offset, offset + limit) },
        });
        const [found] = await readStatistics(cache, { ...selection, nowMs: range.endMs }, createPace(never));
        const values = all.ztd.filter((v) => !Number.isNaN(v));
        expect([found!.statistics.min, found!.statistics.max]).toEqual(extremes([...values]));
        expect(found!.statistics.n).toBe(values.length);
        cache.close();
      }),
      { numRuns: gateCases(40) },
    );
  });
});

it("reading stops when it is aborted", async () => {
  const control = new AbortController();
  control.abort(new Error("enough"));
  await expect(createPace(control.signal).yieldIfDue()).rejects.toThrow("enough");
});

function valuesBetween({ timesMs, ztd }: CachedRows, fromMs: number, toMs: number): number[] {
  return [...ztd].filter((v, i) => timesMs[i]! >= fromMs && timesMs[i]! < toMs && !Number.isNaN(v));
}

/** Whether extremes include those of the column's own values, and do not exceed those nearby (single precision). */
function isBetween([min, max]: readonly [number, number], own: readonly number[], near: readonly number[]): boolean {
  if (own.length === 0) return near !== own || (Number.isNaN(min) && Number.isNaN(max));
  const slack = near === own ? 0 : 0.001;
  const isLow = min <= Math.min(...own) && min >= Math.min(...near) - slack;
  return isLow && max >= Math.max(...own) && max <= Math.max(...near) + slack;
}

function extremes(values: readonly number[]): number[] {
  return values.length === 0 ? [Number.NaN, Number.NaN] : [Math.min(...values), Math.max(...values)];
}
