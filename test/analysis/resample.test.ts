import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resample } from "#main/analysis/resample.ts";
import { blockOf, cutAt, plainRows, rows, type PlainRow } from "./series.ts";
import { gateCases } from "../support/endurance.ts";

const VARIABLES = ["ztd", "pwv", "prn"] as const;
const ALL = { startMs: -1e12, endMs: 1e12 };

/** A simple implementation of the rules of the specification (4.4), without blocks. */
function bruteForce(all: readonly PlainRow[], range: { startMs: number; endMs: number }, seconds: number): PlainRow[] {
  const groups = Map.groupBy(
    all.filter((r) => r.timeMs >= range.startMs && r.timeMs < range.endMs),
    (r) => Math.floor(r.timeMs / (seconds * 1000)) * seconds * 1000,
  );
  return [...groups].map(([timeMs, group]) => ({
    timeMs,
    ztd: mean(group.map((r) => r.ztd)),
    pwv: mean(group.map((r) => r.pwv)),
    prn: group.find((r) => r.prn !== undefined)?.prn,
  }));
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  if (values.every((v) => v === undefined)) return undefined;
  let sum = 0;
  let count = 0;
  for (const v of values) {
    if (v === undefined || Number.isNaN(v)) continue;
    sum += v;
    count++;
  }
  return count === 0 ? Number.NaN : sum / count;
}

const intervals = fc.constantFrom(30, 300, 900, 3_600, 7_000, 100_000);
const moment = fc.integer({ min: -22_000_000, max: 22_000_000 });
const ranges = fc.tuple(moment, moment).map(([a, b]) => ({ startMs: Math.min(a, b), endMs: Math.max(a, b) }));
const cuts = fc.array(fc.nat(100), { maxLength: 12 });

describe("resample", () => {
  it("matches the service's rules exactly, for any range and block boundaries", () => {
    fc.assert(
      fc.property(rows, cuts, ranges, intervals, (all, where, range, intervalSeconds) => {
        const blocks = [...resample(cutAt(all, where), { variables: VARIABLES, range, intervalSeconds })];
        expect(blocks.every((b) => b.timesMs.length > 0)).toBe(true);
        expect(plainRows(blocks)).toEqual(bruteForce(all, range, intervalSeconds));
      }),
      { numRuns: gateCases(1_000) },
    );
  });

  it("returns columns only for the requested variables, and no block without rows", () => {
    const all = blockOf([{ timeMs: 0, ztd: 1, pwv: 2, prn: "G01" }]);
    const [block] = resample([all], { variables: ["pwv"], range: ALL, intervalSeconds: 60 });
    expect(Object.keys(block!.columns)).toEqual(["pwv"]);
    expect([...resample([blockOf([])], { variables: ["pwv"], range: ALL, intervalSeconds: 60 })]).toEqual([]);
  });
});
