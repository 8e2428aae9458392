import * as fc from "fast-check";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JobRecord } from "#main/store/user/types.ts";
import { createPace } from "#main/app/pace.ts";
import { knownFailures } from "#main/app/reading/failures.ts";
import { readMissing, readSnapshots } from "#main/app/reading/snapshot.ts";
import type { GapCause } from "#shared/series/gap.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import type { Variable } from "#shared/service/variables.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { never } from "../support/desk.ts";
import { settled } from "../support/judge.ts";
import { stationOf } from "../support/station.ts";
import { scratchFolder } from "../support/folder.ts";

const START_MS = Date.UTC(2026, 0, 1);
const RANGE = { startMs: START_MS, endMs: START_MS + 2 * DAY_MS };
const STORED = { intervalSeconds: null, raw: false };
const NATIVE: ReadMode = { ...STORED, resampled: false };
const VARIABLES: readonly Variable[] = ["ztd", "pwv"];
const NO_FAILURES = { failed: () => [], reason: () => null, isForbidden: () => false };

const root = scratchFolder();
let files = 0;

interface Row {
  readonly timeMs: number;
  readonly ztd: number;
  readonly pwv: number;
}

/** Rows near the border of two buckets at irregular times, some without a value. */
const rows: fc.Arbitrary<readonly Row[]> = fc
  .uniqueArray(fc.integer({ min: 0, max: 4 * HOUR_MS }), { maxLength: 40 })
  .chain((offsets) =>
    fc
      .array(fc.tuple(fc.constantFrom(Number.NaN, 2_400, -0), fc.constantFrom(Number.NaN, 12.5)), {
        minLength: offsets.length,
        maxLength: offsets.length,
      })
      .map((values) =>
        offsets
          .toSorted((a, b) => a - b)
          .map((offsetMs, i) => ({
            timeMs: START_MS + DAY_MS - 2 * HOUR_MS + offsetMs,
            ztd: values[i]![0],
            pwv: values[i]![1],
          })),
      ),
  );

function cacheOf(stations: ReadonlyMap<string, readonly Row[]>): Cache {
  const cache = openCache(join(root, `${files++}.db`));
  const writer = cache.openResponse({
    stationIds: [...stations.keys()],
    variables: VARIABLES,
    range: RANGE,
    ...STORED,
  });
  for (const [stationId, own] of stations) {
    const column = (name: "timeMs" | "ztd" | "pwv"): Float64Array => Float64Array.from(own, (row) => row[name]);
    writer.add({
      stationId,
      timesMs: column("timeMs"),
      scalars: { ztd: column("ztd"), pwv: column("pwv") },
      texts: {},
    });
  }
  writer.commit(settled(RANGE));
  return cache;
}

