import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import {
  aroundGap,
  convergenceWords,
  GAP_COLUMNS,
  gapsCsv,
  outages,
  remedyOf,
  secondText,
  sortGaps,
  sumsOf,
} from "#renderer/features/gaps/list.ts";
import { GAP_MARKS } from "#shared/plot/gapMarks.ts";

const START_MS = Date.UTC(2026, 10, 14);
const hours = (from: number, to: number) => ({ startMs: START_MS + from * HOUR_MS, endMs: START_MS + to * HOUR_MS });
const FOUND: readonly SeriesGaps[] = [
  {
    stationId: "a",
    variable: "ztd",
    stepSeconds: 30,
    gaps: [
      { range: hours(0, 1), cause: "notRequested" },
      { range: hours(5, 8), cause: "filteredOut" },
    ],
    secondsByCause: { notRequested: 3_600, filteredOut: 10_830 },
    untilMs: 0,
  },
  {
    stationId: "b",
    variable: "pwv",
    stepSeconds: 300,
    gaps: [{ range: hours(2, 4), cause: "notRequested" }],
    secondsByCause: { notRequested: 7_500 },
    untilMs: 0,
  },
];
const lines = outages(FOUND, (id) => `=${id}`);

describe("the list of gaps", () => {
  test("contains every gap once, sorted by any column in both directions", () => {
    expect(lines).toHaveLength(3);
    const byDuration = sortGaps(lines, { column: "duration", isDescending: true });
    expect(byDuration.map((l) => l.cause)).toEqual(["filteredOut", "notRequested", "notRequested"]);
    expect(sortGaps(lines, { column: "name", isDescending: true }).map((l) => l.stationId)).toEqual(["b", "a", "a"]);
    fc.assert(
      fc.property(fc.constantFrom(...GAP_COLUMNS), fc.boolean(), ({ id: column }, isDescending) => {
        expect(new Set(sortGaps(lines, { column, isDescending }))).toEqual(new Set(lines));
      }),
    );
  });

  test("has one row for an outage of several variables, and sums that equal its rows", () => {
    const cadence = { ztd: 30, pwv: 300, ztd_sigma: 30 } as const;
    const outage = fc.record({
      from: fc.integer({ min: 0, max: 20 }),
      hours: fc.integer({ min: 1, max: 3 }),
      lag: fc.integer({ min: 0, max: 300 }),
    });
    fc.assert(
      fc.property(fc.array(outage, { maxLength: 5 }), (drawn) => {
        // Outages that do not touch, each seen by every variable at its own cadence.
        const apart = drawn.map((one, i) => ({ ...one, from: i * 24 + one.from }));
        const series = Object.entries(cadence).map(([variable, stepSeconds]) => ({
          stationId: "a",
          variable: variable as keyof typeof cadence,
          stepSeconds,
          gaps: apart.map(({ from, hours: length, lag }) => {
            const { startMs, endMs } = hours(from, from + length);
            const lateMs = 1_000 * Math.floor(lag / (300 / stepSeconds));
            return { range: { startMs: startMs + lateMs, endMs: endMs + lateMs }, cause: "failed" as const };
          }),
          secondsByCause: {},
          untilMs: 0,
        }));
        const found = outages(series, (id) => id);
        expect(found).toHaveLength(apart.length);
        for (const { variables, parts, range } of found) {
          expect(variables.toSorted()).toEqual(Object.keys(cadence).toSorted());
          // No variable with the shortest step has a value in the time that is shown as an outage.
          const finest = parts.filter(({ variable }) => cadence[variable as keyof typeof cadence] === 30);
          expect(finest.map((part) => part.range)).toEqual([range, range]);
        }
        const total = found.reduce((sum, { range }) => sum + (range.endMs - range.startMs) / 1_000, 0);
        expect(sumsOf(found).reduce((sum, [, seconds]) => sum + seconds, 0)).toBe(total);
      }),
    );
    expect(sumsOf(lines)).toEqual([
      ["notRequested", 10_800],
      ["filteredOut", 10_800],
    ]);
  });

  test("offers a download, rejected data or no remedy, depending on the cause", () => {
    const remedies = Object.fromEntries(GAP_MARKS.map(({ cause }) => [cause, remedyOf(cause)]));
    expect(remedies).toEqual({
      notRequested: "fetch",
      failed: "fetch",
      mayStillArrive: "fetch",
      nothingOrFiltered: "raw",
      filteredOut: null,
      nothingSent: null,
      noAccess: null,
      beforeHistory: null,
    });
  });

  test("opens a gap in the middle of the view, with rows on both sides", () => {
    expect(aroundGap(hours(2, 4), 30)).toEqual(hours(1, 5));
    const short = { startMs: START_MS, endMs: START_MS + 30_000 };
    expect(aroundGap(short, 30)).toEqual({ startMs: START_MS - 600_000, endMs: START_MS + 630_000 });
  });

  test("is exported with the columns of the command line", () => {
    const rows = gapsCsv(lines).trimEnd().split("\r\n");
    expect(rows[0]).toBe("station_id,display_name,variable,cause,start,end,duration_s");
    expect(rows[1]).toBe("a,'=a,ztd,notRequested,2026-11-14T00:00:00Z,2026-11-14T01:00:00Z,3600");
  });
});

test("the text of a convergence calls it possible and has its start, values and duration", () => {
  const words = convergenceWords({ range: hours(5, 5.5), fromMm: 28.4, toMm: 1.94 });
  expect(words).toBe(
    "Possible convergence after a restart: from 2026-11-14 05:00 the uncertainty of ZTD decays from 28.4 to 1.9 mm within 30 min.",
  );
  expect(secondText(START_MS + 999)).toBe("2026-11-14 00:00:00");
});
