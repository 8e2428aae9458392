import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verdicts, type VerdictInput } from "#main/analysis/verdict.ts";
import { difference, rangeSet } from "#shared/time/rangeset.ts";

const span = (startMs: number, endMs: number) => ({ startMs, endMs });

describe("verdicts", () => {
  const input: VerdictInput = {
    stationId: "s",
    variable: "ztd",
    range: span(0, 1_000),
    requestable: span(100, 900),
    coverage: {
      final: [span(100, 200), span(200, 400)],
      provisional: [{ range: span(700, 850), fetchedAtMs: 0 }],
    },
    isForbidden: false,
    hasEverSent: true,
    failures: [{ range: span(500, 750), reason: "too large" }],
    countRows: (range) => (range.startMs >= 700 ? 5 : 0),
  };
  const states = (more: Partial<VerdictInput> = {}) =>
    verdicts({ ...input, ...more }).map((v) => [v.range.startMs, v.range.endMs, v.state, v.rows]);

  it("report the result of every part of the range", () => {
    expect(states()).toEqual([
      [0, 100, "empty", 0],
      [100, 400, "empty", 0],
      [400, 500, "notRequested", 0],
      [500, 750, "failed", 0],
      [750, 850, "stale", 5],
      [850, 900, "notRequested", 5],
      [900, 1_000, "stale", 5],
    ]);
    expect(verdicts(input).find((v) => v.state === "failed")!.reason).toBe("too large");
  });

  it("remain ok for final data if the station has become forbidden", () => {
    expect(states({ isForbidden: true, countRows: () => 3 })).toEqual([
      [0, 100, "forbidden", 3],
      [100, 400, "ok", 3],
      [400, 1_000, "forbidden", 3],
    ]);
  });

  it("are empty for a station that has never sent data", () => {
    const never = {
      hasEverSent: false,
      requestable: span(0, 0),
      coverage: { final: [], provisional: [] },
      failures: [],
    };
    expect(states(never)).toEqual([[0, 1_000, "empty", 0]]);
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
            requestable: span(Math.min(a, b), Math.max(a, b)),
            coverage: { final, provisional: difference(later, final).map((range) => ({ range, fetchedAtMs: 0 })) },
            failures: failed.map((range) => ({ range, reason: "x" })),
            isForbidden,
          });
          expect(found.map((v) => v.range.startMs)).toEqual([0, ...found.slice(0, -1).map((v) => v.range.endMs)]);
          expect(found.at(-1)!.range.endMs).toBe(1_000);
        },
      ),
      { numRuns: 300 },
    );
  });
});
