import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type OpenOptions, openRanges, requestableRange } from "#main/planner/missing.ts";
import { ceilToInterval, floorToInterval } from "#shared/time/range.ts";
import { difference, includes, intersect, rangeSet, union } from "#shared/time/rangeset.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { intervals, rangeSets } from "./arbitraries.ts";

const NOTHING = { final: [], provisional: [] };
const options = (more: Partial<OpenOptions> = {}): OpenOptions => ({
  intervalSeconds: null,
  nowMs: 100 * DAY_MS,
  maxAgeMs: HOUR_MS,
  historicDataFromMs: 0,
  hasNeverSent: false,
  ...more,
});
const missingRanges = (...given: Parameters<typeof openRanges>) => openRanges(...given).missing;

describe("missing ranges", () => {
  const moment = fc.integer({ min: -80 * HOUR_MS, max: 80 * HOUR_MS });
  const worlds = intervals.chain((intervalSeconds) =>
    fc.record({
      intervalSeconds: fc.constant(intervalSeconds),
      requested: fc.tuple(moment, fc.integer({ min: 1, max: 60 * HOUR_MS })),
      final: rangeSets(intervalSeconds),
      young: rangeSets(intervalSeconds),
      old: rangeSets(intervalSeconds),
      nowMs: moment,
      historicDataFromMs: fc.option(moment),
      probes: fc.array(moment, { minLength: 60, maxLength: 60 }),
    }),
  );

  it("contain each moment that is requested, possible, and neither final nor in a young response", () => {
    fc.assert(
      fc.property(worlds, (w) => {
        const { intervalSeconds: interval, nowMs, historicDataFromMs } = w;
        const requested = { startMs: w.requested[0], endMs: w.requested[0] + w.requested[1] };
        const coverage = {
          final: w.final,
          provisional: [
            ...w.young.map((range) => ({ range, fetchedAtMs: nowMs - 59_000 })),
            ...w.old.map((range) => ({ range, fetchedAtMs: nowMs - MINUTE_MS })),
          ],
        };
        const open = openRanges(requested, coverage, {
          ...options({ intervalSeconds: interval, nowMs, historicDataFromMs, maxAgeMs: MINUTE_MS }),
        });
        expect(intersect(open.missing, open.unconfirmed)).toEqual([]);
        expect(difference(open.unconfirmed, rangeSet(w.old))).toEqual([]);
        const missing = union(open.missing, open.unconfirmed);
        const floor = (m: number) => (interval === null ? m : floorToInterval(m, interval));
        const ceil = (m: number) => (interval === null ? m : ceilToInterval(m, interval));
        // The time since a young response is not requested yet.
        const endMs = Math.min(ceil(requested.endMs), ceil(nowMs));
        const isSince = (m: number): boolean =>
          endMs >= nowMs && w.young.some((y) => y.endMs <= m && y.endMs > endMs - MINUTE_MS);
        const edges = [requested.startMs, requested.endMs, nowMs, ...missing.flatMap((r) => [r.startMs, r.endMs])];
        for (const probe of [...w.probes, ...edges, ...edges.map((m) => m - 1)]) {
          const wanted =
            probe >= floor(requested.startMs) &&
            probe < ceil(requested.endMs) &&
            probe >= floor(historicDataFromMs ?? -Infinity) &&
            probe < ceil(nowMs) &&
            !includes(w.final, probe) &&
            !includes(w.young, probe) &&
            !isSince(probe);
          expect(includes(missing, probe), `at ${probe}`).toBe(wanted);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("consist of whole intervals", () => {
    const range = { startMs: 10 * MINUTE_MS, endMs: 100 * MINUTE_MS };
    expect(missingRanges(range, NOTHING, options({ intervalSeconds: 3_600 }))).toEqual([
      { startMs: 0, endMs: 2 * HOUR_MS },
    ]);
  });

  it("split no interval, even if the coverage does", () => {
    const coverage = { final: [{ startMs: 0, endMs: 90 * MINUTE_MS }], provisional: [] };
    const missing = missingRanges({ startMs: 0, endMs: DAY_MS }, coverage, options({ intervalSeconds: 3_600 }));
    expect(missing).toEqual([{ startMs: HOUR_MS, endMs: DAY_MS }]);
  });

  it("include the current interval", () => {
    const nowMs = 10 * HOUR_MS + 5 * MINUTE_MS;
    const requestable = requestableRange({ startMs: 0, endMs: DAY_MS }, options({ intervalSeconds: 3_600, nowMs }));
    expect(requestable.endMs).toBe(11 * HOUR_MS);
  });

  it("begin with the interval of the first observation", () => {
    const began = options({ intervalSeconds: 3_600, historicDataFromMs: 90 * MINUTE_MS });
    const whole = { startMs: HOUR_MS, endMs: DAY_MS };
    expect(requestableRange({ startMs: 0, endMs: DAY_MS }, began)).toEqual(whole);
    expect(missingRanges({ startMs: 0, endMs: DAY_MS }, NOTHING, began)).toEqual([whole]);
  });

  it("are empty for a station that never sent data", () => {
    const silent = options({ historicDataFromMs: null, hasNeverSent: true });
    expect(missingRanges({ startMs: 0, endMs: DAY_MS }, NOTHING, silent)).toEqual([]);
  });

  it("are empty in the future, and before the first observation", () => {
    const range = { startMs: 0, endMs: DAY_MS };
    expect(missingRanges(range, NOTHING, options({ nowMs: 0 }))).toEqual([]);
    expect(missingRanges(range, NOTHING, options({ historicDataFromMs: DAY_MS }))).toEqual([]);
  });

  it("include a response with a wrong clock, but not one with a clock that is ahead by a second", () => {
    const range = { startMs: 0, endMs: DAY_MS };
    const now = options().nowMs;
    const fetched = (fetchedAtMs: number) => ({ final: [], provisional: [{ range, fetchedAtMs }] });
    expect(missingRanges(range, fetched(now + 1_000), options())).toEqual([]);
    expect(openRanges(range, fetched(now + DAY_MS), options()).unconfirmed).toEqual([range]);
  });
});

describe("the newest data", () => {
  const nowMs = 100 * DAY_MS;
  const coverage = (endMs: number, ageMs: number) => ({
    final: [{ startMs: 0, endMs: 99 * DAY_MS }],
    provisional: [{ range: { startMs: 99 * DAY_MS, endMs }, fetchedAtMs: nowMs - ageMs }],
  });
  const requested = { startMs: 0, endMs: 101 * DAY_MS };

  it("is not requested for the time since a young response", () => {
    expect(missingRanges(requested, coverage(nowMs - 2 * MINUTE_MS, 2 * MINUTE_MS), options())).toEqual([]);
  });

  it("is requested from the end of the final part after that response has aged", () => {
    expect(missingRanges(requested, coverage(nowMs - 2 * HOUR_MS, 2 * HOUR_MS), options())).toEqual([
      { startMs: 99 * DAY_MS, endMs: nowMs },
    ]);
  });

  it("leaves out longer absences before it: they are asked for by themselves", () => {
    const silent = { final: [], provisional: [{ range: { startMs: 0, endMs: 99 * DAY_MS }, fetchedAtMs: 0 }] };
    expect(openRanges(requested, silent, options())).toEqual({
      missing: [{ startMs: 99 * DAY_MS, endMs: nowMs }],
      unconfirmed: [{ startMs: 0, endMs: 99 * DAY_MS }],
    });
  });

  it("is requested if a young response ends long before now, or the range lies in the past", () => {
    const longAgo = nowMs - 3 * HOUR_MS;
    expect(missingRanges(requested, coverage(longAgo, MINUTE_MS), options())).toEqual([
      { startMs: longAgo, endMs: nowMs },
    ]);
    const past = { startMs: 0, endMs: nowMs - HOUR_MS };
    const early = past.endMs - 5 * MINUTE_MS;
    expect(missingRanges(past, coverage(early, MINUTE_MS), options())).toEqual([{ startMs: early, endMs: past.endMs }]);
  });
});
