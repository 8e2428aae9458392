import * as fc from "fast-check";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compareSources } from "#main/app/comparison/compare.ts";
import { cacheSource, type Source } from "#main/app/comparison/sources.ts";
import { createPace } from "#main/app/pace.ts";
import { readPairs } from "#main/app/reading/compare/pairs.ts";
import { blocksOf } from "#main/app/reading/selection.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import type { Joining, PairStatistics } from "#shared/bridge/methods/compare.ts";
import type { DifferenceStatistics, Pairing } from "#shared/comparison.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { never } from "../support/desk.ts";
import { settled } from "../support/judge.ts";
import { numpyStatistics } from "./numpyStatistics.ts";
import { scratchFolder } from "../support/folder.ts";
import { valueOf } from "../support/valueOf.ts";

const START_MS = Date.UTC(2026, 0, 10);
const RANGE = { startMs: START_MS + 10 * 60_000, endMs: START_MS + 1.4 * DAY_MS };
/** Rows exist for some hours around the range, too. */
const ALL = { startMs: RANGE.startMs - 5 * HOUR_MS, endMs: RANGE.endMs + 5 * HOUR_MS };

const root = scratchFolder();

interface Rows {
  readonly stepMs: number;
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

/** Rows with gaps; offsets leave no epoch exactly between two others. */
function rowsOf(intervalSeconds: number | null): fc.Arbitrary<Rows> {
  return fc
    .record({
      stepMs: fc.constantFrom(...(intervalSeconds === null ? [30_000, 300_000, 900_000] : [intervalSeconds * 1_000])),
      offsetMs: fc.constantFrom(...(intervalSeconds === null ? [0, 4_000, 11_000] : [0])),
      seed: fc.nat(1e6),
      share: fc.constantFrom(0.6, 0.95, 1),
    })
    .map(({ stepMs, offsetMs, seed, share }) => {
      const firstMs = Math.ceil(ALL.startMs / stepMs) * stepMs + offsetMs;
      const count = Math.floor((ALL.endMs - firstMs) / stepMs);
      const random = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), { numRuns: 2 * count, seed });
      const kept = Array.from({ length: count }, (_, i) => i).filter((i) => random[i]! < share);
      const value = (i: number): number => 2_400 + 20 * Math.sin((i * stepMs) / 7e6) + random[count + i]!;
      return {
        stepMs,
        timesMs: Float64Array.from(kept, (i) => firstMs + i * stepMs),
        values: Float64Array.from(kept, value),
      };
    });
}

const cases = fc.constantFrom(null, 3_600).chain((intervalSeconds) =>
  fc.record({
    intervalSeconds: fc.constant(intervalSeconds),
    a: rowsOf(intervalSeconds),
    b: rowsOf(intervalSeconds),
    joining: fc.constantFrom<Joining>("nearest", "means"),
  }),
);
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function cacheOf(name: string, { intervalSeconds, a, b }: Case): Cache {
  const cache = openCache(join(root, `${name}.db`));
  const sides = Object.entries({ a, b });
  const stations = sides.map(([id, { stepMs }]) => ({ id, displayName: id, resolutionSeconds: stepMs / 1_000 }));
  cache.replaceCatalogue(stations as unknown as CatalogueStation[], [], START_MS);
  for (const [id, { timesMs, values }] of sides) {
    const writer = cache.openResponse({
      stationIds: [id],
      variables: ["ztd"],
      range: ALL,
      intervalSeconds,
      raw: false,
    });
    writer.add({ stationId: id, timesMs, scalars: { ztd: values }, texts: {} });
    writer.commit(settled(ALL));
  }
  return cache;
}

/** The statistics of the view of stations. */
async function inView(cache: Cache, { intervalSeconds, joining }: Case): Promise<PairStatistics> {
  const query = {
    stationIds: ["a", "b"],
    range: RANGE,
    mode: { intervalSeconds, raw: false, resampled: false },
    marks: { range: null, sigmaMm: null, step: null, stuckMinutes: null },
    leavesOut: false,
    variable: "ztd",
    heights: "EGM2008",
    referenceId: "b",
    joining,
    columns: 100,
  } as const;
  const found = valueOf(await readPairs(cache, query, createPace(never)));
  return found.pairs[0]!;
}

/** The statistics of `zenith compare`. */
async function asProducts(
  cache: Cache,
  { intervalSeconds }: Case,
  pairing: Pairing,
): Promise<DifferenceStatistics | undefined> {
  const [a, b] = ["a", "b"].map((id): Source =>
    cacheSource({
      name: id,
      details: [],
      stations: [cache.station(id)!],
      variable: "ztd",
      intervalSeconds,
      read: (stationId, range) =>
        blocksOf(
          cache,
          { variables: ["ztd"], range, mode: { intervalSeconds, raw: false, resampled: false } },
          stationId,
        ),
    }),
  ) as [Source, Source];
  const query = {
    variable: "ztd",
    range: RANGE,
    pairing,
    rejectSigmas: null,
    height: "none",
    groupings: [],
    withinKm: 1,
    chosen: { pairs: new Map([["a", "b"]]), unmatchedA: new Set<string>(), unmatchedB: new Set<string>() },
  } as const;
  const found = valueOf(await compareSources(a, b, query, createPace(never)));
  return found.sites[0]?.statistics;
}

it("two series have the same statistics in the view of stations and in “zenith compare”, those of numpy", async (context) => {
  const sampled = fc.sample(cases, { numRuns: 24, seed: 11 });
  const found = [];
  for (const [i, each] of sampled.entries()) {
    const cache = cacheOf(String(i), each);
    const view = await inView(cache, each);
    const pairing: Pairing =
      view.joining === "means"
        ? { kind: "mean", intervalMs: view.joinSeconds * 1_000 }
        : { kind: "nearest", toleranceMs: null };
    found.push({ each, pairing, view, products: await asProducts(cache, each, pairing) });
    cache.close();
  }
  const theirs = numpyStatistics(
    context,
    found.map(({ each: { intervalSeconds, a, b }, pairing }) => ({
      a: { ...a, cellMs: (intervalSeconds ?? 0) * 1_000 },
      b: { ...b, cellMs: (intervalSeconds ?? 0) * 1_000 },
      pairing,
      range: RANGE,
    })),
  );
  found.forEach(({ view, products }, i) => {
    const { n, biasMm, stdMm, rmsMm, correlation } = view;
    const expected = theirs[i]!;
    expect({ i, n, products }).toMatchObject({ n: expected.n, products: { n, biasMm, stdMm, rmsMm } });
    expect(products!.correlation).toBeCloseTo(correlation, 12);
    if (n < 2) return;
    expect(biasMm).toBeCloseTo(expected.bias, 9);
    expect(stdMm).toBeCloseTo(expected.std, 9);
    expect(rmsMm).toBeCloseTo(expected.rms, 9);
    expect(correlation).toBeCloseTo(expected.r, 9);
  });
  // The sample is worth something: most cases have pairs.
  expect(theirs.filter(({ n }) => n > 20).length).toBeGreaterThan(16);
});
