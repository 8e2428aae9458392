import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { formatRange, type TimeRange } from "#shared/time/range.ts";
import { endsOf, movingText, parseMoment, parseTypedRange, PRESETS, resolveMovingRange } from "#shared/time/typed.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { rangeWords as jobRange } from "#renderer/features/jobs/labels.ts";
import { momentText, rangeText } from "#renderer/features/range/labels.ts";
import { local, utcMinutes } from "#renderer/ui/text.ts";

const NOW = Date.UTC(2026, 10, 21, 14, 30, 5);
const moments = fc.integer({ min: Date.UTC(1980, 0, 7), max: Date.UTC(2200, 0) });
const firstMinutes = fc
  .tuple(fc.integer({ min: 1980, max: 2200 }), fc.integer({ min: 0, max: 11 }), fc.nat({ max: MINUTE_MS - 1 }))
  .map(([year, month, ms]) => Date.UTC(year, month) + ms);

function rangeOf(start: string, end: string, nowMs = NOW): readonly [number, number] | string {
  const typed = parseTypedRange(start, end, nowMs);
  return typed.ok ? [typed.range.startMs, typed.range.endMs] : typed.problem;
}

function isMoving(start: string, end: string): boolean {
  const typed = parseTypedRange(start, end, NOW);
  return typed.ok && typed.moving !== null;
}

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
    ["29 Nov 2026", Date.UTC(2026, 10, 29)],
    ["Sunday 29 November 2026", Date.UTC(2026, 10, 29)],
    ["22 Nov 2026, 11:18", Date.UTC(2026, 10, 22, 11, 18)],
    ["November 2026", Date.UTC(2026, 10)],
    ["14.11.2026", Date.UTC(2026, 10, 14)],
    ["14.11.2026 08:05", Date.UTC(2026, 10, 14, 8, 5)],
    ["2026-11-14 10:05 +02:00", Date.UTC(2026, 10, 14, 8, 5)],
    ["2024-366", Date.UTC(2024, 11, 31)],
    ["2026/001", Date.UTC(2026, 0, 1)],
    // 2026-11-21 is a Saturday, day 6 of GPS week 2445. GPS time is 18 s ahead of UTC, and was not in 1980.
    ["GPS 2445/6", Date.UTC(2026, 10, 20, 23, 59, 42)],
    ["gps week 2445", Date.UTC(2026, 10, 14, 23, 59, 42)],
    ["GPS 0", Date.UTC(1980, 0, 6)],
    ["now", NOW],
    ["Today", Date.UTC(2026, 10, 21)],
    ["yesterday", Date.UTC(2026, 10, 20)],
    ["this month", Date.UTC(2026, 10, 1)],
    ["last month", Date.UTC(2026, 9, 1)],
    ["last year", Date.UTC(2025, 0, 1)],
    ["-7d", NOW - 7 * DAY_MS],
    ["now-7d", NOW - 7 * DAY_MS],
    ["now - 1.5 hours", NOW - 1.5 * HOUR_MS],
    ["+2h", NOW + 2 * HOUR_MS],
    ["3 days ago", NOW - 3 * DAY_MS],
    ["2h ago", NOW - 2 * HOUR_MS],
    // 2026-11-21 is a Saturday.
    ["monday", Date.UTC(2026, 10, 16)],
    ["Last Saturday", Date.UTC(2026, 10, 21)],
    ["sunday", Date.UTC(2026, 10, 15)],
    // As the window shows them: this year, or the last if that day is still to come.
    ["11-14", Date.UTC(2026, 10, 14)],
    ["11-14 08:05", Date.UTC(2026, 10, 14, 8, 5)],
    ["12-24", Date.UTC(2025, 11, 24)],
    // Months and years are those of the calendar, with leap days.
    ["now-20y", Date.UTC(2006, 10, 21, 14, 30, 5)],
    ["-1.5 years", Date.UTC(2025, 4, 21, 14, 30, 5)],
    ["now-9mo", Date.UTC(2026, 1, 21, 14, 30, 5)],
    ["+3 months", Date.UTC(2027, 1, 21, 14, 30, 5)],
  ])("are read from %j", (text, moment) => expect(parseMoment(text, NOW)).toBe(moment));

  it("of an offset in months end on the last day of a shorter month", () => {
    const from = (text: string) => new Date(parseMoment(text, NOW)!).getTime();
    expect(parseMoment("+1mo", NOW, from("2026-01-31 08:00"))).toBe(from("2026-02-28 08:00"));
    expect(parseMoment("+20y", NOW, from("2004-02-29"))).toBe(from("2024-02-29"));
    expect(parseMoment("+1y", NOW, from("2024-02-29"))).toBe(from("2025-02-28"));
    expect(rangeOf("2000-01-01", "+20y")).toEqual([from("2000"), from("2020")]);
  });

  test.each([
    ["2026-02-30", "There is no day 30: February 2026 has 28 days."],
    ["2026-02-30 08:00", "There is no day 30: February 2026 has 28 days."],
    ["2024/4/31", "There is no day 31: April 2024 has 30 days."],
    ["2026-13-01", "There is no month 13: months are 01 to 12."],
    ["2026-11-14 25:00", "There is no hour 25: hours are 00 to 23."],
    ["2026-11-14T24:00", "There is no hour 24: write 00:00 of the next day."],
    ["2026-11-14 08:61", "There is no minute 61: minutes are 00 to 59."],
    ["2026-11-14 08:00:75", "There is no second 75 here: seconds are 00 to 59."],
    ["2026-366", "There is no day 366 of 2026: that year has 365 days."],
    ["GPS 2445/7", "There is no day 7 of a GPS week: days are 0 (Sunday) to 6."],
    ["31.11.2026", "There is no day 31: November 2026 has 30 days."],
    ["14/11/2026", "Write the year first, as in 2026-11-14."],
    ["now-7", /^The number has no unit. The units are s, min, h, d, w, mo \(month\) and y/],
    ["-7 moons", /^The units are/],
    ["-1.5mo", "Write whole months, as in now-18mo."],
    ["9999999d", /\.$/],
    ["2026-000", /\.$/],
    ["14 Novembre 2026", /\.$/],
    ["tomorrow morning", /^Write a time like 2026-11-14 08:00/],
  ])("are rejected with what is wrong: %j", (text, problem) => {
    expect(rangeOf(text, "")).toMatch(problem);
  });

  test("round-trip through their displayed text", () => {
    fc.assert(
      fc.property(moments, (m) => {
        expect(parseMoment(momentText(m), NOW)).toBe(m);
      }),
    );
  });
});

