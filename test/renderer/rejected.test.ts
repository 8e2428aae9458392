import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JobSpec } from "#shared/job/job.ts";
import { covers, rangeSet, totalMs } from "#shared/time/rangeset.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { rejectedFetch, rejectedWords, unknownGaps } from "#renderer/features/gaps/RejectedButton.tsx";

const START_MS = Date.UTC(2026, 8, 1);
const span = (from: number, to: number) => ({ startMs: START_MS + from * HOUR_MS, endMs: START_MS + to * HOUR_MS });
const WHOLE: JobSpec = {
  stationIds: ["a", "b", "c"],
  variables: ["ztd", "pwv"],
  range: span(0, 100),
  intervalSeconds: null,
  raw: false,
};

test("rejected data is requested once for each gap, only for stations with gaps", () => {
  const found = rejectedFetch(WHOLE, [
    { stationId: "a", range: span(5, 6) },
    { stationId: "a", range: span(5, 6) },
    { stationId: "b", range: span(8, 9) },
    { stationId: "a", range: span(1.5, 2) },
  ]);
  expect(found).toEqual({
    gaps: 3,
    spec: {
      ...WHOLE,
      stationIds: ["a", "b"],
      variables: ["ztd", "pwv", "ztd_sigma"],
      range: span(1.5, 9),
      raw: true,
      only: [
        { stationId: "a", ranges: [span(1.5, 2), span(5, 6)] },
        { stationId: "b", ranges: [span(8, 9)] },
      ],
    },
  });
});

test("requests of rejected data cover all gaps, rounded to whole milliseconds", () => {
  const place = fc.record({
    stationId: fc.constantFrom("a", "b"),
    range: fc
      .tuple(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.double({ min: 1, max: 1e5, noNaN: true }))
      .map(([startMs, length]) => ({ startMs, endMs: startMs + length })),
  });
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 30 }), (places) => {
      const { spec, gaps } = rejectedFetch(WHOLE, places);
      const requested = spec.only!;
      expect(gaps).toBe(requested.reduce((n, { ranges }) => n + ranges.length, 0));
      for (const { stationId, range } of places)
        expect(covers(requested.find((each) => each.stationId === stationId)!.ranges, range)).toBe(true);
      for (const { stationId, ranges } of requested) {
        const own = rangeSet(places.filter((each) => each.stationId === stationId).map((each) => each.range));
        expect(totalMs(ranges)).toBeLessThanOrEqual(totalMs(own) + 2 * places.length);
        expect(covers([spec.range], { startMs: ranges[0]!.startMs, endMs: ranges.at(-1)!.endMs })).toBe(true);
      }
    }),
  );
});

test("only the visible parts of gaps with an unknown cause are requested", () => {
  const gaps = [
    { range: span(0, 2), cause: "nothingOrFiltered" as const },
    { range: span(3, 4), cause: "notRequested" as const },
    { range: span(5, 6), cause: "nothingOrFiltered" as const },
  ];
  expect(unknownGaps([{ stationId: "a", gaps }], span(1, 5))).toEqual([{ stationId: "a", range: span(1, 2) }]);
});

test("the button for rejected data shows its cost", () => {
  const cost = {
    pointsRequested: 3_400,
    pointsKnown: 0,
    pointsToFetch: 3_400,
    requests: 4,
    bodyBytes: 1,
    seconds: 2,
    forbiddenStationIds: [],
  };
  expect(rejectedWords(12, cost, false)).toBe("Find causes: 12 gaps, 3,400 points · ~4 requests · ~2 s");
  expect(rejectedWords(1, { ...cost, seconds: null }, true)).toBe(
    "Find causes when online: 1 gap, 3,400 points · ~4 requests",
  );
});
