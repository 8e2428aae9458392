import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStrips } from "#main/app/reading/availability.ts";
import { explainGaps, type GapInput, walkGaps } from "#main/analysis/gaps.ts";
import { momentsOf, runsOf } from "#shared/time/runs.ts";
import { intervalTimes, stepSeconds } from "#main/analysis/requestedTimes.ts";
import { lowerBound } from "#shared/arrays.ts";
import { meanIntervals } from "#shared/time/intervals.ts";
import type { StationCoverage } from "#shared/bridge/methods/catalogue.ts";
import type { Coverage } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { includes, rangeSet } from "#shared/time/rangeset.ts";
import { DAY_MS } from "#shared/time/utc.ts";

/** The strip of a station whose series have these coverages. */
const shared = (coverages: (Coverage | undefined)[], range: TimeRange): StationCoverage =>
  readStrips(
    { coveragesOf: () => [coverages as Coverage[]] },
    { stationIds: ["a"], range, variables: [], mode: { intervalSeconds: null, raw: false } },
  )[0]!;

describe("shared coverage", () => {
  const sets = fc
    .array(fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 20 })), { maxLength: 4 })
    .map((pairs) => rangeSet(pairs.map(([startMs, length]) => ({ startMs, endMs: startMs + length }))));

  it("is final where all series are final, and provisional where all are covered but not all final", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(sets, sets), { minLength: 1, maxLength: 3 }), (series) => {
        const range = { startMs: 5, endMs: 60 };
        const coverages = series.map(([final, later]) => ({
          final,
          provisional: later.map((r) => ({ range: r, fetchedAtMs: 0 })),
        }));
        const found = shared(coverages, range);
        for (let moment = 0; moment < 80; moment++) {
          const inside = moment >= range.startMs && moment < range.endMs;
          const isFinal = inside && series.every(([final]) => includes(final, moment));
          const isCovered = inside && series.every(([a, b]) => includes(a, moment) || includes(b, moment));
          expect(includes(found.final, moment)).toBe(isFinal);
          expect(includes(found.provisional, moment)).toBe(isCovered && !isFinal);
        }
      }),
    );
    expect(shared([undefined], { startMs: 0, endMs: 1 })).toMatchObject({ final: [], provisional: [] });
  });
});

const timesIn = (times: Float64Array) => (part: TimeRange) =>
  runsOf(times.subarray(lowerBound(times, part.startMs), lowerBound(times, part.endMs)));

describe("gaps of a long range", () => {
  const input: Omit<GapInput, "times" | "raw"> = {
    range: { startMs: 0, endMs: 100 * DAY_MS },
    mode: { intervalSeconds: null, raw: false },
    epochSeconds: 3_600,
    coverage: { final: [{ startMs: 0, endMs: 80 * DAY_MS }], provisional: [] },
    historicDataFromMs: 0,
    hasNeverSent: false,
    isForbidden: false,
    failed: [],
  };

  it("match an analysis of the whole range at once, for any epochs", () => {
    const missing = fc.array(fc.tuple(fc.nat(2_400), fc.constantFrom(1, 2, 3, 700)), { maxLength: 12 });
    fc.assert(
      fc.property(missing, fc.nat(3_599), fc.boolean(), (cuts, offsetSeconds, withRaw) => {
        const all = Array.from({ length: 2_400 }, (_, i) => (i * 3_600 + offsetSeconds) * 1_000);
        const isCut = (i: number): boolean => cuts.some(([from, n]) => i >= from && i < from + n);
        const timesMs = Float64Array.from(all.filter((_, i) => !isCut(i)));
        const rawTimes = Float64Array.from(all.filter((_, i) => !isCut(i) || i % 7 === 0));
        const raw = withRaw ? { coverage: input.coverage } : null;
        const walked = walkGaps({
          ...input,
          timesIn: timesIn(timesMs),
          raw: raw && { ...raw, timesIn: timesIn(rawTimes) },
        });
        expect([...walked]).toEqual(
          explainGaps({ ...input, times: runsOf(timesMs), raw: raw && { ...raw, times: runsOf(rawTimes) } }),
        );
      }),
      { numRuns: 100 },
    );
  });
});

const starts = (...timesMs: number[]): number[] => [
  ...momentsOf(intervalTimes(runsOf(Float64Array.from(timesMs)), meanIntervals(1))),
];

describe("steps", () => {
  it("are the longest of the interval and the cadences of receiver and variable", () => {
    const cors = { sourceType: "cors", resolutionSeconds: 15 };
    expect(stepSeconds(cors, "ztd", null)).toBe(15);
    expect(stepSeconds(cors, "pwv", null)).toBe(300);
    expect(stepSeconds(cors, "pwv", 900)).toBe(900);
    expect(stepSeconds({ sourceType: "stream_gnss", resolutionSeconds: 0 }, "ztd", null)).toBe(1);
  });

  it("map times to interval starts, without duplicates", () => {
    expect(starts(-1, 0, 1, 999, 3_000)).toEqual([-1_000, 0, 3_000]);
    expect(starts(0, 400, 800, 1_200, 1_600, 2_000)).toEqual([0, 1_000, 2_000]);
    expect(starts(0, 2_500, 5_000)).toEqual([0, 2_000, 5_000]);
  });
});
