import * as fc from "fast-check";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MAX_ORDERED_ROWS, type RowFilter, type RowSort } from "#shared/bridge/methods/series.ts";
import { readJoined, readJoinedAt, withGapEpochs } from "#main/app/reading/joined.ts";
import { createPace } from "#main/app/pace.ts";
import { readRowOrder } from "#main/app/reading/page.ts";
import { sortedIndices } from "#main/analysis/sorting.ts";
import { type Cache, type CacheReader, openCache } from "#main/store/index.ts";
import { momentsOf, runsOf } from "#shared/time/runs.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { never } from "../support/desk.ts";
import { settled } from "../support/judge.ts";
import { gateCases } from "../support/endurance.ts";
import { scratchFolder } from "../support/folder.ts";
import { valueOf } from "../support/valueOf.ts";

const START_MS = Date.UTC(2026, 0, 1);
const RANGE = { startMs: START_MS, endMs: START_MS + 40 * DAY_MS };
const STATIONS = ["a", "b"] as const;
const VARIABLES = ["ztd" as const, "prn" as const];
const query = {
  stationIds: STATIONS,
  variables: VARIABLES,
  range: RANGE,
  mode: { intervalSeconds: null, raw: false, resampled: false },
};

const root = scratchFolder();
let files = 0;

interface Row {
  readonly ztd: number;
  readonly prn: string | null;
}
/** Rows of a station by epoch. */
type Rows = ReadonlyMap<number, Row>;

const rowsOf: fc.Arbitrary<Rows> = fc
  .record({
    stepMs: fc.constantFrom(30_000, 60_000, 45_000, 3_600_000),
    fromMs: fc.constantFrom(0, 90_000, 33 * DAY_MS),
    cells: fc.array(
      fc.record({
        gone: fc.boolean(),
        ztd: fc.option(fc.integer({ min: 2_390, max: 2_400 }), { nil: Number.NaN }),
        prn: fc.constantFrom("G01", null),
      }),
      { minLength: 20, maxLength: 60 },
    ),
  })
  .map(({ stepMs, fromMs, cells }) => {
    const startMs = START_MS + Math.floor(fromMs / stepMs) * stepMs;
    const entries = cells.map(({ gone, ...row }, i) => [startMs + i * stepMs, row, gone] as const);
    return new Map(entries.filter(([, , gone]) => !gone).map(([timeMs, row]) => [timeMs, row]));
  });

function cacheOf(all: readonly Rows[]): Cache {
  const cache = openCache(join(root, `${files++}.db`));
  const scope = { stationIds: STATIONS, variables: VARIABLES, range: RANGE, intervalSeconds: null, raw: false };
  const writer = cache.openResponse(scope);
  all.forEach((rows, i) => {
    const values = [...rows.values()];
    writer.add({
      stationId: STATIONS[i]!,
      timesMs: Float64Array.from(rows.keys()),
      scalars: { ztd: Float64Array.from(values, ({ ztd }) => ztd) },
      texts: { prn: values.map(({ prn }) => prn) },
    });
  });
  writer.commit(settled(RANGE));
  return cache;
}

function epochsOf(all: readonly Rows[]): number[] {
  return [...new Set(all.flatMap((rows) => [...rows.keys()]))].toSorted((a, b) => a - b);
}

function columnsAt(all: readonly Rows[], epochs: readonly number[]) {
  return all.map((rows) => ({
    ztd: Float64Array.from(epochs, (timeMs) => rows.get(timeMs)?.ztd ?? Number.NaN),
    prn: epochs.map((timeMs) => rows.get(timeMs)?.prn ?? null),
  }));
}

const worlds = fc.tuple(rowsOf, rowsOf);
const names = fc.constantFrom(
  ...STATIONS.flatMap((stationId) => VARIABLES.map((variable) => ({ stationId, variable }))),
);
const filters: fc.Arbitrary<RowFilter> = fc.record({
  of: fc.option(names),
  atLeast: fc.option(fc.integer({ min: 2_388, max: 2_400 })),
  atMost: fc.option(fc.integer({ min: 2_390, max: 2_402 })),
});
const sorts: fc.Arbitrary<RowSort> = fc.record({ by: fc.option(names), isDescending: fc.boolean() });

const orders = fc.array(fc.record({ filter: fc.option(filters), sort: sorts }), { minLength: 8, maxLength: 8 });

it("joins rows of stations by epoch, in pages", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, fc.integer({ min: 9, max: 80 }), async (all, limit) => {
      const cache = cacheOf(all);
      const epochs = epochsOf(all);
      const read: number[] = [];
      for (let offset = 0; offset === 0 || offset < read.length + 1; offset += limit) {
        const found = valueOf(await readJoined(cache, { ...query, offset, limit }, createPace(never)));
        const { timesMs, gapEndsMs, stations, rows, total } = found;
        expect([rows, found.offset, timesMs.length]).toEqual([
          epochs.length,
          offset,
          Math.max(0, Math.min(limit, total - offset)),
        ]);
        expect(stations).toEqual(columnsAt(all, [...timesMs]));
        // A row that is none stands for all epochs up to the next row.
        timesMs.forEach((timeMs, i) => {
          const isRow = epochs.includes(timeMs);
          expect(gapEndsMs[i]).toBe(isRow ? Number.NaN : epochs.find((epoch) => epoch > timeMs));
        });
        read.push(...timesMs);
      }
      expect(read.filter((timeMs) => epochs.includes(timeMs))).toEqual(epochs);
      // Without jumps: the distance of two lines is a step, or the second begins a slower cadence.
      expect(read.toSorted((a, b) => a - b)).toEqual(read);
      const backwards = epochs.toReversed();
      const at = await readJoinedAt(cache, query, backwards, createPace(never));
      expect([at.timesMs, at.stations]).toEqual([Float64Array.from(backwards), columnsAt(all, backwards)]);
      cache.close();
    }),
    { numRuns: gateCases(6) },
  );
});

