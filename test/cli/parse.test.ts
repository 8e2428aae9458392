import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VARIABLE_NAMES } from "#shared/service/variables.ts";
import { isEmpty, monthOf } from "#shared/time/range.ts";
import { DAY_MS, formatUtc, MINUTE_MS } from "#shared/time/utc.ts";
import {
  parseDuration,
  parseInterval,
  parseMoment,
  parseRange,
  parseVariables,
  type RangeWords,
} from "#main/cli/options/parse.ts";
import { valueOf } from "../support/valueOf.ts";

const NOW = Date.UTC(2026, 10, 21, 12, 34, 56, 789);
const moment = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2060, 0, 1) });

describe("durations", () => {
  const units = { s: 1, m: 60, min: 60, h: 3_600, d: 86_400, w: 604_800 } as const;

  it("parseDuration multiplies a number by its unit", () => {
    const unit = fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[]));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), unit, (n, u) => {
        expect(valueOf(parseDuration(`${n}${u}`))).toBe(n * units[u]);
      }),
    );
  });

  it.each(["", "0h", "-5m", "1.5h", "7x", "h", "1d12h", "1e3", "٣h"])(
    "parseDuration rejects “%s” with a message",
    (text) => {
      expect(parseDuration(text)).toEqual({ ok: false, error: expect.stringContaining("is not a duration") });
    },
  );

  it.each(["7", " 900 ", "00"])("parseDuration requires a unit: “%s”", (text) => {
    expect(parseDuration(text)).toEqual({ ok: false, error: expect.stringMatching(/has no unit\..* 6h or 7d\.$/) });
  });
});

describe("ranges", () => {
  it("--from and --to are exact to the millisecond", () => {
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const parsed = parseRange({ from: formatUtc(a), to: formatUtc(b) }, NOW);
        const expected = a < b ? { ok: true, value: { startMs: a, endMs: b } } : { ok: false };
        expect(parsed).toMatchObject(expected);
      }),
    );
  });

  it("an open end, and the end of --last, is the current time rounded down to a minute", () => {
    const endMs = Date.UTC(2026, 10, 21, 12, 34);
    expect(valueOf(parseRange({ from: "2026-11-01" }, NOW))).toEqual({ startMs: Date.UTC(2026, 10, 1), endMs });
    for (const from of ["2026-11-01/2026-11-03", "2026-11-01 00:00 → 11-03 00:00 UTC"])
      expect(valueOf(parseRange({ from }, NOW))).toEqual({
        startMs: Date.UTC(2026, 10, 1),
        endMs: Date.UTC(2026, 10, 3),
      });
    expect(valueOf(parseRange({ last: "7d" }, NOW))).toEqual({ startMs: endMs - 7 * DAY_MS, endMs });
    fc.assert(
      fc.property(moment, (nowMs) => {
        const range = valueOf(parseRange({ last: "1h" }, nowMs));
        expect(range.endMs % MINUTE_MS).toBe(0);
        expect(nowMs - range.endMs).toBeLessThan(MINUTE_MS);
      }),
    );
  });

  it("a month consists of its days, and follows the previous month without a gap", () => {
    fc.assert(
      fc.property(moment, (at) => {
        const month = monthOf(at);
        expect(month.startMs).toBeLessThanOrEqual(at);
        expect(month.endMs).toBeGreaterThan(at);
        expect(monthOf(at, -1).endMs).toBe(month.startMs);
        const word = formatUtc(at).slice(0, 7);
        expect(valueOf(parseRange({ month: word }, NOW))).toEqual(month);
        let dayMs = month.startMs;
        while (dayMs < month.endMs) {
          const day = valueOf(parseRange({ day: formatUtc(dayMs).slice(0, 10) }, NOW));
          expect(day.startMs).toBe(dayMs);
          dayMs = day.endMs;
        }
        expect(dayMs).toBe(month.endMs);
      }),
      { numRuns: 50 },
    );
  });

  it.each<RangeWords>([
    {},
    { to: "2026-10-01" },
    { last: "7d", month: "2026-10" },
    { from: "2026-10-01", day: "2026-10-05" },
    { month: "2026-13" },
    { month: "2026-1" },
    { day: "2026-02-30" },
    { day: "2026-10-05T00:00:00Z" },
    { from: "the day before" },
    { last: "100000d" },
  ])("%j is rejected with a message", (words) => {
    const parsed = parseRange(words, NOW);
    expect(parsed.ok ? "" : parsed.error).toMatch(/[.)]$/);
  });

  it("any text is parsed without an exception or an empty range", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        for (const words of [{ from: a, to: b }, { last: a }, { month: a }, { day: a }]) {
          const parsed = parseRange(words, NOW);
          expect(parsed.ok && isEmpty(parsed.value)).toBe(false);
        }
        expect([parseMoment(a, NOW), parseVariables(a), parseInterval(a)]).toHaveLength(3);
      }),
    );
  });
});

describe("variables", () => {
  it("are listed once each, in any case and with spaces", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...VARIABLE_NAMES), { minLength: 1 }), (names) => {
        const text = names.map((n, i) => (i % 2 ? ` ${n.toUpperCase()} ` : n)).join(",");
        expect(new Set(valueOf(parseVariables(text)))).toEqual(new Set(names));
        expect(valueOf(parseVariables(text))).toHaveLength(new Set(names).size);
      }),
    );
  });

  it("are rejected if unknown, with a list of the known ones", () => {
    expect(parseVariables("ztd,ztdd")).toEqual({ ok: false, error: expect.stringMatching(/ztdd.*ztd_sigma/) });
    expect(parseVariables(",").ok).toBe(false);
  });
});
