import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { paddedBounds, valueTicks, valueTickText } from "#shared/plot/scale.ts";
import { timeTicks } from "#shared/plot/timeTicks.ts";
import { widen, rangeBetween, panBy, snapToUnits, MIN_VIEW_MS, zoomAt } from "#renderer/plot/view.ts";

const views = fc
  .tuple(
    fc.integer({ min: Date.UTC(1980, 0), max: Date.UTC(2100, 0) }),
    fc.double({ min: Math.log(MIN_VIEW_MS), max: Math.log(30 * 365 * DAY_MS), noNaN: true }),
  )
  .map(([startMs, length]) => ({ startMs, endMs: startMs + Math.exp(length) }));

describe("ticks of the time axis", () => {
  test("ascend strictly within the view, with enough space for their labels", () => {
    fc.assert(
      fc.property(views, fc.integer({ min: 400, max: 4_000 }), (view, width) => {
        const ticks = timeTicks(view, width).map((t) => t.timeMs);
        expect(ticks.every((t, i) => t >= view.startMs && t <= view.endMs && (i === 0 || t > ticks[i - 1]!))).toBe(
          true,
        );
        // Months differ in length.
        const least = Math.min(...ticks.slice(1).map((t, i) => t - ticks[i]!)) * (width / (view.endMs - view.startMs));
        expect(least).toBeGreaterThan(84 * 0.89);
      }),
    );
  });

  test("are in UTC, and label each day and year once", () => {
    const startMs = Date.UTC(2026, 10, 14, 20);
    const hours = timeTicks({ startMs, endMs: startMs + 12 * HOUR_MS }, 600);
    expect(hours.map((t) => `${t.label} ${t.context ?? ""}`.trim())).toEqual([
      "20:00 2026-11-14",
      "22:00",
      "00:00 2026-11-15",
      "02:00",
      "04:00",
      "06:00",
      "08:00",
    ]);
    const months = timeTicks({ startMs: Date.UTC(2025, 10, 20), endMs: Date.UTC(2026, 3, 2) }, 600);
    expect(months.map((t) => t.label)).toEqual(["2025-12", "2026-01", "2026-02", "2026-03", "2026-04"]);
  });
});

test("ticks of values ascend strictly within the bounds, with different labels and a limited number", () => {
  const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(
      value,
      fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
      fc.integer({ min: 1, max: 20 }),
      (low, span, most) => {
        const { values, decimals } = valueTicks(low, low + span, most);
        expect(values.length).toBeLessThanOrEqual(most + 1);
        expect(values.every((v, i) => v >= low && v <= low + span && (i === 0 || v > values[i - 1]!))).toBe(true);
        expect(decimals > 12 || new Set(values.map((v) => v.toFixed(decimals))).size === values.length).toBe(true);
      },
    ),
  );
  expect(valueTicks(Number.NaN, 1, 5).values).toEqual([]);
  expect(valueTicks(2, 2, 5).values).toEqual([]);
});

function labels(min: number, max: number): readonly string[] {
  const ticks = valueTicks(min, max, 5);
  return ticks.values.map((value) => valueTickText(value, ticks));
}

test("labels of ticks are short and different at any magnitude", () => {
  expect(labels(2_380, 2_420)).toEqual(["2,380", "2,390", "2,400", "2,410", "2,420"]);
  expect(labels(-1e300, 1e300)).toEqual(["−1e300", "−5e299", "0", "5e299", "1e300"]);
  expect(labels(0, 4e-12)).toEqual(["0", "1e−12", "2e−12", "3e−12", "4e−12"]);
  fc.assert(
    fc.property(
      fc.double({ min: -1e300, max: 1e300, noNaN: true }),
      fc.double({ min: 1e-3, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 20 }),
      (low, share, most) => {
        const ticks = valueTicks(low, low + Math.max(1e-300, Math.abs(low)) * share, most);
        const texts = ticks.values.map((value) => valueTickText(value, ticks));
        expect(new Set(texts).size).toBe(texts.length);
        for (const text of texts) expect(text.length).toBeLessThanOrEqual(14);
      },
    ),
  );
});

test("padded bounds exclude no value and are never empty", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1e5, max: 1e5, noNaN: true }),
      fc.double({ min: 0, max: 1e5, noNaN: true }),
      (low, span) => {
        const [from, to] = paddedBounds(low, low + span);
        expect(from).toBeLessThan(low);
        expect(to).toBeGreaterThan(low + span);
      },
    ),
  );
  expect(paddedBounds(Number.NaN, Number.NaN)).toEqual([Number.NaN, Number.NaN]);
});

describe("movements of the view", () => {
  test("keep the time under the cursor while zooming, and end by now", () => {
    fc.assert(
      fc.property(
        views,
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (view, factor, share, later) => {
          const span = view.endMs - view.startMs;
          const moment = view.startMs + share * span;
          const now = view.endMs + later * span;
          const next = zoomAt(view, factor, moment, now);
          // A view that begins with the first year grows at its end.
          const isFirst = next.startMs <= Date.UTC(1950, 0, 1);
          expect(isFirst || next.endMs <= Math.max(now, view.endMs) + 1).toBe(true);
          expect(next.endMs - next.startMs).toBeGreaterThanOrEqual(MIN_VIEW_MS * 0.999);
          const lastMs = Math.min(Date.UTC(2150, 0, 1), Math.max(now, view.endMs));
          const isAtEdge = isFirst || next.endMs >= lastMs - 1;
          const shareNow = (moment - next.startMs) / (next.endMs - next.startMs);
          expect(isAtEdge || Math.abs(shareNow - share) < 1e-4).toBe(true);
        },
      ),
    );
  });

  test("end at whole seconds, at most a pixel or half a second away", () => {
    fc.assert(
      fc.property(views, (view) => {
        const kept = snapToUnits(view);
        expect([kept.startMs % 1_000, kept.endMs % 1_000].map(Math.abs)).toEqual([0, 0]);
        expect(kept.endMs).toBeGreaterThan(kept.startMs);
        const pixel = Math.max(500, (view.endMs - view.startMs) / 1_000);
        expect(Math.abs(kept.startMs - view.startMs)).toBeLessThanOrEqual(pixel);
        expect(snapToUnits(kept)).toEqual(kept);
      }),
    );
  });

  test("select a range of at least the minimum length by dragging in either direction, pan and widen", () => {
    expect(rangeBetween(500_000, 100_000)).toEqual({ startMs: 100_000, endMs: 500_000 });
    expect(rangeBetween(1_000, 1_000).endMs - rangeBetween(1_000, 1_000).startMs).toBe(MIN_VIEW_MS);
    expect(panBy({ startMs: 0, endMs: 10 }, 5)).toEqual({ startMs: 5, endMs: 15 });
    expect(widen({ startMs: 100, endMs: 200 }, 3)).toEqual({ startMs: 0, endMs: 300 });
  });
});