describe("typed ranges", () => {
  it("exclude their end, which must be after the start", () => {
    expect(rangeOf("2026-11-01", "2026-11-30")).toEqual([Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 30)]);
    expect(rangeOf("2026-11-14", "+12h")).toEqual([Date.UTC(2026, 10, 14), Date.UTC(2026, 10, 14, 12)]);
    expect(rangeOf("2026-11-01", "2026-11-01")).toContain("after the start");
  });

  it("without an end cover the day, week, month or year of the start, or last until now", () => {
    expect(rangeOf("2026-11-14", "")).toEqual([Date.UTC(2026, 10, 14), Date.UTC(2026, 10, 15)]);
    expect(rangeOf("2026-10", "")).toEqual([Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1)]);
    expect(rangeOf("GPS 2440", "")).toEqual([Date.UTC(2026, 9, 10, 23, 59, 42), Date.UTC(2026, 9, 17, 23, 59, 42)]);
    expect(rangeOf("2026-11-14 08:00", "")).toEqual([Date.UTC(2026, 10, 14, 8), NOW - 5_000]);
    expect(rangeOf("this year", "")).toEqual([Date.UTC(2026, 0, 1), NOW - 5_000]);
  });

  it("end after their start or are rejected with a message, for any text", () => {
    const token = fc.constantFrom("2026", "-11", "-31", " 08:00", "now", "-7", "+", "d", "h", " ", "x", "gps", "today");
    const text = fc.array(token, { maxLength: 4 }).map((tokens) => tokens.join(""));
    fc.assert(
      fc.property(text, text, (start, end) => {
        const typed = parseTypedRange(start, end, NOW);
        expect(typed.ok ? typed.range.endMs > typed.range.startMs : typed.problem.endsWith(".")).toBe(true);
      }),
    );
  });

  it("are moving only if an end depends on the clock", () => {
    expect(isMoving("2026-11-01", "now")).toBe(true);
    expect(isMoving("-7d", "+2h")).toBe(true);
    expect(isMoving("2026-11-01", "")).toBe(false);
    expect(isMoving("2026-11-01", "+12h")).toBe(false);
    expect(isMoving("2026-11-01 08:00", "")).toBe(true);
  });
});

