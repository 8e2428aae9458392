import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sumsByCause } from "#shared/series/gap.ts";
import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import {
  aroundGap,
  convergenceWords,
  GAP_COLUMNS,
  gapLines,
  gapsCsv,
  readGapSort,
  remedyOf,
  secondText,
  sortGaps,
} from "../../src/renderer/features/gaps/list.ts";
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
const lines = gapLines(FOUND, (id) => `=${id}`);

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
    expect(readGapSort("nonsense")).toEqual({ column: "duration", isDescending: true });
  });

  test("has sums by cause that include gaps too short to be listed", () => {
    expect(sumsByCause(FOUND)).toEqual([
      ["notRequested", 11_100],
      ["filteredOut", 10_830],
    ]);
  });

  test("offers a download, rejected data or no remedy, depending on the cause", () => {
    const remedies = Object.fromEntries(GAP_MARKS.map(({ cause }) => [cause, remedyOf(cause)]));
    expect(remedies).toEqual({
      notRequested: "fetch",
      failed: "fetch",
      notFinal: "fetch",
      nothingOrFiltered: "raw",
      filteredOut: null,
      nothingSent: null,
      noEntitlement: null,
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