describe("a snapshot", () => {
  it("equals the nearest row of the cache for each station, variable and moment", async () => {
    let seen = 0;
    const moments = fc.array(fc.integer({ min: -HOUR_MS, max: 5 * HOUR_MS }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(rows, { minLength: 1, maxLength: 4 }),
        moments,
        fc.integer({ min: 0, max: HOUR_MS }),
        async (all, offsets, withinMs) => {
          const cache = cacheOf(new Map(all.map((own, i) => [`s${i}`, own])));
          const momentsMs = offsets.map((offsetMs) => START_MS + DAY_MS - 2 * HOUR_MS + offsetMs);
          const query = { variables: VARIABLES, mode: NATIVE, momentsMs, withinMs };
          const found = await readSnapshots(cache, query, createPace(never));
          expect(found.stationIds.toSorted()).toEqual(all.map((_, i) => `s${i}`));
          for (const [m, momentMs] of found.momentsMs.entries()) {
            for (const [s, stationId] of found.stationIds.entries()) {
              for (const variable of VARIABLES) {
                const window = { startMs: momentMs - withinMs, endMs: momentMs + withinMs + 1 };
                const nearest = cache.nearest({ stationId, variables: [variable], ...STORED }, momentMs, window);
                const at = m * found.stationIds.length + s;
                expect(found.variables[variable]!.timesMs[at]).toBe(nearest?.timesMs[0] ?? Number.NaN);
                expect(found.variables[variable]!.values[at]).toBe(nearest?.columns[variable]?.values[0] ?? Number.NaN);
                if (nearest) seen++;
              }
            }
          }
          cache.close();
        },
      ),
      { numRuns: 40 },
    );
    expect(seen).toBeGreaterThan(50);
  });

  it("averages native rows for resampled intervals", async () => {
    const own = Array.from({ length: 120 }, (_, i) => ({
      timeMs: START_MS + i * 30_000,
      ztd: 2_400 + i,
      pwv: Number.NaN,
    }));
    const cache = cacheOf(new Map([["s0", own]]));
    cache.replaceCatalogue([station("s0")], [], START_MS);
    const mode = { intervalSeconds: 900, raw: false, resampled: true };
    const momentsMs = [START_MS + 14 * 60_000];
    const query = { variables: ["ztd" as const], mode, momentsMs, withinMs: 5 * 60_000 };
    const { variables } = await readSnapshots(cache, query, createPace(never));
    // The second quarter of the hour: rows 30 to 59.
    expect([variables.ztd!.timesMs[0], variables.ztd!.values[0]]).toEqual([START_MS + 900_000, 2_444.5]);
    cache.close();
  });

  it("gives the reason of each station without a value", async () => {
    const cache = cacheOf(new Map([["s0", []]]));
    cache.replaceCatalogue(
      [station("s0"), station("s1"), { ...station("s2", null), hasNeverSent: true }],
      [],
      START_MS,
    );
    const stationIds = ["s0", "s1", "s2"];
    const query = { stationIds, variable: "ztd" as const, mode: NATIVE, withinMs: 900_000 };
    const ask = (momentMs: number) => causesOf(cache, { ...query, momentMs }, NO_FAILURES, createPace(never));
    expect(await ask(START_MS + HOUR_MS)).toEqual(["nothingOrFiltered", "notRequested", "nothingSent"]);
    const answeredQuery = { ...query, momentMs: START_MS + HOUR_MS, isAnswered: true };
    const answered = (mode: ReadMode) => causesOf(cache, { ...answeredQuery, mode }, NO_FAILURES, createPace(never));
    expect(await answered(NATIVE)).toEqual(["nothingOrFiltered", "nothingOrFiltered", "nothingSent"]);
    expect(await answered({ ...NATIVE, raw: true })).toEqual(["nothingSent", "nothingSent", "nothingSent"]);
    expect(await ask(START_MS - 30 * DAY_MS)).toEqual(["beforeHistory", "beforeHistory", "nothingSent"]);
    expect(await ask(RANGE.endMs + HOUR_MS)).toEqual(["notRequested", "notRequested", "nothingSent"]);
    cache.close();
  });

  it("gives the reason of a failed request", async () => {
    const cache = cacheOf(new Map());
    cache.replaceCatalogue([station("s0"), station("s1")], [], START_MS);
    const reason = "The service's answer cannot be used: some of its values cannot be read.";
    const verdict = { stationId: "s0", variable: "ztd" as const, range: RANGE, state: "failed" as const, reason };
    const stationIds = ["s0", "s1"];
    const momentMs = START_MS + HOUR_MS;
    const query = { stationIds, variable: "ztd" as const, mode: NATIVE, withinMs: 900_000, momentMs };
    const job = { connectionId: "c", spec: STORED, verdictCounts: { failed: 1 } } as JobRecord;
    const users = { jobs: () => [job], verdicts: () => [{ ...verdict, rows: 0 }] };
    const found = await readMissing(cache, query, knownFailures(users, "c", STORED), createPace(never));
    expect(found).toEqual([
      { cause: "failed", reason },
      { cause: "notRequested", reason: null },
    ]);
    cache.close();
  });
});

async function causesOf(...asked: Parameters<typeof readMissing>): Promise<GapCause[]> {
  return (await readMissing(...asked)).map(({ cause }) => cause);
}

function station(id: string, firstMs: number | null = START_MS - DAY_MS) {
  return stationOf(id, {
    historicDataFromMs: firstMs,
    dataLastUpdatedMs: firstMs === null ? null : RANGE.endMs,
  });
}
