import { describe, expect, it } from "vitest";
import { bytesPerRow } from "#main/planner/limits.ts";
import { estimate } from "#main/planner/plan.ts";
import { DAY_MS } from "#shared/time/utc.ts";

describe("estimate", () => {
  const requestable = [{ startMs: 0, endMs: 10 * DAY_MS }];
  const missing = { ztd: [{ startMs: 7 * DAY_MS, endMs: 10 * DAY_MS }] };
  const stations = ["a", "b"].map((id) => ({ id, epochSeconds: 30, requestable, missing }));
  const mode = { intervalSeconds: null, raw: false };

  it("includes requested, cached and missing points, requests, bytes and seconds", () => {
    expect(estimate({ stations, mode, maxPoints: 10_000, pointsPerSecond: 1_000, requestsPerSecond: null })).toEqual({
      pointsRequested: 57_600,
      pointsKnown: 40_320,
      pointsToFetch: 17_280,
      requests: 2,
      bodyBytes: 17_280 * bytesPerRow(["ztd"]),
      seconds: 17.28,
    });
  });

  it("includes the time of many small requests", () => {
    const many = { stations, mode, maxPoints: 10, pointsPerSecond: 1_000_000 };
    expect(estimate({ ...many, requestsPerSecond: 8 })).toMatchObject({ requests: 1_728, seconds: 216 });
    expect(estimate({ ...many, requestsPerSecond: null }).seconds).toBeGreaterThan(60);
  });

  it("is zero without missing data, and has no time without a rate", () => {
    const cached = stations.map((s) => ({ ...s, missing: {} }));
    const cost = estimate({
      stations: cached,
      mode,
      maxPoints: 10_000,
      pointsPerSecond: null,
      requestsPerSecond: null,
    });
    expect(cost).toMatchObject({ pointsToFetch: 0, requests: 0, bodyBytes: 0, seconds: null, pointsKnown: 57_600 });
  });

  it("uses the measured bytes of a row", () => {
    expect(bytesPerRow(["ztd", "ztd_sigma", "pwv"])).toBeCloseTo(175, -1);
    expect(bytesPerRow(["snr", "el", "az", "prn"])).toBeCloseTo(1_330, -2);
  });
});
