import * as fc from "fast-check";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readRejected } from "#main/app/reading/window.ts";
import { createPace } from "#main/app/pace.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { never } from "../support/desk.ts";
import { settled } from "../support/judge.ts";
import { gateCases } from "../support/endurance.ts";
import { stationOf } from "../support/station.ts";
import { scratchFolder } from "../support/folder.ts";

const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 300_000;
const RANGE = { startMs: START_MS, endMs: START_MS + 3 * DAY_MS };
const EPOCHS = (3 * DAY_MS) / STEP_MS;
const NATIVE = { intervalSeconds: null, raw: false, resampled: false };

const root = scratchFolder();
let files = 0;

type Row = readonly [epoch: number, ztd: number];

function timeOf(epoch: number): number {
  return START_MS + epoch * STEP_MS;
}

function put(cache: Cache, rows: readonly Row[], raw: boolean, range = RANGE): void {
  const writer = cache.openResponse({ stationIds: ["a"], variables: ["ztd"], intervalSeconds: null, raw, range });
  const timesMs = Float64Array.from(rows, ([epoch]) => timeOf(epoch));
  writer.add({ stationId: "a", timesMs, scalars: { ztd: Float64Array.from(rows, ([, ztd]) => ztd) }, texts: {} });
  writer.commit(settled(range));
}

function rejectedOf(cache: Cache, change: Partial<Parameters<typeof readRejected>[1]> = {}) {
  const query = { variables: ["ztd" as const], range: RANGE, mode: NATIVE, columns: 10, mostRows: 1e6, ...change };
  return readRejected(cache, query, "a", createPace(never));
}

/** Values of the service by epoch, and whether the filter keeps, changes or removes them. */
const world = fc.array(
  fc.tuple(
    fc.oneof({ weight: 9, arbitrary: fc.double({ min: 2_000, max: 2_600, noNaN: true }) }, fc.constant(Number.NaN)),
    fc.constantFrom("same", "same", "same", "other", "none"),
  ),
  { minLength: 1, maxLength: EPOCHS },
);

it("rejected data is the raw rows that the filtered series lacks, as rows or counted in columns", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (epochs) => {
      const cache = openCache(join(root, `${files++}.db`));
      const filtered = epochs.flatMap(([ztd, fate], i): Row[] =>
        fate === "none" ? [] : [[i, fate === "same" ? ztd : ztd + 1]],
      );
      const removed = epochs.flatMap(([ztd, fate], i): Row[] =>
        fate === "same" || Number.isNaN(ztd) ? [] : [[i, ztd]],
      );
      put(
        cache,
        epochs.map(([ztd], i) => [i, ztd]),
        true,
      );
      put(cache, filtered, false);
      const rows = await rejectedOf(cache);
      expect(rows).toEqual({
        kind: "rows",
        stationId: "a",
        range: RANGE,
        timesMs: Float64Array.from(removed, ([epoch]) => timeOf(epoch)),
        values: { ztd: Float64Array.from(removed, ([, ztd]) => ztd) },
        judged: { ztd: [RANGE] },
      });
      const columns = await rejectedOf(cache, { mostRows: 0 });
      const counts = columns.kind === "columns" ? columns.variables.ztd!.count : new Uint32Array(0);
      expect(counts.reduce((sum, n) => sum + n, 0)).toBe(removed.length);
      cache.close();
    }),
    { numRuns: gateCases(60) },
  );
});

it("rejected data is returned with the ranges in which the filtered series was requested", async () => {
  const cache = openCache(join(root, `${files++}.db`));
  const firstDay = { startMs: START_MS, endMs: START_MS + DAY_MS };
  put(cache, [[0, 2_400]], false, firstDay);
  const raw: Row[] = [
    [0, 2_400],
    [1, 2_401],
    [600, 2_402],
  ];
  put(cache, raw, true);
  expect(await rejectedOf(cache)).toMatchObject({
    timesMs: Float64Array.of(timeOf(1), timeOf(600)),
    judged: { ztd: [firstDay] },
  });
  cache.close();
});

it("rejected data of means is the raw means that differ from the filtered ones", async () => {
  const cache = openCache(join(root, `${files++}.db`));
  cache.replaceCatalogue([{ ...STATION }], [], 0);
  const hours = Array.from({ length: 48 }, (_, i): Row => [i, 2_400 + i]);
  put(cache, hours, true);
  // The filter removes half of the second hour, and all of the fourth.
  put(
    cache,
    hours.filter(([i]) => !(i >= 18 && i < 24) && !(i >= 36 && i < 48)),
    false,
  );
  const found = await rejectedOf(cache, { mode: { intervalSeconds: 3_600, raw: false, resampled: true } });
  expect(found).toMatchObject({
    timesMs: Float64Array.of(timeOf(12), timeOf(36)),
    values: { ztd: Float64Array.of(2_400 + 17.5, 2_400 + 41.5) },
  });
  cache.close();
});

const STATION = stationOf("a", {
  historicDataFromMs: START_MS,
  resolutionSeconds: 300,
  dataLastUpdatedMs: RANGE.endMs,
});
