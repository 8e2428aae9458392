import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportFileName } from "#shared/file/names.ts";
import { success } from "#shared/service/error.ts";
import { byClockOf, innerIntervals, meanIntervals, outerIntervals } from "#shared/time/intervals.ts";
import { resolveMovingRange } from "#shared/time/typed.ts";
import { alignInward, alignOutward } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";

const moment = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) });
const range = fc.tuple(moment, fc.integer({ min: 0, max: 40 * DAY_MS })).map(([startMs, ms]) => ({
  startMs,
  endMs: startMs + ms,
}));

describe("the days of a time zone", () => {
  it("have 23, 24 and 25 hours in Helsinki, and begin at midnight", () => {
    const { startOf, endOf } = meanIntervals(86_400, "Europe/Helsinki");
    for (const [day, start, hours] of [
      ["2026-03-28", "2026-03-27T22:00Z", 24],
      ["2026-03-29", "2026-03-28T22:00Z", 23],
      ["2026-03-30", "2026-03-29T21:00Z", 24],
      ["2026-10-25", "2026-10-24T21:00Z", 25],
      ["2026-10-26", "2026-10-25T22:00Z", 24],
    ] as const) {
      const noonMs = Date.parse(`${day}T12:00Z`);
      expect([startOf(noonMs), endOf(noonMs)]).toEqual([Date.parse(start), Date.parse(start) + hours * HOUR_MS]);
    }
  });

  it("follow each other without a gap, and contain their times, in any zone", () => {
    const zone = fc.constantFrom("Europe/Helsinki", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia", "UTC");
    fc.assert(
      fc.property(zone, moment, (name, timeMs) => {
        const { startOf, endOf } = meanIntervals(86_400, name);
        const [startMs, endMs] = [startOf(timeMs), endOf(timeMs)];
        expect(startMs).toBeLessThanOrEqual(timeMs);
        expect(endMs).toBeGreaterThan(timeMs);
        expect([startOf(endMs - 1), endOf(startMs), startOf(endMs)]).toEqual([startMs, endMs, endMs]);
      }),
    );
  });
});

it("a range that moves with the clock follows the calendar of the zone", () => {
  const yesterday = { start: "yesterday", end: "" };
  const at = (now: string, zone?: string): string[] => {
    const range = byClockOf(zone, Date.parse(now), (nowMs) => resolveMovingRange(yesterday, nowMs)!);
    return [range.startMs, range.endMs].map((ms) => new Date(ms).toISOString().slice(0, 16));
  };
  // In Helsinki, the 26th begins at 22:00 UTC, after a day of 25 hours.
  expect(at("2026-10-25T21:59Z", "Europe/Helsinki")).toEqual(["2026-10-23T21:00", "2026-10-24T21:00"]);
  expect(at("2026-10-25T22:00Z", "Europe/Helsinki")).toEqual(["2026-10-24T21:00", "2026-10-25T22:00"]);
  expect(at("2026-10-25T22:00Z")).toEqual(["2026-10-24T00:00", "2026-10-25T00:00"]);
});

const name = (zone?: string) => {
  const range = { startMs: Date.parse("2026-10-24T21:00Z"), endMs: Date.parse("2026-10-26T22:00Z") };
  const request = { stationIds: [], variables: [], raw: false, format: "csv", intervalSeconds: 86_400 } as const;
  const named = { stations: new Map(), connectionName: "", exportName: null };
  return exportFileName("{start}_{end}.{ext}", { ...named, request: { ...request, range, zone } });
};

it("a file of local days is named by their dates", () => {
  expect(name("Europe/Helsinki")).toEqual(success("2026-10-25_2026-10-26.csv"));
  expect(name()).toEqual(success("2026-10-24_2026-10-26.csv"));
});

it("intervals of a fixed length are those of ranges aligned to UTC", () => {
  fc.assert(
    fc.property(range, fc.constantFrom(30, 900, 3_600, 86_400), (of, seconds) => {
      expect(outerIntervals(of, meanIntervals(seconds))).toEqual(alignOutward(of, seconds));
      expect(innerIntervals(of, meanIntervals(seconds))).toEqual(alignInward(of, seconds));
    }),
  );
});
