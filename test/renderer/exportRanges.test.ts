import { describe, expect, it } from "vitest";
import { proposedRange, rangeChoices, rangeKey } from "#renderer/features/export/ranges.ts";
import { PRESETS } from "#shared/time/typed.ts";
import { DAY_MS } from "#shared/time/utc.ts";

const range = { startMs: 20_000 * DAY_MS, endMs: 20_007 * DAY_MS };
const fixed = { kind: "fixed", range } as const;

describe("the range of a saved export", () => {
  it.each([
    ["now-7d", "now", { kind: "moving", moving: { start: "now-7d", end: "now" } }],
    ["now-3h", "", { kind: "moving", moving: { start: "now-3h", end: "" } }],
    ["yesterday", "today", { kind: "relative", period: "yesterday" }],
    ["last month", "this month", { kind: "relative", period: "lastMonth" }],
    ["now-7d", "2026-11-21", fixed],
  ])("is proposed from the shown range %s → %s", (start, end, expected) => {
    expect(proposedRange({ range, moving: { start, end } })).toEqual(expected);
  });

  it("is fixed by default if the shown range is fixed", () => {
    expect(proposedRange({ range, moving: null })).toEqual(fixed);
  });

  it("can be any preset of the window, each listed once, or fixed", () => {
    for (const moving of [null, PRESETS[1]!, { start: "now-3h", end: "now" }]) {
      const shown = { range, moving };
      const choices = rangeChoices(shown, proposedRange(shown));
      const labels = choices.map((c) => c.label);
      expect(new Set(labels).size).toBe(labels.length);
      expect(labels).toEqual(expect.arrayContaining(["Last 7 days", "Yesterday", "The last full month"]));
      expect(choices[0]!.value).toBe(rangeKey(proposedRange(shown)));
      expect(choices.some((c) => c.range.kind === "fixed")).toBe(true);
    }
  });

  it("is labelled as it was typed", () => {
    const shown = { range, moving: { start: "now-3h", end: "now" } };
    expect(rangeChoices(shown, proposedRange(shown))[0]).toMatchObject({ label: "now-3h → now" });
  });

  it("is kept when the export is edited", () => {
    const own = { kind: "fixed", range: { startMs: 0, endMs: DAY_MS } } as const;
    expect(rangeChoices({ range, moving: null }, own)[0]).toEqual({
      value: rangeKey(own),
      label: "1970-01-01 → 1970-01-02 UTC",
      range: own,
    });
  });
});
