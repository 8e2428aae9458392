import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durationMs } from "#shared/time/range.ts";
import { DAY_MS, FIRST_MOMENT_MS, HOUR_MS } from "#shared/time/utc.ts";
import { createZoom, stepRange, zoomRange } from "#renderer/features/range/move.ts";
import { movingText, PRESETS } from "#shared/time/typed.ts";
import { lengthText, rangeText } from "#renderer/features/range/labels.ts";

const NOW = Date.UTC(2026, 10, 21, 14, 30, 5);
const moments = fc.integer({ min: Date.UTC(1980, 0), max: Date.UTC(2200, 0) });
const ranges = fc.tuple(moments, fc.integer({ min: 1, max: 20 * 365 * DAY_MS })).map(([startMs, length]) => ({
  startMs,
  endMs: startMs + length,
}));

describe("stepping and zooming a range", () => {
  test("steps to the adjacent range and back", () => {
    fc.assert(
      fc.property(ranges, (range) => {
        const after = stepRange(range, 1);
        expect(after.startMs).toBe(range.endMs);
        expect(stepRange(after, -1)).toEqual(range);
      }),
    );
  });
  test("steps whole months by a month", () => {
    const november = { startMs: Date.UTC(2026, 10, 1), endMs: Date.UTC(2026, 11, 1) };
    expect(stepRange(november, -1)).toEqual({ startMs: Date.UTC(2026, 9, 1), endMs: november.startMs });
    expect(stepRange(november, 1)).toEqual({ startMs: november.endMs, endMs: Date.UTC(2027, 0, 1) });
  });
  test("zooms around the middle, never to an empty range", () => {
    fc.assert(
      fc.property(ranges, fc.constantFrom(0.5, 2), (range, factor) => {
        const zoomed = zoomRange(range, factor, Infinity);
        expect(durationMs(zoomed)).toBeGreaterThanOrEqual(9_000);
        expect(Math.abs(zoomed.startMs + zoomed.endMs - range.startMs - range.endMs)).toBeLessThanOrEqual(2_000);
      }),
    );
  });
  test("undoes each zoom step by a step in the other direction", () => {
    const turns = fc.array(fc.constantFrom("shorter" as const, "longer" as const), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(ranges, turns, (range, steps) => {
        const zoom = createZoom();
        const way = [range];
        for (const step of steps) {
          const before = way.at(-1)!;
          const after = zoom[step](before);
          // At a limit there is no step to undo.
          if (after === before) continue;
          expect(zoom[step === "shorter" ? "longer" : "shorter"](after)).toEqual(before);
          expect(zoom[step](before)).toEqual(after);
          way.push(after);
        }
      }),
    );
  });
  test("restores a range after eight zoom steps in and out, and starts again at a range chosen in between", () => {
    const zoom = createZoom();
    const week = { startMs: NOW - 7 * DAY_MS, endMs: NOW };
    const times = (n: number, from: typeof week, step: (range: typeof week) => typeof week) =>
      Array.from({ length: n }).reduce<typeof week>((range) => step(range), from);
    const near = times(8, week, zoom.shorter);
    expect(durationMs(near)).toBeLessThan(HOUR_MS);
    expect(times(8, near, zoom.longer)).toEqual(week);
    const moved = stepRange(near, 1);
    expect(times(3, times(3, moved, zoom.longer), zoom.shorter)).toEqual(moved);
  });
  test("stops at the end of the supported time", () => {
    const last = { startMs: Date.UTC(9999, 0, 1), endMs: Date.UTC(9999, 11, 1) };
    expect(stepRange(last, 1)).toEqual(last);
    const first = { startMs: FIRST_MOMENT_MS, endMs: FIRST_MOMENT_MS + DAY_MS };
    expect(zoomRange(first, 2, NOW)).toEqual(first);
  });
  test("extends a range that ends by now into the past only, and another one to both sides", () => {
    const week = { startMs: NOW - 7 * DAY_MS, endMs: NOW - HOUR_MS };
    expect(zoomRange(week, 2, NOW)).toEqual({ startMs: NOW - 2 * durationMs(week), endMs: NOW });
    const past = { startMs: NOW - 30 * DAY_MS, endMs: NOW - 28 * DAY_MS };
    expect(zoomRange(past, 2, NOW)).toEqual({ startMs: NOW - 31 * DAY_MS, endMs: NOW - 27 * DAY_MS });
  });
});

test("a preset is shown by its title, another moving range as it was typed", () => {
  for (const preset of PRESETS) expect(movingText({ start: preset.start, end: preset.end })).toBe(preset.title);
  expect(movingText({ start: "now-3h", end: "now" })).toBe("now-3h → now");
  expect(movingText({ start: "this year", end: "" })).toBe("this year");
});

test("ranges and lengths are shown as text", () => {
  const week = { startMs: Date.UTC(2026, 10, 14), endMs: Date.UTC(2026, 10, 21) };
  expect(rangeText(week)).toBe("2026-11-14 00:00 → 11-21 00:00 UTC");
  expect(rangeText({ ...week, endMs: Date.UTC(2027, 0, 1, 0, 0, 30) })).toBe(
    "2026-11-14 00:00 → 2027-01-01 00:00:30 UTC",
  );
  expect([lengthText(week), lengthText({ ...week, endMs: week.startMs + HOUR_MS })]).toEqual(["7 d", "60 min"]);
  expect(lengthText({ ...week, endMs: week.startMs + 250 })).toBe("0.25 s");
  expect(lengthText({ startMs: Date.UTC(1800, 0), endMs: Date.UTC(2026, 0) })).toBe("82,545 d");
});
