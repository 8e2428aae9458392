import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TimesIn } from "#main/analysis/gaps.ts";
import { verdicts, type VerdictInput } from "#main/analysis/verdict.ts";
import { difference, rangeSet } from "#shared/time/rangeset.ts";
import { runsOf } from "#shared/time/runs.ts";
import { HOUR_MS } from "#shared/time/utc.ts";

const span = (startMs: number, endMs: number) => ({ startMs, endMs });
const hours = (from: number, to: number) => span(from * HOUR_MS, to * HOUR_MS);

/** Values each 30 s in the hours that have them. */
const valuesIn =
  (has: (hour: number) => boolean): TimesIn =>
  (range) => {
    const moments = [];
    for (let timeMs = range.startMs; timeMs < range.endMs; timeMs += 30_000)
      if (has(Math.floor(timeMs / HOUR_MS))) moments.push(timeMs);
    return runsOf(Float64Array.from(moments));
  };

describe("verdicts", () => {
  const input: VerdictInput = {
    stationId: "s",
    variable: "ztd",
    range: hours(0, 10),
    requestable: hours(1, 9),
    coverage: { final: [hours(1, 4)], provisional: [{ range: hours(7, 8), fetchedAtMs: 0 }] },
    refusal: null,
    hasEverSent: true,
    failures: [{ range: hours(5, 7), reason: "too large" }],
    stepSeconds: 30,
    areMeans: false,
    timesIn: valuesIn(() => false),
  };
  const states = (more: Partial<VerdictInput> = {}) =>
    verdicts({ ...input, ...more }).map(({ range, state, rows }) => [range.startMs / HOUR_MS, state, rows]);

  it("report the result of every part of the range", () => {
    expect(states()).toEqual([
      [0, "empty", 0],
      [1, "empty", 0],
      [4, "notRequested", 0],
      [5, "failed", 0],
      [7, "stale", 0],
      [8, "notRequested", 0],
      [9, "stale", 0],
    ]);
    expect(verdicts(input).find((v) => v.state === "failed")!.reason).toBe("too large");
  });

  it("remain ok for final data if the station has become forbidden", () => {
    expect(states({ refusal: "no", timesIn: valuesIn((hour) => hour < 4) })).toEqual([
      [0, "forbidden", 120],
      [1, "ok", 360],
      [4, "forbidden", 0],
    ]);
  });

  it("tell how much is missing of what is final, and that everything has arrived of what is not", () => {
    const whole = { requestable: hours(0, 10), failures: [] };
    const final = { ...whole, coverage: { final: [hours(0, 10)], provisional: [] } };
    const of = (more: Partial<VerdictInput>) => verdicts({ ...input, ...more }).map((v) => [v.state, v.reason]);
    expect(of({ ...final, timesIn: valuesIn((hour) => hour < 6) })).toEqual([
      ["partial", "1970-01-01T06:00:00Z → 1970-01-01T10:00:00Z is missing."],
    ]);
    expect(of({ ...final, timesIn: valuesIn((hour) => hour !== 2 && hour < 7) })).toEqual([
      ["partial", "4.0 h in 2 gaps are missing, the longest 1970-01-01T07:00:00Z → 1970-01-01T10:00:00Z."],
    ]);
    const open = {
      ...whole,
      coverage: { final: [], provisional: [{ range: hours(0, 10), fetchedAtMs: 0 }] },
      timesIn: valuesIn(() => true),
    };
    expect(of(open)).toEqual([["ok", null]]);
    expect(of({ ...open, areMeans: true })).toEqual([["stale", "The means may still change."]]);
    // No epoch of the variable lies in it.
    const between = { ...input.coverage, final: [span(1_000, 29_000)] };
    expect(of({ ...whole, range: span(1_000, 29_000), coverage: between })).toEqual([["ok", null]]);
  });

  it("are one where two downloads met between two epochs", () => {
    const provisional = [span(0, 4 * HOUR_MS + 4_125), span(4 * HOUR_MS + 30_000, 10 * HOUR_MS)];
    const coverage = {
      final: [span(4 * HOUR_MS + 4_125, 4 * HOUR_MS + 30_000)],
      provisional: provisional.map((range) => ({ range, fetchedAtMs: 0 })),
    };
    expect(states({ requestable: hours(0, 10), failures: [], coverage })).toEqual([[0, "stale", 0]]);
  });

  it("are not ok where an hour is missing", () => {
    const present = fc.array(fc.boolean(), { minLength: 48, maxLength: 48 });
    fc.assert(
      fc.property(
        present,
        fc.array(fc.nat(48), { minLength: 4, maxLength: 4 }),
        (has, [a = 0, b = 0, c = 0, d = 0]) => {
          const final = rangeSet([hours(Math.min(a, b), Math.max(a, b)), hours(Math.min(c, d), Math.max(c, d))]);
          const found = verdicts({
            ...input,
            range: hours(0, 48),
            requestable: hours(0, 48),
            failures: [],
            coverage: {
              final,
              provisional: difference([hours(0, 48)], final).map((range) => ({ range, fetchedAtMs: 0 })),
            },
            timesIn: valuesIn((hour) => has[hour] ?? false),
          });
          for (const { range, state, rows } of found) {
            const own = has.slice(range.startMs / HOUR_MS, range.endMs / HOUR_MS);
            expect(rows).toBe(120 * own.filter(Boolean).length);
            expect(state === "ok").toBe(own.every(Boolean));
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it("are empty for a station that has never sent data", () => {
    const never = {
      hasEverSent: false,
      requestable: hours(0, 0),
      coverage: { final: [], provisional: [] },
      failures: [],
    };
    expect(states(never)).toEqual([[0, "empty", 0]]);
  });

  it("are adjacent and cover the whole range", () => {
    const ranges = fc
      .array(fc.tuple(fc.nat(1_000), fc.nat(400)), { maxLength: 4 })
      .map((pairs) => rangeSet(pairs.map(([from, length]) => span(from, from + length))));
    fc.assert(
      fc.property(
        ranges,
        ranges,
        ranges,
        fc.boolean(),
        fc.nat(1_000),
        fc.nat(1_000),
        (final, later, failed, isForbidden, a, b) => {
          const found = verdicts({
            ...input,
            range: span(0, 1_000),
            requestable: span(Math.min(a, b), Math.max(a, b)),
            coverage: { final, provisional: difference(later, final).map((range) => ({ range, fetchedAtMs: 0 })) },
            failures: failed.map((range) => ({ range, reason: "x" })),
            refusal: isForbidden ? "no" : null,
          });
          expect(found.map((v) => v.range.startMs)).toEqual([0, ...found.slice(0, -1).map((v) => v.range.endMs)]);
          expect(found.at(-1)!.range.endMs).toBe(1_000);
        },
      ),
      { numRuns: 300 },
    );
  });
});
