import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterRefusal,
  afterStatement,
  afterSuccess,
  allowedPoints,
  CEILING_POINTS,
  type LearnedLimits,
  NO_LIMITS,
} from "#main/planner/limits.ts";

/** Simulates a service with a hidden limit and a planner that uses the share `fill` of the allowed points. */
function run(
  from: LearnedLimits,
  requests: number,
  limit: number,
  { states, fill = 1 }: { readonly states: boolean; readonly fill?: number },
) {
  let state = from;
  let refusals = 0;
  let passed = 0;
  for (let i = 0; i < requests; i++) {
    const points = Math.max(1, Math.floor(allowedPoints(state) * fill));
    if (points > limit) {
      refusals++;
      state = states ? afterStatement(state, points, limit) : afterRefusal(state, points);
    } else {
      passed += points;
      state = afterSuccess(state, points);
    }
  }
  return { state, refusals, passed };
}

const hidden = fc.integer({ min: 1, max: CEILING_POINTS });

describe("learned limits", () => {
  it("equal a stated limit after one rejected request", () => {
    fc.assert(
      fc.property(hidden, (limit) => {
        const { state, refusals } = run(NO_LIMITS, 100, limit, { states: true });
        expect(refusals).toBe(limit < CEILING_POINTS ? 1 : 0);
        expect(allowedPoints(state)).toBe(limit);
      }),
    );
  });

  it("find an unstated limit with few rejected requests, and then use most of it", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: CEILING_POINTS }),
        fc.double({ min: 0.5, max: 1, noNaN: true }),
        (limit, fill) => {
          const search = run(NO_LIMITS, 120, limit, { states: false, fill });
          // 20 halvings from the ceiling to 1, then a few probes upwards.
          expect(search.refusals).toBeLessThanOrEqual(Math.ceil(Math.log2(CEILING_POINTS / limit)) + 6);
          const steady = run(search.state, 500, limit, { states: false, fill });
          expect(steady.refusals).toBeLessThanOrEqual(14);
          expect(steady.passed / 500).toBeGreaterThanOrEqual(Math.floor(limit * 0.65 * fill));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("follow a stated limit down and up", () => {
    const low = run(NO_LIMITS, 10, 50_000, { states: true }).state;
    const fallen = run(low, 10, 7_000, { states: true });
    expect([allowedPoints(fallen.state), fallen.refusals]).toEqual([7_000, 1]);
    const risen = run(fallen.state, 600, 90_000, { states: true });
    expect(allowedPoints(risen.state)).toBe(90_000);
    expect(risen.refusals).toBeLessThanOrEqual(2);
  });

  it("follow an unstated limit down and up", () => {
    const high = run(NO_LIMITS, 200, 400_000, { states: false }).state;
    const fallen = run(high, 200, 3_000, { states: false }).state;
    expect(allowedPoints(fallen)).toBeLessThanOrEqual(4_000);
    expect(allowedPoints(fallen)).toBeGreaterThan(2_000);
    expect(allowedPoints(run(fallen, 2_000, 400_000, { states: false }).state)).toBeGreaterThan(300_000);
  });

  it.each([0, -5, Number.NaN, Infinity, 1e300, 0.5, 10_000, 20_000])(
    "are not derived from a stated limit of %d for a request of 10,000",
    (stated) => {
      expect(afterStatement(NO_LIMITS, 10_000, stated)).toEqual(NO_LIMITS);
    },
  );

  it("learn once from a burst of rejections of the same size", () => {
    let state = NO_LIMITS;
    for (let i = 0; i < 8; i++) state = afterRefusal(state, 1_000_000);
    expect(allowedPoints(state)).toBe(500_000);
    let late = afterStatement(NO_LIMITS, 1_000_000, 10_000);
    for (let i = 0; i < 8; i++) late = afterRefusal(late, 1_000_000);
    expect(allowedPoints(late)).toBe(10_000);
  });

  it("decrease after a deadline, independently of the limit of points, and increase again", () => {
    const stated = afterStatement(NO_LIMITS, 1_000_000, 100_000);
    let state = afterRefusal(stated, 80_000);
    expect(allowedPoints(state)).toBe(40_000);
    let refusals = 0;
    for (let i = 0; i < 2_000; i++) {
      const points = allowedPoints(state);
      if (points > 60_000) refusals++;
      state = points > 60_000 ? afterRefusal(state, points) : afterSuccess(state, points);
      expect(allowedPoints(state)).toBeGreaterThan(29_000);
      expect(allowedPoints(state)).toBeLessThan(67_000);
    }
    expect(refusals / 2_000).toBeLessThan(0.02);
    expect(state.stated?.value).toBe(100_000);
  });

  it("recover from random deadlines", () => {
    let state = NO_LIMITS;
    let least = CEILING_POINTS;
    for (let i = 0, seed = 7; i < 5_000; i++) {
      seed = (seed * 48_271) % 2_147_483_647;
      const points = allowedPoints(state);
      least = Math.min(least, points);
      state = seed / 2_147_483_647 < 0.005 ? afterRefusal(state, points) : afterSuccess(state, points);
    }
    expect(least).toBeLessThan(CEILING_POINTS);
    expect(least).toBeGreaterThan(CEILING_POINTS / 50);
    for (let i = 0; i < 500; i++) state = afterSuccess(state, allowedPoints(state));
    expect(state.size).toBeNull();
  });

  it("never allow less than one point", () => {
    let state = NO_LIMITS;
    for (let i = 0; i < 60; i++) state = afterRefusal(state, allowedPoints(state));
    expect(allowedPoints(state)).toBe(1);
  });
});
