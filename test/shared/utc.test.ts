import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { floorToInterval, formatRange } from "#shared/time/range.ts";
import { formatUtc, formatUtcShort, MINUTE_MS, parseUtc } from "#shared/time/utc.ts";

/** Texts with the time that each means; null: the text is rejected. */
const texts: [text: string, iso: string | null][] = [
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T12:30", "2026-01-01T12:30:00.000Z"],
  ["2026-01-01 12:30:15,25", "2026-01-01T12:30:15.250Z"],
  ["2026-01-01t12:30:15.123456789z", "2026-01-01T12:30:15.123Z"],
  ["2026-01-01T00:00:00+05:45", "2025-12-31T18:15:00.000Z"],
  ["2026-01-01T00:00:00-0330", "2026-01-01T03:30:00.000Z"],
  ["2026-01-01T00:00:00+14", "2025-12-31T10:00:00.000Z"],
  // A leap second is the first moment of the next minute.
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
  ["2016-12-31T23:59:60.500Z", "2017-01-01T00:00:00.500Z"],
  ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
  ["2038-01-19T03:14:08Z", "2038-01-19T03:14:08.000Z"],
  ["1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  ["0099-03-01T00:00:00Z", "0099-03-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ["2023-02-29T00:00:00Z", null],
  ["2026-04-31", null],
  ["2026-13-01", null],
  ["2026-00-10", null],
  ["2026-01-00", null],
  ["2026-01-01T25:00:00Z", null],
  ["2017-01-01T00:59:60+01:00", "2017-01-01T00:00:00.000Z"],
  ["2026-01-01T00:00:60Z", null],
  ["2016-12-31T23:59:60+01:00", null],
  ["2026-01-01T00:60:00Z", null],
  ["2026-01-01T00:00:61Z", null],
  ["2026-01-01T00:00:00+19:00", null],
  ["2026-01-01T00:00:00+05:60", null],
  ["9999-12-31T23:59:60Z", null],
  ["0000-01-01", null],
  ["0001-01-01T00:00:00+01:00", null],
  ["2026-1-1", null],
  ["01/02/2026", null],
  ["yesterday", null],
  [" 2026-01-01", null],
  ["2026-01-01Z", null],
  ["+002026-01-01T00:00:00Z", null],
  ["1767225600000", null],
  ["", null],
];

function two(n: number): string {
  return String(Math.floor(n)).padStart(2, "0");
}

describe("parseUtc", () => {
  it.each(texts)("parses or rejects %j", (text, iso) => {
    const moment = parseUtc(text);
    expect(moment === null ? null : formatUtc(moment)).toBe(iso);
  });

  it("round-trips every formatted time exactly", () => {
    const moments = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });
    fc.assert(
      fc.property(moments, (moment) => {
        expect(parseUtc(formatUtc(moment))).toBe(moment);
        expect(parseUtc(formatUtcShort(moment))).toBe(moment);
      }),
      { numRuns: 1_000 },
    );
  });

  it("applies the offset in minutes", () => {
    const offsets = fc.integer({ min: -18 * 60, max: 18 * 60 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), offsets, (moment, minutes) => {
        const offset = `${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
        expect(parseUtc(formatUtc(moment).replace("Z", offset))).toBe(moment - minutes * MINUTE_MS);
      }),
    );
  });

  it("does not throw for any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(Z|[+-]\d{4})$/)),
        (text) => {
          const moment = parseUtc(text);
          expect(moment === null || Number.isSafeInteger(moment)).toBe(true);
        },
      ),
    );
  });
});

describe("the computer's time zone", () => {
  const originalZone = process.env.TZ;
  afterEach(() => {
    if (originalZone === undefined) delete process.env.TZ;
    else process.env.TZ = originalZone;
  });

  // Moments at which these zones skip, repeat or drop time: an hour, half an hour, a whole day.
  const moments = [
    "2026-03-29T01:00:00Z",
    "2026-10-25T01:30:00Z",
    "2026-04-04T15:15:00Z",
    "2026-10-03T15:45:00Z",
    "2011-12-30T12:00:00Z",
    "1985-12-31T18:30:00Z",
    "1970-01-01T00:00:00Z",
  ];
  const read = () =>
    moments.map((text) => {
      const moment = parseUtc(text)!;
      const local = parseUtc(text.slice(0, -1))!;
      return [
        moment,
        local,
        formatUtc(moment),
        formatRange({ startMs: moment, endMs: local }),
        floorToInterval(moment, 86_400),
      ];
    });

  it.each([
    ["Europe/Helsinki", -120],
    ["Australia/Lord_Howe", -660],
    ["Asia/Kathmandu", -345],
    ["Pacific/Apia", -780],
  ])("does not affect times: %s", (zone, offsetMinutes) => {
    process.env.TZ = "UTC";
    const expected = read();
    process.env.TZ = zone;
    expect(new Date("2026-01-01T00:00:00Z").getTimezoneOffset()).toBe(offsetMinutes);
    expect(read()).toEqual(expected);
    expect(read().every(([moment, local]) => moment === local)).toBe(true);
  });
});
