import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "#shared/time/utc.ts";
import { dayTicks } from "#renderer/features/availability/calendarGrid.ts";

const START_MS = Date.UTC(2026, 0, 1);

function ticksOf(days: number, widthPx: number) {
  return dayTicks({ startMs: START_MS, endMs: START_MS + days * DAY_MS }, widthPx);
}

describe("date ticks over columns of days", () => {
  test("have labels without hours, and do not overlap", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 366 }), fc.integer({ min: 200, max: 2_000 }), (days, widthPx) => {
        const ticks = ticksOf(days, widthPx);
        expect(ticks.every(({ label, timeMs }) => !label.includes(":") && timeMs % DAY_MS === 0)).toBe(true);
        const minimumPx = ticks[0]?.label.length === 7 ? 57 : 48;
        const distancesPx = ticks.slice(1).map((t, i) => ((t.timeMs - ticks[i]!.timeMs) * widthPx) / (days * DAY_MS));
        expect(Math.min(...distancesPx)).toBeGreaterThanOrEqual(minimumPx - 1e-6);
      }),
    );
  });

  test("label every day if there is room", () => {
    expect(ticksOf(3, 400).map((t) => t.label)).toEqual(["01-01", "01-02", "01-03", "01-04"]);
  });
});