describe("presets", () => {
  it("are not empty, end after now only in the first minute of a period, and end in the current minute if their end is now", () => {
    fc.assert(
      fc.property(fc.oneof(moments, firstMinutes), fc.constantFrom(...PRESETS), (nowMs, preset) => {
        const range = resolveMovingRange(preset, nowMs)!;
        expect(range.startMs).toBeLessThan(range.endMs);
        // In the first minute of a day, month or year, the range is that minute.
        expect(range.endMs).toBeLessThanOrEqual(Math.max(nowMs, range.startMs + MINUTE_MS));
        expect(preset.end !== "now" || Math.abs(nowMs - range.endMs) <= MINUTE_MS).toBe(true);
      }),
    );
  });

  it("move with the clock: today becomes yesterday a day later", () => {
    const today = resolveMovingRange({ start: "today", end: "now" }, NOW)!;
    const tomorrow = resolveMovingRange({ start: "yesterday", end: "today" }, NOW + DAY_MS)!;
    expect(tomorrow).toEqual({ startMs: today.startMs, endMs: today.startMs + DAY_MS });
  });
});

describe("both ends in one text", () => {
  test.each([
    ["2026-11-14 08:00 → 2026-11-15 09:00 UTC", "2026-11-14 08:00", "2026-11-15 09:00 UTC"],
    ["2026-11-14T08:00Z/2026-11-15T09:00Z", "2026-11-14T08:00Z", "2026-11-15T09:00Z"],
    [" 2026-11-14 to 2026-11-16\n", "2026-11-14", "2026-11-16"],
    ["2026-11-14 - 2026-11-16", "2026-11-14", "2026-11-16"],
    ["2026-11-14\t2026-11-16", "2026-11-14", "2026-11-16"],
    ["now-7d .. now", "now-7d", "now"],
  ])("are read from %j", (text, start, end) => expect(endsOf(text, NOW)).toEqual({ start, end }));

  test.each(["", "today", "GPS 2445/6", "2026/325", "2026/11/14", "Kallio to Torsvika", "2026-11-16 → 2026-11-14"])(
    "are not found in %j",
    (text) => expect(endsOf(text, NOW)).toBeNull(),
  );

  it("are read from every text by which the window shows a range", () => {
    const texts: readonly ((range: TimeRange) => string)[] = [
      rangeText,
      jobRange,
      ({ startMs, endMs }) => `${local(startMs)} → ${local(endMs)}`,
      ({ startMs, endMs }) => `${utcMinutes(startMs)} → ${utcMinutes(endMs)} UTC`,
      formatRange,
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        moments,
        fc.integer({ min: 1, max: 400 * 24 * 60 }),
        (written, from, minutes) => {
          const startMs = Math.floor(from / MINUTE_MS) * MINUTE_MS;
          const range = { startMs, endMs: startMs + minutes * MINUTE_MS };
          const ends = endsOf(written(range), NOW);
          expect(ends && rangeOf(ends.start, ends.end)).toEqual([range.startMs, range.endMs]);
        },
      ),
    );
  });

  it("are read from the text of a range that moves with the clock", () => {
    for (const { start, end } of PRESETS) {
      const text = movingText({ start, end });
      const ends = endsOf(text, NOW) ?? { start: text, end: "" };
      expect(resolveMovingRange(ends, NOW)).toEqual(resolveMovingRange({ start, end }, NOW));
    }
  });

  test.each([
    ["11-25 12:25 → 13:00", "11-25 12:25", "11-25 13:00"],
    ["2026-11-22 11:12 → 11-29 11:12 UTC", "2026-11-22 11:12", "2026-11-29 11:12 UTC"],
    ["22 Nov 2026, 11:18 → 29 Nov 2026, 11:18", "22 Nov 2026, 11:18", "29 Nov 2026, 11:18"],
  ])("may share a part: %j", (text, start, end) =>
    expect(endsOf(text, Date.UTC(2026, 10, 30))).toEqual({ start, end }),
  );
});
