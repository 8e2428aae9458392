import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { containsMoment, durationMs, intersectRange, isEmpty, type TimeRange } from "#shared/time/range.ts";
import {
  covers,
  difference,
  hull,
  includes,
  intersect,
  rangeSet,
  totalMs,
  union,
  type RangeSet,
} from "#shared/time/rangeset.ts";

// The model: moments from -20 to 20, each in the set or not.
const moments = Array.from({ length: 41 }, (_, i) => i - 20);
const range = fc
  .tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -3, max: 12 }))
  .map(([startMs, length]): TimeRange => ({ startMs, endMs: Math.min(21, startMs + length) }));
const ranges = fc.array(range, { maxLength: 8 });

const membership = (of: readonly TimeRange[]) => moments.map((m) => of.some((r) => m >= r.startMs && m < r.endMs));

function isProper(set: RangeSet): boolean {
  return set.every((r, i) => r.startMs < r.endMs && (i === 0 || set[i - 1]!.endMs < r.startMs));
}

describe("range sets", () => {
  it("contain exactly the moments of their ranges, sorted, disjoint and without empty ranges", () => {
    fc.assert(
      fc.property(ranges, (some) => {
        const set = rangeSet(some);
        expect(isProper(set)).toBe(true);
        expect(membership(set)).toEqual(membership(some));
        expect(moments.map((m) => includes(set, m))).toEqual(membership(some));
        expect(totalMs(set)).toBe(membership(some).filter(Boolean).length);
        expect(rangeSet(set)).toEqual(set);
      }),
    );
  });

  const algebra: [string, (a: RangeSet, b: RangeSet) => RangeSet, (a: boolean, b: boolean) => boolean][] = [
    ["union", union, (a, b) => a || b],
    ["intersect", intersect, (a, b) => a && b],
    ["difference", difference, (a, b) => a && !b],
  ];
  it.each(algebra)("%s matches the model at every moment and does not modify its arguments", (_, operation, model) => {
    fc.assert(
      fc.property(ranges.map(rangeSet), ranges.map(rangeSet), (a, b) => {
        const before = structuredClone([a, b]);
        const result = operation(a, b);
        const inB = membership(b);
        expect(isProper(result)).toBe(true);
        expect(membership(result)).toEqual(membership(a).map((inA, i) => model(inA, inB[i]!)));
        expect([a, b]).toEqual(before);
      }),
      { numRuns: 1_000 },
    );
  });

  it("match the model in coverage, hull and equality", () => {
    fc.assert(
      fc.property(ranges.map(rangeSet), ranges.map(rangeSet), range, (a, b, r) => {
        const model = membership(a);
        const inside = moments.filter((m) => m >= r.startMs && m < r.endMs);
        expect(covers(a, r)).toBe(inside.every((m) => model[m + 20]));
        expect(JSON.stringify(a) === JSON.stringify(b)).toBe(JSON.stringify(model) === JSON.stringify(membership(b)));
        const span = hull(a);
        const members = moments.filter((_, i) => model[i]);
        expect(span).toEqual(members.length === 0 ? null : { startMs: members[0], endMs: members.at(-1)! + 1 });
      }),
      { numRuns: 500 },
    );
  });
});

describe("ranges", () => {
  it("are half-open", () => {
    fc.assert(
      fc.property(range, range, (a, b) => {
        const common = intersectRange(a, b);
        for (const m of moments) {
          expect(containsMoment(common, m)).toBe(containsMoment(a, m) && containsMoment(b, m));
        }
        expect(durationMs(a)).toBe(moments.filter((m) => containsMoment(a, m)).length);
        expect(isEmpty(a)).toBe(durationMs(a) === 0);
      }),
    );
  });
});
