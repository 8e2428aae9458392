import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { epochSeconds, stationPoints } from "#shared/service/points.ts";
import { DAY_MS } from "#shared/time/utc.ts";

const days = (n: number) => ({ startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2026, 0, 1) + n * DAY_MS });

describe("size of a query (specification 8)", () => {
  it("applies an interval only if it is longer than the cadence", () => {
    expect(stationPoints(days(1), 60, 30)).toBe(1_440);
    expect(stationPoints(days(1), 30, 30)).toBe(2_880);
    expect(stationPoints(days(1), 1, 30)).toBe(2_880);
    const offGrid = { startMs: 1, endMs: 30_001 };
    expect([stationPoints(offGrid, 30, 30), stationPoints(offGrid, 15, 30)]).toEqual([1, 2]);
  });

  it("uses the nominal cadence of the receiver type for the native rate", () => {
    expect(epochSeconds({ sourceType: "stream_gnss", resolutionSeconds: 0 })).toBe(1);
    expect(epochSeconds({ sourceType: "telco", resolutionSeconds: 0 })).toBe(30);
    expect(epochSeconds({ sourceType: "a newer kind", resolutionSeconds: 0 })).toBe(30);
    expect(epochSeconds({ sourceType: "stream_gnss", resolutionSeconds: 30 })).toBe(30);
  });

  it("is the sum of its parts if the range is split on the grid", () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(1, 30), fc.constantFrom(null, 30, 900, 7_000), cuts, (epochS, interval, steps) => {
        const grid = (interval ?? epochS) * 1000;
        let sum = 0;
        let at = -20 * grid;
        for (const n of steps) {
          sum += stationPoints({ startMs: at, endMs: at + n * grid }, epochS, interval);
          at += n * grid;
        }
        expect(sum).toBe(stationPoints({ startMs: -20 * grid, endMs: at }, epochS, interval));
      }),
    );
  });
});
