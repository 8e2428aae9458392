import type { Gap } from "#shared/series/gap.ts";
import type { Coverage } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Runs } from "#shared/time/runs.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { explainGaps, type GapInput } from "./gaps.ts";

/** Length of the windows in which times are read, so that memory does not grow with the range. */
const WINDOW_MS = 30 * DAY_MS;

/** Times of the rows that have a value. */
type TimesIn = (range: TimeRange) => Runs;

interface GapWalkInput extends Omit<GapInput, "times" | "raw"> {
  readonly timesIn: TimesIn;
  /** See `GapInput.raw`. */
  readonly raw: { readonly coverage: Coverage; readonly timesIn: TimesIn } | null;
}

/** Yields the gaps of `explainGaps` over a range of any length. */
export function* walkGaps(input: GapWalkInput): IterableIterator<Gap> {
  const { range, raw, timesIn } = input;
  let last: Gap | null = null;
  for (let startMs = range.startMs; startMs < range.endMs; startMs += WINDOW_MS) {
    const window = { startMs, endMs: Math.min(range.endMs, startMs + WINDOW_MS) };
    const known = widened(window, input);
    const found = explainGaps({
      ...input,
      range: known,
      times: timesIn(known),
      raw: raw && { coverage: raw.coverage, times: raw.timesIn(known) },
    });
    for (const whole of found) {
      const gap = cutGap(whole, window);
      if (gap.range.endMs <= gap.range.startMs) continue;
      // A gap that continues across the boundary of two windows is one gap.
      if (last && last.cause === gap.cause && last.range.endMs === gap.range.startMs) {
        last = { cause: gap.cause, range: { startMs: last.range.startMs, endMs: gap.range.endMs } };
      } else {
        if (last) yield last;
        last = gap;
      }
    }
  }
  if (last) yield last;
}

/** Extends a window to rows just outside, because rows off the grid would otherwise appear to leave a gap at its boundary. */
function widened(window: TimeRange, { range, mode, epochSeconds }: GapWalkInput): TimeRange {
  const marginMs = 2_000 * Math.max(mode.intervalSeconds ?? 0, epochSeconds);
  return {
    startMs: Math.max(range.startMs, window.startMs - marginMs),
    endMs: Math.min(range.endMs, window.endMs + marginMs),
  };
}

function cutGap({ range, cause }: Gap, window: TimeRange): Gap {
  const startMs = Math.max(range.startMs, window.startMs);
  return { cause, range: { startMs, endMs: Math.min(range.endMs, window.endMs) } };
}
