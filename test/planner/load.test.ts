import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterAnswer, afterOverload, startConcurrency } from "#main/planner/concurrency.ts";
import { NOT_PAUSED, pausedAfter, pauseWaitMs, resumedAfter } from "#main/planner/pause.ts";
import { afterFirstAttempt, backoffMs, startRetryBudget, takeRetry } from "#main/planner/retryBudget.ts";

describe("concurrency", () => {
  it("starts at two, grows by one per window, and stays within its maximum", () => {
    let state = startConcurrency();
    const seen = [state.limit];
    for (let i = 0; i < 100; i++) {
      state = afterAnswer(state);
      if (state.limit !== seen.at(-1)) seen.push(state.limit);
    }
    expect(seen).toEqual([2, 3, 4, 5, 6, 7, 8]);
  });

  it("is halved once for a burst of rejections", () => {
    const state = { ...startConcurrency(), limit: 8 };
    let after = state;
    for (let i = 0; i < 8; i++) after = afterOverload(after, state.generation, null);
    expect(after.limit).toBe(4);
    expect(afterOverload(after, after.generation, null).limit).toBe(2);
  });

  it("is always between one and its maximum", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (responses, max) => {
        let state = startConcurrency(max);
        for (const good of responses) {
          state = good ? afterAnswer(state) : afterOverload(state, state.generation, null);
          expect(state.limit).toBeGreaterThanOrEqual(1);
          expect(state.limit).toBeLessThanOrEqual(max);
        }
      }),
    );
  });
});

describe("backoff", () => {
  it("is random below a bound that doubles up to a maximum", () => {
    expect([0, 1, 2, 20].map((attempt) => backoffMs(attempt, 0.999_999))).toEqual([499, 999, 1_999, 59_999]);
    expect(backoffMs(5, 0)).toBe(0);
  });

  it("stays within its budget during an outage, and recovers", () => {
    let budget = startRetryBudget(0);
    let retries = 0;
    for (let nowMs = 0; nowMs < 600_000; nowMs += 50) {
      const grant = takeRetry(budget, nowMs);
      budget = grant.budget;
      if (grant.granted) retries++;
      expect(takeRetry(budget, nowMs + grant.waitMs).granted || grant.granted).toBe(true);
    }
    expect(retries).toBeGreaterThanOrEqual(100);
    expect(retries).toBeLessThanOrEqual(10 + 10 * 10 + 1);
  });

  it("allows at most a tenth of the requests after the initial budget", () => {
    let budget = startRetryBudget(0);
    let retries = 0;
    for (let i = 0; i < 1_000; i++) {
      budget = afterFirstAttempt(budget, 0);
      const grant = takeRetry(budget, 0);
      budget = grant.budget;
      if (grant.granted) retries++;
    }
    expect(retries).toBeLessThanOrEqual(110);
    expect(retries).toBeGreaterThanOrEqual(105);
  });
});

describe("a pause", () => {
  it.each([
    ["seconds", 5_000, 5_000],
    ["a past time", -3, 250],
    ["years", 1e12, 600_000],
    ["an invalid text", Number.NaN, 250],
    ["no header", null, 1_000],
  ])("has the requested length within bounds: %s", (_, retryAfterMs, waitMs) => {
    expect(pausedAfter(NOT_PAUSED, 1_000, retryAfterMs).waitUntilMs).toBe(1_000 + waitMs);
  });

  it("doubles if the service states no length, once per burst", () => {
    let pause = NOT_PAUSED;
    const waits: number[] = [];
    for (let i = 0, nowMs = 0; i < 4; i++, nowMs = pause.waitUntilMs!) {
      pause = pausedAfter(pause, nowMs, null);
      waits.push(pause.waitUntilMs! - nowMs);
      const again = pausedAfter(pause, nowMs + 1, null);
      expect(again.refusals).toBe(pause.refusals);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(resumedAfter(pause, pause.waitUntilMs!)).toEqual(NOT_PAUSED);
    expect(resumedAfter(pause, 0)).toBe(pause);
  });

  it("ends no earlier than requested, and not for all workers at once", () => {
    const pause = pausedAfter(NOT_PAUSED, 0, 10_000);
    const waits = [0, 0.25, 0.5, 0.75].map((random) => pauseWaitMs(pause, 0, random));
    expect(waits).toEqual([10_000, 10_250, 10_500, 10_750]);
    expect(pauseWaitMs(pause, 10_000, 0.9)).toBe(0);
    expect(pauseWaitMs(NOT_PAUSED, 0, 0.9)).toBe(0);
  });

  it("is the longer of two, and limited after the clock was set back", () => {
    const pause = pausedAfter(pausedAfter(NOT_PAUSED, 0, 60_000), 0, 1_000);
    expect(pause.waitUntilMs).toBe(60_000);
    expect(pauseWaitMs(pause, -1e12, 0)).toBe(600_000);
  });
});
