import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { createRangeHistory, movedRange } from "#renderer/stores/range.ts";
import { readWorkspace } from "#renderer/stores/workspace.ts";

const NOW = Date.UTC(2026, 10, 21, 14, 30);
const LAST_WEEK = { start: "now-7d", end: "now" };
const week = { range: { startMs: NOW - 7 * DAY_MS, endMs: NOW }, moving: LAST_WEEK };
const day = (n: number) => ({ range: { startMs: n * DAY_MS, endMs: (n + 1) * DAY_MS }, moving: null });

describe("a range that moves with the clock", () => {
  it("is updated when it has moved by about a pixel, to end at the last full minute", () => {
    expect(movedRange(week, NOW + 5 * MINUTE_MS)).toBeNull();
    const later = NOW + 10 * MINUTE_MS + 30_000;
    expect(movedRange(week, later)).toEqual({ startMs: later - 30_000 - 7 * DAY_MS, endMs: later - 30_000 });
    expect(movedRange({ ...week, moving: null }, later)).toBeNull();
  });

  it("is updated when a workspace is restored", () => {
    const kept = JSON.stringify({ ...week, view: "map" });
    expect(readWorkspace(kept, NOW + DAY_MS)).toMatchObject({
      range: { startMs: NOW - 6 * DAY_MS, endMs: NOW + DAY_MS },
      moving: LAST_WEEK,
      view: "map",
    });
    expect(readWorkspace(JSON.stringify(day(20_000)), NOW)).toMatchObject(day(20_000));
    expect(readWorkspace(null, NOW)).toMatchObject(week);
    expect(readWorkspace(JSON.stringify({ ...day(20_000), moving: { start: "x", end: "y" } }), NOW)).toMatchObject({
      range: day(20_000).range,
    });
  });
});

/** A history like that of a browser. */
function browserHistory() {
  const states: unknown[] = [null];
  let at = 0;
  return {
    get state() {
      return states[at];
    },
    pushState(state: unknown): void {
      states.splice(++at, states.length, state);
    },
    replaceState(state: unknown): void {
      states[at] = state;
    },
    go: (steps: number) => states[(at += steps)],
    size: () => states.length,
  };
}

describe("the history of ranges", () => {
  it("goes back and forward through shown ranges up to the first one", () => {
    let nowMs = NOW;
    const entries = browserHistory();
    const ranges = createRangeHistory(entries, () => nowMs);
    ranges.record(week);
    expect(ranges.canGoBack()).toBe(false);
    for (const n of [1, 2, 3]) ranges.record(day(n));
    expect(ranges.rangeAt(entries.go(-1))).toEqual(day(2));
    // A range shown by the history itself is not a new entry.
    ranges.record(day(2));
    expect(entries.size()).toBe(4);
    expect(ranges.rangeAt(entries.go(1))).toEqual(day(3));
    nowMs = NOW + HOUR_MS;
    const first = ranges.rangeAt(entries.go(-3));
    expect(first).toEqual({ ...week, range: { startMs: nowMs - 7 * DAY_MS, endMs: nowMs } });
    expect(ranges.canGoBack()).toBe(false);
  });

  it("does not record movements of the clock", () => {
    let nowMs = NOW;
    const entries = browserHistory();
    const ranges = createRangeHistory(entries, () => nowMs);
    ranges.record(week);
    nowMs += HOUR_MS;
    ranges.record({ ...week, range: { startMs: nowMs - 7 * DAY_MS, endMs: nowMs } });
    expect(entries.size()).toBe(1);
    expect(ranges.canGoBack()).toBe(false);
  });

  it("ignores unknown history entries", () => {
    const ranges = createRangeHistory(browserHistory(), () => NOW);
    for (const state of [null, "x", { step: -1 }, { step: 0, range: { startMs: 2, endMs: 1 }, moving: null }])
      expect(ranges.rangeAt(state)).toBeNull();
  });
});
