import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cache, openCache } from "#main/store/index.ts";
import { type Network, networkPageSchema, stationSchema } from "#shared/service/catalogue.ts";
import type { SeriesMode, SeriesSelection } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { anyValue, TEST_START_MS } from "./arbitraries.ts";
import { temporaryFolders } from "../support/folder.ts";
import { type ModelRow, rowsAsModel, writeRows } from "./model.ts";
import { tries } from "../support/endurance.ts";
import { settled } from "../support/judge.ts";

const folder = temporaryFolders();
const NATIVE: SeriesMode = { intervalSeconds: null, raw: false };

function ztdSelection(range: TimeRange, variables: readonly Variable[] = ["ztd"]): SeriesSelection {
  return { stationId: "a", variables, range, ...NATIVE };
}

/** A cache with ZTD of one station at the given times. */
function cacheWith(timesMs: Float64Array, values: Float64Array): Cache {
  const cache = openCache(`${folder()}/cache.db`);
  const range = { startMs: timesMs[0] ?? 0, endMs: (timesMs.at(-1) ?? 0) + 1 };
  const writer = cache.openResponse({ stationIds: ["a"], variables: ["ztd"], range, ...NATIVE });
  writer.add({ stationId: "a", timesMs, scalars: { ztd: values }, texts: {} });
  writer.commit(settled(range));
  return cache;
}

describe("decimated series", () => {
  /** Steps of 30 s with gaps of any length, some values missing. */
  const series = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 900 }), fc.constantFrom(1, 1, 1, 5, 3_000), anyValue, fc.nat(6)), {
      minLength: 1,
      maxLength: 40,
    })
    .map((parts) => {
      const times: number[] = [];
      const values: number[] = [];
      let time = TEST_START_MS;
      for (const [rows, gap, value, shape] of parts) {
        const base = Number.isFinite(value) && Math.abs(value) < 1e30 ? value : 0;
        for (let i = 0; i < rows; i++, time += 30_000) {
          times.push(time);
          values.push(shape === 0 || (shape === 1 && i % 10 !== 0) ? Number.NaN : base + Math.sin(i) * shape);
        }
        time += gap * 30_000;
      }
      return { times: Float64Array.from(times), values: Float64Array.from(values) };
    });

  test("include every extreme, count every value once, and are exact if they are not marked as approximate", () => {
    let approximations = 0;
    const part = fc.tuple(fc.double({ min: 0, max: 0.3, noNaN: true }), fc.double({ min: 0.6, max: 1.2, noNaN: true }));
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 30 }), part, ({ times, values }, columns, [from, to]) => {
        const cache = cacheWith(times, values);
        const span = times.at(-1)! - times[0]! + 1;
        const range = { startMs: times[0]! + Math.floor(from * span), endMs: times[0]! + Math.ceil(to * span) + 1 };
        const found = cache.decimate(ztdSelection(range), columns).ztd!;
        cache.close();
        if (found.approximate) approximations++;
        const truth = Array.from({ length: columns }, (): number[] => []);
        times.forEach((time, i) => {
          if (Number.isNaN(values[i]) || time < range.startMs || time >= range.endMs) return;
          const column = Math.floor((time - range.startMs) / ((range.endMs - range.startMs) / columns));
          truth[Math.min(columns - 1, column)]!.push(values[i]!);
        });
        expect(found.count.reduce((a, b) => a + b, 0)).toBe(truth.flat().length);
        truth.forEach((inside, c) => {
          const [low, high] = [Math.min(...inside), Math.max(...inside)];
          expect(Number.isNaN(found.mean[c])).toBe(found.count[c] === 0);
          if (inside.length === 0) return;
          expect(found.min[c]).toBeLessThanOrEqual(low);
          expect(found.max[c]).toBeGreaterThanOrEqual(high);
          if (found.approximate) return;
          expect([found.min[c], found.max[c], found.count[c]]).toEqual([low, high, inside.length]);
          const mean = inside.reduce((a, b) => a + b, 0) / inside.length;
          expect(Math.abs(found.mean[c]! - mean)).toBeLessThanOrEqual(
            1e-9 * Math.max(1, Math.abs(low), Math.abs(high)),
          );
        });
      }),
      { numRuns: tries(50, 500) },
    );
    expect(approximations).toBeGreaterThan(10);
  });

  test("show the extreme of a block in at most two columns", () => {
    const times = Float64Array.from({ length: 20_000 }, (_, i) => TEST_START_MS + i * 30_000);
    const values = times.map((_, i) => (i === 9_999 ? 100 : 1));
    const cache = cacheWith(times, values);
    const range = { startMs: TEST_START_MS, endMs: TEST_START_MS + 20_000 * 30_000 };
    const found = cache.decimate(ztdSelection(range), 100).ztd!;
    cache.close();
    expect(found.approximate).toBe(true);
    expect([...found.max].filter((v) => v === 100).length).toBeLessThanOrEqual(2);
    expect(found.max[49]).toBe(100);
    expect(found.mean[10]).toBe(1);
  });
});

function timeOf(step: number): number {
  return TEST_START_MS + step * 600_000;
}

