import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Period, PERIODS, rangeAt, savedRange } from "#shared/file/savedExport.ts";
import { DAY_MS, HOUR_MS, parseUtc } from "#shared/time/utc.ts";

const at = (period: Period, now: string): string => {
  const { startMs, endMs } = rangeAt({ kind: "relative", period }, parseUtc(now)!);
  return [startMs, endMs].map((ms) => new Date(ms).toISOString().replace(":00.000Z", "")).join(" → ");
};

describe("the relative range of a saved export", () => {
  it.each<[Period, string, string]>([
    ["last24Hours", "2026-11-21T12:59:59Z", "2026-11-20T12:00 → 2026-11-21T12:00"],
    ["last24Hours", "2026-11-21T12:00:00Z", "2026-11-20T12:00 → 2026-11-21T12:00"],
    // No hour is repeated or omitted at changes of daylight saving time.
    ["last24Hours", "2026-03-29T01:30:00Z", "2026-03-28T01:00 → 2026-03-29T01:00"],
    ["last24Hours", "2026-10-25T01:30:00Z", "2026-10-24T01:00 → 2026-10-25T01:00"],
    ["yesterday", "2026-01-01T00:00:00Z", "2025-12-31T00:00 → 2026-01-01T00:00"],
    ["yesterday", "2028-03-01T23:59:59Z", "2028-02-29T00:00 → 2028-03-01T00:00"],
    ["yesterday", "2027-03-01T06:00:00Z", "2027-02-28T00:00 → 2027-03-01T00:00"],
    ["last7Days", "2026-03-03T10:00:00Z", "2026-02-24T00:00 → 2026-03-03T00:00"],
    ["last30Days", "2028-03-15T10:00:00Z", "2028-02-14T00:00 → 2028-03-15T00:00"],
    ["lastMonth", "2026-03-31T23:59:59Z", "2026-02-01T00:00 → 2026-03-01T00:00"],
    ["lastMonth", "2028-03-01T00:00:00Z", "2028-02-01T00:00 → 2028-03-01T00:00"],
    ["lastMonth", "2026-01-15T00:00:00Z", "2025-12-01T00:00 → 2026-01-01T00:00"],
    ["lastMonth", "2026-12-31T00:00:00Z", "2026-11-01T00:00 → 2026-12-01T00:00"],
    ["lastMonth", "2000-03-30T00:00:00Z", "2000-02-01T00:00 → 2000-03-01T00:00"],
  ])("%s at %s is %s", (period, now, expected) => {
    expect(at(period, now)).toBe(expected);
  });

  it("ends by now at a whole day or hour, and is adjacent to the next one", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(PERIODS) as Period[])),
        fc.integer({ min: 1e10, max: 4e12 }),
        (period, nowMs) => {
          const range = { kind: "relative", period } as const;
          const { startMs, endMs } = rangeAt(range, nowMs);
          const gridMs = period === "last24Hours" ? HOUR_MS : DAY_MS;
          expect([startMs % gridMs, endMs % gridMs]).toEqual([0, 0]);
          expect(endMs).toBeLessThanOrEqual(nowMs);
          expect(endMs).toBeGreaterThan(nowMs - (period === "lastMonth" ? 31 * DAY_MS : gridMs));
          // One period later, it starts at this end.
          const lengthMs = endMs - startMs;
          const next = period === "lastMonth" ? rangeAt(range, endMs + 31 * DAY_MS) : rangeAt(range, nowMs + lengthMs);
          expect(next.startMs).toBe(endMs);
        },
      ),
    );
  });

  it("with typed ends is resolved to the minute", () => {
    const at = parseUtc("2026-11-21T12:34:56Z")!;
    const range = savedRange.parse({ kind: "moving", moving: { start: "now-7d", end: "now" } });
    expect(rangeAt(range, at)).toEqual({
      startMs: parseUtc("2026-11-14T12:34:00Z"),
      endMs: parseUtc("2026-11-21T12:34:00Z"),
    });
  });

  it.each([
    ["now-7d", "now", true],
    ["this month", "now", true],
    ["2026-01-01", "now", true],
    ["today", "", true],
    // These would be empty one day.
    ["now-7d", "2026-11-21", false],
    ["2026-11-14", "2026-11-21", false],
    ["rubbish", "now", false],
  ])("accepts %s → %s: %s", (start, end, isTaken) => {
    expect(savedRange.safeParse({ kind: "moving", moving: { start, end } }).success).toBe(isTaken);
  });

  it("accepts every known period and no other", () => {
    for (const period of Object.keys(PERIODS))
      expect(savedRange.safeParse({ kind: "relative", period }).success).toBe(true);
    expect(savedRange.safeParse({ kind: "relative", period: "toString" }).success).toBe(false);
  });
});
