import type { AvailabilityCounts } from "#shared/bridge/methods/availability.ts";
import type { Coverage } from "#shared/series/rows.ts";
import { epochsIn, isEmpty, type TimeRange } from "#shared/time/range.ts";
import { covers, difference, intersect, type RangeSet, rangeSet, union } from "#shared/time/rangeset.ts";
import { answeredTime } from "./requestedTimes.ts";

interface Counted {
  readonly coverage: Coverage;
  /** Number of values in each bin that overlaps with the range. */
  readonly values: Uint32Array;
}

interface AvailabilityInput extends Counted {
  readonly range: TimeRange;
  /** Bins are aligned to 1970; the first and the last may be partly outside the range. */
  readonly binMs: number;
  readonly stepSeconds: number;
  /** The part of the range in which the station could have sent; see `sendingTime`. */
  readonly sending: RangeSet;
  readonly failed: RangeSet;
  /** The raw series of the same station and interval; null if it was never requested, or if this is the raw one. */
  readonly raw: (Counted & { readonly newer?: RangeSet }) | null;
  /** Counts the values that only the raw series has in these ranges. */
  readonly countRawOnly: (where: RangeSet) => number;
}

/** Returns the counts of one station; `expected` is the sum of the others if rows are on the grid of the step. */
export function availabilityOf(input: AvailabilityInput): AvailabilityCounts {
  const { range, binMs, stepSeconds, coverage, raw } = input;
  const received = input.values;
  const bins = received.length;
  const firstMs = Math.floor(range.startMs / binMs) * binMs;
  const counted = (where: RangeSet): Uint32Array => epochsByBin(where, { firstMs, binMs, bins }, stepSeconds);

  const { sending } = input;
  const provisional = rangeSet(coverage.provisional.map((p) => p.range));
  const covered = answeredTime(coverage);
  const asked = intersect(sending, covered);
  const failedIn = difference(intersect(sending, input.failed), covered);
  const rawFinal = raw ? rangeSet(raw.coverage.final) : [];
  const rawCovered = raw ? answeredTime(raw.coverage) : [];

  const expected = counted(sending);
  const askedEpochs = counted(asked);
  const failed = counted(failedIn);
  const mayStillArrive = counted(intersect(asked, provisional));
  const rawEpochs = rawCovered.length === 0 ? null : counted(intersect(asked, rawCovered));

  const final = rangeSet(coverage.final);
  const explained = intersect(union(final, raw?.newer ?? []), covered);
  const filtered = new Uint32Array(bins);
  raw?.values.forEach((rawValues, b) => {
    if (rawValues === 0) return;
    const bin = binRange(b);
    // If both are final, the raw rows include all filtered ones; otherwise they may have been fetched at different times,
    // and only gaps that are confirmed, or older than the raw rows, are filtered out.
    filtered[b] =
      covers(final, bin) && covers(rawFinal, bin)
        ? Math.max(0, rawValues - received[b]!)
        : input.countRawOnly(intersect([bin], explained));
  });
  const missing = new Uint32Array(bins);
  const notRequested = new Uint32Array(bins);
  const rawAsked = new Uint8Array(bins);
  for (let b = 0; b < bins; b++) {
    const epochs = askedEpochs[b]!;
    missing[b] = Math.max(0, epochs - received[b]! - filtered[b]!);
    notRequested[b] = expected[b]! - epochs - failed[b]!;
    rawAsked[b] = epochs > 0 && epochs === rawEpochs?.[b] ? 1 : 0;
  }
  return { expected, received, filtered, missing, failed, notRequested, mayStillArrive, rawAsked };

  function binRange(b: number): TimeRange {
    const startMs = firstMs + b * binMs;
    return { startMs: Math.max(range.startMs, startMs), endMs: Math.min(range.endMs, startMs + binMs) };
  }
}

interface Bins {
  readonly firstMs: number;
  readonly binMs: number;
  readonly bins: number;
}

function epochsByBin(where: RangeSet, { firstMs, binMs, bins }: Bins, stepSeconds: number): Uint32Array {
  const epochs = new Uint32Array(bins);
  for (const { startMs, endMs } of where) {
    const last = Math.min(bins - 1, Math.floor((endMs - 1 - firstMs) / binMs));
    for (let b = Math.max(0, Math.floor((startMs - firstMs) / binMs)); b <= last; b++) {
      const fromMs = firstMs + b * binMs;
      const part = { startMs: Math.max(startMs, fromMs), endMs: Math.min(endMs, fromMs + binMs) };
      if (!isEmpty(part)) epochs[b]! += epochsIn(part, stepSeconds);
    }
  }
  return epochs;
}