describe("nearest row", () => {
  test("is the same as in a search through all rows", () => {
    const moments = fc.uniqueArray(fc.integer({ min: -300, max: 300 }), { maxLength: 30 });
    const query = fc.tuple(fc.integer({ min: -300, max: 300 }), fc.nat(300), fc.nat(300));
    fc.assert(
      fc.property(moments, moments, query, (ztdAt, elAt, [at, before, after]) => {
        const cache = openCache(`${folder()}/cache.db`);
        const range = { startMs: timeOf(-400), endMs: timeOf(400) };
        const rows = (variable: Variable, steps: readonly number[]): ModelRow[] =>
          steps.map((step) => ({
            stationId: "a",
            timeMs: timeOf(step),
            // Every seventh row has no value and must be skipped.
            values: { [variable]: step % 7 === 0 ? null : variable === "el" ? "1.5" : step },
          }));
        writeRows(cache, { stationIds: ["a"], variables: ["ztd"], range, ...NATIVE }, rows("ztd", ztdAt));
        writeRows(cache, { stationIds: ["a"], variables: ["el"], range, ...NATIVE }, rows("el", elAt));
        const window = { startMs: timeOf(at - before), endMs: timeOf(at + after) };
        const selection = { stationId: "a", variables: ["ztd", "el"] as const, ...NATIVE };
        const found = cache.nearest(selection, timeOf(at), window);
        cache.close();
        const expected = [...ztdAt, ...elAt]
          .filter((step) => step % 7 !== 0 && step >= at - before && step < at + after)
          .toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at) || a - b)[0];
        expect(found === null ? null : rowsAsModel("a", found).map((row) => row.timeMs)).toEqual(
          expected === undefined ? null : [timeOf(expected)],
        );
      }),
      { numRuns: tries(40, 400) },
    );
  });
});

describe("statistics", () => {
  test("count a row once, however many kinds of values it has", () => {
    const cache = openCache(`${folder()}/cache.db`);
    const write = (variable: Variable, mode: SeriesMode, day: number, days: number): void => {
      const stepMs = (mode.intervalSeconds ?? 1_800) * 1_000;
      const range = { startMs: TEST_START_MS + day * DAY_MS, endMs: TEST_START_MS + (day + days) * DAY_MS };
      const value = variable === "ztd" ? 1 : "G01";
      const rows = Array.from({ length: (days * DAY_MS) / stepMs }, (_, i) => ({
        stationId: "a",
        timeMs: range.startMs + i * stepMs,
        values: { [variable]: value },
      }));
      writeRows(cache, { stationIds: ["a"], variables: [variable], range, ...mode }, rows);
    };
    const hourly = { intervalSeconds: 3_600, raw: false };
    // 48 rows a day: two days of both kinds, one of each alone; 24 means a day.
    write("ztd", NATIVE, 0, 3);
    write("prn", NATIVE, 1, 3);
    expect(cache.statistics().rows).toBe(4 * 48);
    write("ztd", hourly, 0, 2);
    write("prn", hourly, 0, 2);
    expect(cache.statistics().rows).toBe(4 * 48 + 2 * 24);
    cache.close();
  });

  test("name the newest observation of any station, not the end of what was requested", () => {
    const cache = openCache(`${folder()}/cache.db`);
    const range = { startMs: TEST_START_MS, endMs: TEST_START_MS + 3 * DAY_MS };
    const write = (stationId: string, variable: Variable, timesMs: readonly number[]): void => {
      writeRows(
        cache,
        { stationIds: [stationId], variables: [variable], range, ...NATIVE },
        timesMs.map((timeMs) => ({ stationId, timeMs, values: { [variable]: variable === "ztd" ? 1 : "G01" } })),
      );
    };
    expect(cache.statistics().newestMs).toBeNull();
    write("a", "ztd", [range.startMs, range.startMs + 90_000_000]);
    write("b", "ztd", [range.startMs, range.startMs + 90_030_000]);
    write("c", "ztd", []);
    expect(cache.statistics().newestMs).toBe(range.startMs + 90_030_000);
    write("c", "prn", [range.startMs + 90_060_000]);
    expect(cache.statistics().newestMs).toBe(range.startMs + 90_060_000);
    cache.close();
  });
});

describe("catalogue and settings", () => {
  test("persist in their order", () => {
    const path = `${folder()}/cache.db`;
    const wire = { id: "z", display_name: '=A "b", <ü>\u202e', source_type: "new kind", network_id: "n" };
    const station = { ...stationSchema.parse(wire), ellipsoidalHeight: 30.25, orthometricHeight: null };
    const wireNetwork = { id: "n", code: "N1", name: "x".repeat(10_000), is_owner: true };
    const [network] = networkPageSchema.parse({ networks: [wireNetwork] }).items as [Network];
    const first = openCache(path);
    expect(first.catalogue()).toEqual({ stations: [], withdrawn: [], networks: [], fetchedAtMs: null });
    const stations = [station, { ...station, id: "a" }];
    const networks = [network, { ...network, id: "m", isOwner: false, isInternal: false }];
    first.replaceCatalogue([{ ...station, id: "gone" }], [], 1);
    first.replaceCatalogue(stations, networks, 2);
    first.setSetting("limits", "{}");
    first.setSetting("other", "x");
    first.setSetting("other", null);
    first.close();
    const second = openCache(path);
    // The removed station had no cached data.
    expect(second.catalogue()).toEqual({ stations, withdrawn: [], networks, fetchedAtMs: 2 });
    expect([second.setting("limits"), second.setting("other")]).toEqual(["{}", null]);
    second.close();
  });
});