/** Epochs in the requested order, by a simple implementation. */
function orderOf(all: readonly Rows[], sort: RowSort, filter: RowFilter | null): number[] {
  const epochs = epochsOf(all);
  const valueOf = (timeMs: number, i: number, variable: "ztd" | "prn"): number | string | null =>
    all[i]!.get(timeMs)?.[variable] ?? null;
  const isIn = (value: number | string | null): boolean => {
    if (typeof value !== "number") return value !== null;
    return !(value < (filter?.atLeast ?? -Infinity)) && !(value > (filter?.atMost ?? Infinity)) && value === value;
  };
  const passing = epochs.filter((timeMs) => {
    if (!filter) return true;
    if (filter.of)
      return isIn(valueOf(timeMs, STATIONS.indexOf(filter.of.stationId as "a"), filter.of.variable as "ztd"));
    return [0, 1].every((i) => VARIABLES.every((v) => isIn(valueOf(timeMs, i, v))));
  });
  const { by, isDescending } = sort;
  const key = (timeMs: number): number => {
    const value = valueOf(timeMs, STATIONS.indexOf(by!.stationId as "a"), by!.variable as "ztd");
    return typeof value === "number" ? value : Number.NaN;
  };
  const valued = by ? passing.filter((t) => !Number.isNaN(key(t))) : [];
  return by
    ? [
        ...valued.toSorted((s, t) => (isDescending ? key(t) - key(s) : key(s) - key(t))),
        ...passing.filter((t) => Number.isNaN(key(t))),
      ]
    : isDescending
      ? passing.toReversed()
      : passing;
}

it("sorts and filters like a simple implementation, with missing values last", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, orders, async (all, queries) => {
      const cache = cacheOf(all);
      for (const { sort, filter } of queries) {
        const found = await readRowOrder(cache, { ...query, sort, filter }, createPace(never));
        expect(found).toEqual({ ok: true, value: Float64Array.from(orderOf(all, sort, filter)) });
      }
      cache.close();
    }),
    { numRuns: gateCases(6) },
  );
});

it("sorts more values than fit in one piece, and yields to other work", async () => {
  const values = Float64Array.from({ length: 45_001 }, (_, i) => (i % 97 === 0 ? Number.NaN : (i * 7_919) % 1_000));
  let turns = 0;
  const yieldIfDue = async (): Promise<void> => void turns++;
  for (const isDescending of [false, true]) {
    const places = await sortedIndices(values, isDescending, yieldIfDue);
    const all = Array.from(values, (_, i) => i);
    const valued = all.filter((i) => !Number.isNaN(values[i]!));
    const wanted = valued.toSorted((a, b) => (isDescending ? values[b]! - values[a]! : values[a]! - values[b]!));
    const expected = [...wanted, ...all.filter((i) => Number.isNaN(values[i]!))];
    expect(places).toHaveLength(expected.length);
    expect(places.findIndex((place, at) => place !== expected[at])).toBe(-1);
  }
  expect(turns).toBeGreaterThan(6);
});

it("refuses to sort too many rows before it reads their values", async () => {
  const runs = {
    list: [{ startMs: START_MS, stepMs: 1_000, count: MAX_ORDERED_ROWS + 1 }],
    total: MAX_ORDERED_ROWS + 1,
  };
  // Every other method is missing, so that a call throws.
  const cache = { times: () => [runs].values() } as Partial<CacheReader> as CacheReader;
  const sort = { by: { stationId: "a", variable: "ztd" as const }, isDescending: true };
  const one = { ...query, stationIds: ["a"], sort, filter: null };
  const found = await readRowOrder(cache, one, createPace(never));
  expect(found).toMatchObject({ ok: false, error: { message: expect.stringContaining("There are 2,000,001.") } });
});

it("has one line for each gap between rows, and none at the ends or for a slower cadence", () => {
  const every = (stepMs: number, from: number, n: number): number[] =>
    Array.from({ length: n }, (_, i) => START_MS + from + i * stepMs);
  // Every 30 s, two lonely rows, then every minute.
  const rows = [...every(30_000, 0, 10), START_MS + 600_000, START_MS + 930_000, ...every(60_000, 1_200_000, 5)];
  const { epochs, gaps } = withGapEpochs(runsOf(Float64Array.from(rows)));
  const starts = [300_000, 630_000, 960_000];
  expect(gaps.map(({ startMs }) => startMs - START_MS)).toEqual(starts);
  expect(gaps.map(({ endMs }) => endMs - START_MS)).toEqual([600_000, 930_000, 1_200_000]);
  expect([...momentsOf(epochs)]).toEqual([...rows, ...starts.map((ms) => START_MS + ms)].toSorted((a, b) => a - b));
});
