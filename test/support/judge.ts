import type { CoverageJudge } from "#main/store/types.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { rangeSet } from "#shared/time/rangeset.ts";

/** Judges a response as complete before a time, and as one to be asked for again from then on. */
export function settled(range: TimeRange, untilMs = Infinity, fetchedAtMs = 0): CoverageJudge {
  const cutMs = Math.min(range.endMs, Math.max(range.startMs, untilMs));
  return () => ({
    final: rangeSet([{ startMs: range.startMs, endMs: cutMs }]),
    provisional: rangeSet([{ startMs: cutMs, endMs: range.endMs }]).map((part) => ({ range: part, fetchedAtMs })),
  });
}
