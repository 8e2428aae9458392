import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterDeadline,
  afterSuccess,
  afterTooLarge,
  allowedPoints,
  CEILING_POINTS,
  type LearnedLimits,
  NO_LIMITS,
} from "#main/planner/limits.ts";

/** Simulates a service with a hidden limit and a planner that uses the share `fill` of the allowed points. */
function run(from: LearnedLimits, requests: number, limit: number, states: boolean, fill = 1) {
  let state = from;
  let refusals = 0;
  let passed = 0;
  for (let i = 0; i < requests; i++) {
    const points = Math.max(1, Math.floor(allowedPoints(state) * fill));
    if (points > limit) {
      refusals++;
      state = afterTooLarge(state, points, states ? limit : null);
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
        const { state, refusals } = run(NO_LIMITS, 100, limit, true);
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
          const search = run(NO_LIMITS, 120, limit, false, fill);
          // 20 halvings from the ceiling to 1, then a few probes upwards.
          expect(search.refusals).toBeLessThanOrEqual(Math.ceil(Math.log2(CEILING_POINTS / limit)) + 6);
          const steady = run(search.state, 500, limit, false, fill);
          expect(steady.refusals).toBeLessThanOrEqual(14);
          expect(steady.passed / 500).toBeGreaterThanOrEqual(Math.floor(limit * 0.65 * fill));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("follow a stated limit down and up", () => {
    const low = run(NO_LIMITS, 10, 50_000, true).state;
    const fallen = run(low, 10, 7_000, true);
    expect([allowedPoints(fallen.state), fallen.refusals]).toEqual([7_000, 1]);
    const risen = run(fallen.state, 600, 90_000, true);
    expect(allowedPoints(risen.state)).toBe(90_000);
    expect(risen.refusals).toBeLessThanOrEqual(2);
  });

  it("follow an unstated limit down and up", () => {
    const high = run(NO_LIMITS, 200, 400_000, false).state;
    const fallen = run(high, 200, 3_000, false).state;
    expect(allowedPoints(fallen)).toBeLessThanOrEqual(4_000);
    expect(allowedPoints(fallen)).toBeGreaterThan(2_000);
    expect(allowedPoints(run(fallen, 2_000, 400_000, false).state)).toBeGreaterThan(300_000);
  });

  it.each([0, -5, Number.NaN, Infinity, 1e300, 0.5, 10_000, 20_000])(
    "halve if the stated limit is %d for a request of 10,000",
    (stated) => {
      expect(allowedPoints(afterTooLarge(NO_LIMITS, 10_000, stated))).toBe(5_000);
    },
  );

  it("keep a stated limit after a rejection by bytes, and drop it after several in a row", () => {
    const stated = afterTooLarge(NO_LIMITS, 500_000, 100_000);
    const once = afterTooLarge(stated, 40_000, null);
    expect(allowedPoints(once)).toBe(100_000);
    const between = afterSuccess(once, 90_000);
    expect(allowedPoints(afterTooLarge(afterTooLarge(between, 40_000, null), 40_000, null))).toBe(100_000);
    const thrice = afterTooLarge(afterTooLarge(once, 90_000, null), 90_000, null);
    expect(allowedPoints(thrice)).toBe(45_000);
  });

  it("learn once from a burst of rejections of the same size", () => {
    let state = NO_LIMITS;
    for (let i = 0; i < 8; i++) state = afterTooLarge(state, 1_000_000, null);
    expect(allowedPoints(state)).toBe(500_000);
    let late = afterTooLarge(NO_LIMITS, 1_000_000, 10_000);
    for (let i = 0; i < 8; i++) late = afterTooLarge(late, 1_000_000, null);
    expect(allowedPoints(late)).toBe(10_000);
  });

  it("decrease after a deadline, independently of the limit of points, and increase again", () => {
    const stated = afterTooLarge(NO_LIMITS, 1_000_000, 100_000);
    let state = afterDeadline(stated, 80_000);
    expect(allowedPoints(state)).toBe(40_000);
    let refusals = 0;
    for (let i = 0; i < 2_000; i++) {
      const points = allowedPoints(state);
      if (points > 60_000) refusals++;
      state = points > 60_000 ? afterDeadline(state, points) : afterSuccess(state, points);
      expect(allowedPoints(state)).toBeGreaterThan(29_000);
      expect(allowedPoints(state)).toBeLessThan(67_000);
    }
    expect(refusals / 2_000).toBeLessThan(0.02);
    expect(state.points).toMatchObject({ source: "stated", value: 100_000 });
  });

  it("recover from random deadlines", () => {
    let state = NO_LIMITS;
    let least = CEILING_POINTS;
    for (let i = 0, seed = 7; i < 5_000; i++) {
      seed = (seed * 48_271) % 2_147_483_647;
      const points = allowedPoints(state);
      least = Math.min(least, points);
      state = seed / 2_147_483_647 < 0.005 ? afterDeadline(state, points) : afterSuccess(state, points);
    }
    expect(least).toBeLessThan(CEILING_POINTS);
    expect(least).toBeGreaterThan(CEILING_POINTS / 50);
    for (let i = 0; i < 500; i++) state = afterSuccess(state, allowedPoints(state));
    expect(state.deadline).toBeNull();
  });

  it("are divided by the variables if the service counts each of them", () => {
    const stated = afterTooLarge(NO_LIMITS, 100_000, 30_000, 3);
    expect(allowedPoints(stated)).toBe(30_000);
    expect(allowedPoints(afterTooLarge(stated, 30_000, null, 3))).toBe(10_000);
  });

  it("never allow less than one point", () => {
    let state = NO_LIMITS;
    for (let i = 0; i < 60; i++) state = afterDeadline(afterTooLarge(state, allowedPoints(state), null), 1);
    expect(allowedPoints(state)).toBe(1);
  });
});
