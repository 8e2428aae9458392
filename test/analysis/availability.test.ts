import * as fc from "fast-check";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readAvailability } from "#main/app/reading/availability.ts";
import { createPace } from "#main/app/pace.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import { noteOrder } from "#main/sync/rawAnswers.ts";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { containsMoment, type TimeRange } from "#shared/time/range.ts";
import { includes, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { never } from "../support/desk.ts";
import { settled } from "../support/judge.ts";
import { gateCases } from "../support/endurance.ts";
import { stationOf } from "../support/station.ts";
import { scratchFolder } from "../support/folder.ts";

// The expected counts come from a scan of every epoch over the written rows and the requested ranges.

const START_MS = Date.UTC(2026, 0, 10);
const STEP_SECONDS = 600;
const STEP_MS = STEP_SECONDS * 1_000;
const DAYS = 5;
const EPOCHS = (DAYS * DAY_MS) / STEP_MS;
const ID = "a";

const root = scratchFolder();
let files = 0;

const STATION = stationOf(ID, {
  historicDataFromMs: START_MS,
  resolutionSeconds: STEP_SECONDS,
  dataLastUpdatedMs: START_MS + DAYS * DAY_MS,
});

interface Request {
  readonly range: TimeRange;
  readonly raw: boolean;
  readonly finalUntilMs: number;
}

interface World {
  /** The state of each epoch: no row, a row that the filter rejects, a row without a value, or a value. */
  readonly truth: readonly ("none" | "filtered" | "empty" | "value")[];
  readonly requested: readonly Request[];
  readonly range: TimeRange;
  readonly binMs: number;
  readonly nowMs: number;
  readonly historicDataFromMs: number;
  readonly failed: TimeRange;
}

const moment = fc.oneof(
  fc.integer({ min: 0, max: EPOCHS }).map((e) => START_MS + e * STEP_MS),
  fc.integer({ min: 0, max: DAYS }).map((d) => START_MS + d * DAY_MS),
  fc.integer({ min: 0, max: DAYS * DAY_MS }).map((ms) => START_MS + ms),
);
const range = fc.tuple(moment, moment).map(([a, b]) => ({ startMs: Math.min(a, b), endMs: Math.max(a, b) + 1 }));
const runs = fc
  .array(fc.tuple(fc.constantFrom("none", "filtered", "empty", "value", "value"), fc.integer({ min: 1, max: 250 })), {
    minLength: 3,
    maxLength: 25,
  })
  .map((parts) => {
    const truth = parts.flatMap(([state, n]) => Array.from({ length: n }, () => state));
    return Array.from({ length: EPOCHS }, (_, i) => truth[i] ?? "value");
  });
const world: fc.Arbitrary<World> = fc.record({
  truth: runs,
  requested: fc.array(fc.record({ range, raw: fc.boolean(), finalUntilMs: moment }), { maxLength: 5 }),
  range,
  binMs: fc.constantFrom(DAY_MS, HOUR_MS),
  // Usually the end of the range, so that missing epochs can be compared.
  nowMs: fc.oneof(fc.constant(START_MS + DAYS * DAY_MS), moment),
  historicDataFromMs: fc.oneof(fc.constant(START_MS), moment),
  failed: range,
});

function cacheOf({ truth, requested, historicDataFromMs }: World): Cache {
  const cache = openCache(join(root, `${files++}.db`));
  cache.replaceCatalogue([{ ...STATION, historicDataFromMs }], [], 0);
  for (const { range, raw, finalUntilMs } of requested) {
    const writer = cache.openResponse({ stationIds: [ID], variables: ["ztd"], range, intervalSeconds: null, raw });
    const sent = (raw ? ["filtered", "empty", "value"] : ["empty", "value"]) as readonly string[];
    const epochs = truth.flatMap((state, i) => (sent.includes(state) && containsMoment(range, timeOf(i)) ? [i] : []));
    writer.add({
      stationId: ID,
      timesMs: Float64Array.from(epochs, timeOf),
      scalars: { ztd: Float64Array.from(epochs, (i) => (truth[i] === "empty" ? Number.NaN : 2_400 + i)) },
      texts: {},
    });
    const request = { stationIds: [ID], variables: ["ztd"] as const, range, intervalSeconds: null, raw, points: 1 };
    if (!raw) noteOrder(cache, request);
    writer.commit(settled(range, finalUntilMs));
    if (raw) noteOrder(cache, request);
  }
  return cache;
}

function timeOf(epoch: number): number {
  return START_MS + epoch * STEP_MS;
}

/** Counts every epoch one by one. @param final the confirmed ranges of the filtered series */
function bruteForce(world: World, final: RangeSet) {
  const { truth, requested, range, binMs, nowMs, historicDataFromMs, failed } = world;
  const firstBin = Math.floor(range.startMs / binMs);
  const bins = Math.ceil(range.endMs / binMs) - firstBin;
  const zeros = (): number[] => Array.from({ length: bins }, () => 0);
  const found = {
    expected: zeros(),
    received: zeros(),
    filtered: zeros(),
    missing: zeros(),
    failed: zeros(),
    notRequested: zeros(),
  };
  const wasRequested = (raw: boolean, timeMs: number): boolean =>
    requested.some((a) => a.raw === raw && containsMoment(a.range, timeMs));
  /** Whether raw data arrived after the last filtered response, or that was confirmed. */
  const isExplained = (timeMs: number): boolean => {
    const last = requested.findLastIndex((a) => !a.raw && containsMoment(a.range, timeMs));
    return includes(final, timeMs) || requested.some((a, i) => i > last && a.raw && containsMoment(a.range, timeMs));
  };
  const firstMs = Math.floor(historicDataFromMs / STEP_MS) * STEP_MS;
  truth.forEach((state, epoch) => {
    const timeMs = timeOf(epoch);
    if (!containsMoment(range, timeMs)) return;
    const bin = Math.floor(timeMs / binMs) - firstBin;
    const isExpected = timeMs >= firstMs && timeMs < nowMs;
    const isRequested = wasRequested(false, timeMs);
    const isReceived = isRequested && state === "value";
    const isFiltered = isRequested && state === "filtered" && wasRequested(true, timeMs) && isExplained(timeMs);
    if (isReceived) found.received[bin]!++;
    if (isFiltered) found.filtered[bin]!++;
    if (!isExpected) return;
    found.expected[bin]!++;
    if (isRequested) {
      if (!isReceived && !isFiltered) found.missing[bin]!++;
    } else if (containsMoment(failed, timeMs)) found.failed[bin]!++;
    else found.notRequested[bin]!++;
  });
  return found;
}

async function read(world: World): Promise<{ readonly found: SeriesAvailability; readonly final: RangeSet }> {
  const { range, binMs, nowMs, failed } = world;
  const cache = cacheOf(world);
  const query = { stationIds: [ID], variable: "ztd", range, binMs, nowMs } as const;
  const mode = { intervalSeconds: null, raw: false };
  const failures = { failed: () => [failed], reason: () => null, isForbidden: () => false };
  try {
    const { final } = cache.coverage(ID, "ztd", mode);
    return {
      found: await readAvailability(cache, { ...query, mode }, failures, createPace(never)),
      final: rangeSet(final),
    };
  } finally {
    cache.close();
  }
}

describe("availability", () => {
  it("matches a count of every epoch, for any coverage and bins", async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        // Missing epochs are defined only while the station sends; rows outside that time count as received.
        const isInside = given.requested.every(
          ({ range }) => range.startMs >= given.historicDataFromMs && range.endMs <= given.nowMs,
        );
        const { found, final } = await read(given);
        const expected = bruteForce(given, final);
        for (const name of ["expected", "received", "filtered", "failed", "notRequested"] as const)
          expect([name, [...found[name]]]).toEqual([name, expected[name]]);
        expect(isInside ? [...found.missing] : []).toEqual(isInside ? expected.missing : []);
      }),
      { numRuns: gateCases(80) },
    );
  });

  const whole = { startMs: START_MS, endMs: START_MS + DAYS * DAY_MS };
  const plain: World = {
    truth: Array.from({ length: EPOCHS }, () => "value"),
    requested: [{ range: whole, raw: false, finalUntilMs: START_MS + 3 * DAY_MS }],
    range: whole,
    binMs: DAY_MS,
    nowMs: whole.endMs,
    historicDataFromMs: START_MS,
    failed: { startMs: 0, endMs: 1 },
  };

  it("counts epochs that are not final, and marks days of which the raw series was requested", async () => {
    const raw = { range: { startMs: START_MS, endMs: START_MS + 2 * DAY_MS }, raw: true, finalUntilMs: Infinity };
    const { found } = await read({ ...plain, requested: [...plain.requested, raw] });
    expect([...found.mayStillArrive]).toEqual([0, 0, 0, 144, 144]);
    expect([...found.rawAsked]).toEqual([1, 1, 0, 0, 0]);
    expect([...found.received]).toEqual([144, 144, 144, 144, 144]);
  });

  it("expects one value per interval from an interval series", async () => {
    const cache = cacheOf({ ...plain, requested: [] });
    const mode = { intervalSeconds: 7_200, raw: false };
    const writer = cache.openResponse({ stationIds: [ID], variables: ["ztd"], range: whole, ...mode });
    const timesMs = Float64Array.from({ length: 30 }, (_, i) => START_MS + i * 2 * HOUR_MS);
    writer.add({ stationId: ID, timesMs, scalars: { ztd: timesMs.map(() => 2_400) }, texts: {} });
    writer.commit(settled(whole));
    const query = { stationIds: [ID, "b"], variable: "ztd", range: whole, binMs: DAY_MS, nowMs: whole.endMs } as const;
    const failures = { failed: () => [], reason: () => null, isForbidden: (id: string) => id === "b" };
    const found = await readAvailability(cache, { ...query, mode }, failures, createPace(never));
    cache.close();
    expect([...found.expected.subarray(0, DAYS)]).toEqual([12, 12, 12, 12, 12]);
    expect([...found.received.subarray(0, DAYS)]).toEqual([12, 12, 6, 0, 0]);
    expect([...found.missing.subarray(0, DAYS)]).toEqual([0, 0, 6, 12, 12]);
    expect([...found.notRequested.subarray(DAYS)]).toEqual(Array.from({ length: DAYS }, () => 12));
    expect(found.stations.map((s) => [s.stepSeconds, s.isForbidden])).toEqual([
      [7_200, false],
      [7_200, true],
    ]);
  });

  it("expects no values from a station that has never sent data", async () => {
    const cache = openCache(join(root, `${files++}.db`));
    cache.replaceCatalogue(
      [{ ...STATION, historicDataFromMs: null, dataLastUpdatedMs: null, hasNeverSent: true }],
      [],
      0,
    );
    const mode = { intervalSeconds: null, raw: false };
    const query = { stationIds: [ID], variable: "ztd", range: whole, binMs: DAY_MS, nowMs: whole.endMs } as const;
    const failures = { failed: () => [], reason: () => null, isForbidden: () => false };
    const found = await readAvailability(cache, { ...query, mode }, failures, createPace(never));
    cache.close();
    expect([...found.expected]).toEqual([0, 0, 0, 0, 0]);
    expect(found.stations[0]!.hasEverSent).toBe(false);
  });
});
