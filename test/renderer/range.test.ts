import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durationMs } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { createZoom, stepRange, zoomRange } from "../../src/renderer/features/range/move.ts";
import { parseMoment, parseRange } from "../../src/renderer/features/range/parse.ts";
import { presets } from "../../src/renderer/features/range/presets.ts";
import { lengthText, momentText, rangeText } from "../../src/renderer/features/range/words.ts";

const NOW = Date.UTC(2026, 10, 21, 14, 30, 5);
const moments = fc.integer({ min: Date.UTC(1980, 0), max: Date.UTC(2200, 0) });
const ranges = fc.tuple(moments, fc.integer({ min: 1, max: 20 * 365 * DAY_MS })).map(([startMs, length]) => ({
  startMs,
  endMs: startMs + length,
}));

describe("typed moments", () => {
  test.each([
    ["2026-11-14 08:05", Date.UTC(2026, 10, 14, 8, 5)],
    ["2026-11-14T08:05:30Z", Date.UTC(2026, 10, 14, 8, 5, 30)],
    ["2026-11-14 08:05:30.250 UTC", Date.UTC(2026, 10, 14, 8, 5, 30, 250)],
    ["2026-11-14T08:00+02:00", Date.UTC(2026, 10, 14, 6)],
    [" 2026/3/9 8 ", Date.UTC(2026, 2, 9, 8)],
    ["2026.11.14", Date.UTC(2026, 10, 14)],
    ["2026-11", Date.UTC(2026, 10, 1)],
    ["2026", Date.UTC(2026, 0, 1)],
    ["now", NOW],
    ["Today", Date.UTC(2026, 10, 21)],
    ["yesterday", Date.UTC(2026, 10, 20)],
    ["-7d", NOW - 7 * DAY_MS],
    ["- 1.5 hours", NOW - 1.5 * HOUR_MS],
    ["+2h", NOW + 2 * HOUR_MS],
  ])("%s", (text, moment) => expect(parseMoment(text, "start", NOW)).toBe(moment));

  test.each([
    "",
    "tomorrow morning",
    "2026-13",
    "2026-02-30",
    "2026-11-14 25:00",
    "14.11.2026",
    "-7",
    "-7 moons",
    "9999999d",
  ])("%j is none", (text) => expect(parseMoment(text, "start", NOW)).toBeNull());

  test("at the end, a day, a month or a year is meant with all of it", () => {
    expect(parseRange("2026-11-01", "2026-11-30", NOW)).toEqual(parseRange("2026-11", "2026-11", NOW));
    expect(parseRange("2026", "2026", NOW)).toMatchObject({ range: { endMs: Date.UTC(2027, 0, 1) } });
    expect(parseRange("2026-11-14", "+12h", NOW)).toMatchObject({ range: { endMs: Date.UTC(2026, 10, 14, 12) } });
  });

  test("what is shown can be typed", () => {
    fc.assert(
      fc.property(moments, (m) => {
        expect(parseMoment(momentText(m), "end", NOW)).toBe(m);
      }),
    );
  });

  test("whatever is typed, there is a range with an end after its start, or a sentence", () => {
    const piece = fc.constantFrom("2026", "-11", "-31", " 08:00", "now", "-7", "+", "d", "h", " ", "x");
    const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, text, (start, end) => {
        const typed = parseRange(start, end, NOW);
        expect(typed.ok ? typed.range.endMs > typed.range.startMs : typed.problem.endsWith(".")).toBe(true);
      }),
    );
  });
});

describe("steps and zoom", () => {
  test("a step there and a step back is where one was; neighbours touch", () => {
    fc.assert(
      fc.property(ranges, (range) => {
        const after = stepRange(range, 1);
        expect(after.startMs).toBe(range.endMs);
        expect(stepRange(after, -1)).toEqual(range);
      }),
    );
  });
  test("whole months step by whole months", () => {
    const november = { startMs: Date.UTC(2026, 10, 1), endMs: Date.UTC(2026, 11, 1) };
    expect(stepRange(november, -1)).toEqual({ startMs: Date.UTC(2026, 9, 1), endMs: november.startMs });
    expect(stepRange(november, 1)).toEqual({ startMs: november.endMs, endMs: Date.UTC(2027, 0, 1) });
  });
  test("zoom keeps the middle and is never empty", () => {
    fc.assert(
      fc.property(ranges, fc.constantFrom(0.5, 2), (range, factor) => {
        const zoomed = zoomRange(range, factor);
        expect(durationMs(zoomed)).toBeGreaterThanOrEqual(9_000);
        expect(Math.abs(zoomed.startMs + zoomed.endMs - range.startMs - range.endMs)).toBeLessThanOrEqual(2_000);
      }),
    );
  });
  test("each step of zoom undoes the one before in the other direction, from whatever range", () => {
    const turns = fc.array(fc.constantFrom("shorter" as const, "longer" as const), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(ranges, turns, (range, steps) => {
        const zoom = createZoom();
        const way = [range];
        for (const step of steps) {
          const before = way.at(-1)!;
          const after = zoom[step](before);
          // Where there is no further step, there is none to undo.
          if (after === before) continue;
          expect(zoom[step === "shorter" ? "longer" : "shorter"](after)).toEqual(before);
          expect(zoom[step](before)).toEqual(after);
          way.push(after);
        }
      }),
    );
  });
  test("eight steps in and eight out are where one was; a range that was chosen in between begins anew", () => {
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
  test("at the end of time it stays", () => {
    const last = { startMs: Date.UTC(9999, 0, 1), endMs: Date.UTC(9999, 11, 1) };
    expect(stepRange(last, 1)).toEqual(last);
    expect(zoomRange(last, 2)).toEqual(last);
  });
});

test("presets hold or touch now", () => {
  fc.assert(
    fc.property(moments, (nowMs) => {
      for (const { id, range } of presets(nowMs)) {
        expect(range.startMs).toBeLessThan(range.endMs);
        expect(id === "lastMonth" ? range.endMs <= nowMs : range.startMs <= nowMs && nowMs <= range.endMs).toBe(true);
      }
    }),
  );
});

test("ranges in words", () => {
  const week = { startMs: Date.UTC(2026, 10, 14), endMs: Date.UTC(2026, 10, 21) };
  expect(rangeText(week)).toBe("2026-11-14 00:00 → 11-21 00:00 UTC");
  expect(rangeText({ ...week, endMs: Date.UTC(2027, 0, 1, 0, 0, 30) })).toBe(
    "2026-11-14 00:00 → 2027-01-01 00:00:30 UTC",
  );
  expect([lengthText(week), lengthText({ ...week, endMs: week.startMs + HOUR_MS })]).toEqual(["7 d", "60 min"]);
  expect(lengthText({ startMs: Date.UTC(1800, 0), endMs: Date.UTC(2026, 0) })).toBe("82,545 d");
});
