import { defined } from "#shared/defined.ts";
import type { Column, ScalarColumn, SeriesRows, TextColumn } from "#shared/series/rows.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { type MeanIntervals, meanIntervals } from "#shared/time/intervals.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lowerBound } from "#shared/arrays.ts";

/** Accumulates one column interval by interval; the last interval stays open. */
interface Accumulator<C extends Column> {
  /**
   * @param column undefined if the block does not have the variable
   * @param starts index of the first row of each interval
   * @param to index after the last row
   * @param continues whether the first interval continues the open one
   */
  add(column: Column | undefined, starts: readonly number[], to: number, continues: boolean): void;
  /** Closes the open interval. */
  close(): void;
  /** Returns the intervals closed since the last call. */
  take(): C;
}

/** Returns the mean of the existing values, summed in order of time; NaN without values. */
function meanOfInterval(): Accumulator<ScalarColumn> {
  let closed: number[] = [];
  const presence = presenceOfIntervals();
  let isOpen = false;
  let sum = 0;
  let count = 0;

  function close(): void {
    if (isOpen) closed.push(count === 0 ? Number.NaN : sum / count);
    presence.close(isOpen);
    isOpen = false;
    sum = 0;
    count = 0;
  }

  return {
    add(column, starts, to, continues) {
      const scalar = column?.kind === "scalar" ? column : null;
      for (const [s, start] of starts.entries()) {
        if (s > 0 || !continues) close();
        isOpen = true;
        const end = starts[s + 1] ?? to;
        if (!scalar || presence.firstPresent(scalar, start, end) === null) continue;
        const { values, present } = scalar;
        for (let i = start; i < end; i++) {
          const value = values[i]!;
          if (Number.isNaN(value) || (present !== null && present[i] === 0)) continue;
          sum += value;
          count++;
        }
      }
    },
    close,
    take() {
      const values = Float64Array.from(closed);
      closed = [];
      return { kind: "scalar", values, present: presence.take() };
    },
  };
}

/** The text of the first observation, even if it is null. */
function firstOfInterval(): Accumulator<TextColumn> {
  let closed: (string | null)[] = [];
  const presence = presenceOfIntervals();
  let isOpen = false;
  let isFound = false;
  let first: string | null = null;

  function close(): void {
    if (isOpen) closed.push(first);
    presence.close(isOpen);
    isOpen = false;
    isFound = false;
    first = null;
  }

  return {
    add(column, starts, to, continues) {
      for (const [s, start] of starts.entries()) {
        if (s > 0 || !continues) close();
        isOpen = true;
        const at = presence.firstPresent(column, start, starts[s + 1] ?? to);
        if (isFound || at === null || column?.kind !== "text") continue;
        first = column.values[at] ?? null;
        isFound = true;
      }
    },
    close,
    take() {
      const values = closed;
      closed = [];
      return { kind: "text", values, present: presence.take() };
    },
  };
}

/** Whether a variable was requested, per interval: it was if any row has it. */
function presenceOfIntervals() {
  let closed: number[] = [];
  let isPresent = false;
  let isEverywhere = true;

  return {
    /** Index of the first row with the variable; null if none has it. */
    firstPresent(column: Column | undefined, from: number, to: number): number | null {
      if (!column) return null;
      const at = column.present === null ? 0 : column.present.subarray(from, to).indexOf(1);
      if (at < 0) return null;
      isPresent = true;
      return from + at;
    },
    close(isOpen: boolean) {
      if (isOpen) {
        closed.push(isPresent ? 1 : 0);
        if (!isPresent) isEverywhere = false;
      }
      isPresent = false;
    },
    take(): Uint8Array | null {
      const present = isEverywhere ? null : Uint8Array.from(closed);
      closed = [];
      isEverywhere = true;
      return present;
    },
  };
}

interface ResampleOptions {
  readonly variables: readonly Variable[];
  /** Only observations inside count, so that a partial first or last interval equals the service's. */
  readonly range: TimeRange;
  readonly intervalSeconds: number;
  /** Averages over the days of this time zone instead. */
  readonly zone?: string | undefined;
}

/**
 * Computes interval rows from native rows by the service's own rules (specification 4.4, interval rules): one row
 * per UTC-aligned interval that has an observation, its time the start of the interval; scalars are the mean of the
 * existing values, satellites those of the first observation. A mean is the plain sum in order of time, divided by
 * the number of values: the same order as the service's, so that the last bit agrees.
 *
 * The caller ensures that the rows cover the range, and that raw and filtered rows are not mixed.
 *
 * @param blocks native rows in time order, cut anywhere; an interval that is open at the end of a block continues in the next
 * @returns rows in time order, at most one block for each input block and one at the end; none is empty
 */
export function* resample(blocks: Iterable<SeriesRows>, options: ResampleOptions): IterableIterator<SeriesRows> {
  const { variables, range } = options;
  const intervals = meanIntervals(options.intervalSeconds, options.zone);
  const accumulators = variables.map((name): [Variable, Accumulator<Column>] => [
    name,
    variableKind(name) === "scalar" ? meanOfInterval() : firstOfInterval(),
  ]);
  /** Start of the interval whose rows may continue in the next block; NaN before the first. */
  let openMs = Number.NaN;

  for (const block of blocks) {
    const from = lowerBound(block.timesMs, range.startMs);
    const to = lowerBound(block.timesMs, range.endMs);
    if (from === to) continue;
    const { starts, startsMs } = segments(block.timesMs, from, to, intervals);
    const continues = startsMs[0] === openMs;
    // A row of another interval closes the open one.
    const closed = [...(continues || Number.isNaN(openMs) ? [] : [openMs]), ...startsMs.subarray(0, -1)];
    for (const [name, accumulator] of accumulators) accumulator.add(block.columns[name], starts, to, continues);
    openMs = defined(startsMs.at(-1));
    if (closed.length > 0) yield accumulatedRows(Float64Array.from(closed), accumulators);
  }
  if (Number.isNaN(openMs)) return;
  for (const [, accumulator] of accumulators) accumulator.close();
  yield accumulatedRows(Float64Array.of(openMs), accumulators);
}

/** Returns the index of each interval's first row, and the time at which the interval starts. */
function segments(timesMs: Float64Array, from: number, to: number, { startOf, endOf }: MeanIntervals) {
  const starts: number[] = [];
  const startsMs: number[] = [];
  let endMs = -Infinity;
  for (let i = from; i < to; i++) {
    const timeMs = timesMs[i]!;
    if (timeMs < endMs) continue;
    starts.push(i);
    startsMs.push(startOf(timeMs));
    endMs = endOf(timeMs);
  }
  return { starts, startsMs: Float64Array.from(startsMs) };
}

function accumulatedRows(timesMs: Float64Array, accumulators: readonly [Variable, Accumulator<Column>][]): SeriesRows {
  const columns: Partial<Record<Variable, Column>> = {};
  for (const [name, accumulator] of accumulators) columns[name] = accumulator.take();
  return { timesMs, columns };
}
