import { defined } from "#shared/defined.ts";
import type { Column, SeriesRows } from "#shared/series/rows.ts";
import { variableKind, type Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { firstOfInterval, meanOfInterval, type Accumulator } from "./accumulate.ts";
import { lowerBound } from "#shared/time/search.ts";

export interface ResampleOptions {
  readonly variables: readonly Variable[];
  /** Only observations inside count, so that a partial first or last interval equals the service's. */
  readonly range: TimeRange;
  readonly intervalSeconds: number;
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
  const stepMs = options.intervalSeconds * 1000;
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
    const { starts, startsMs } = segments(block.timesMs, from, to, stepMs);
    const continues = startsMs[0] === openMs;
    // A row of another interval closes the open one.
    const closed = [...(continues || Number.isNaN(openMs) ? [] : [openMs]), ...startsMs.subarray(0, -1)];
    for (const [name, accumulator] of accumulators) accumulator.add(block.columns[name], starts, to, continues);
    openMs = defined(startsMs.at(-1));
    if (closed.length > 0) yield rowsOf(Float64Array.from(closed), accumulators);
  }
  if (Number.isNaN(openMs)) return;
  for (const [, accumulator] of accumulators) accumulator.close();
  yield rowsOf(Float64Array.of(openMs), accumulators);
}

/** Returns the index of each interval's first row, and the time at which the interval starts. */
function segments(timesMs: Float64Array, from: number, to: number, stepMs: number) {
  const starts: number[] = [];
  const startsMs: number[] = [];
  let endMs = -Infinity;
  for (let i = from; i < to; i++) {
    const timeMs = timesMs[i]!;
    if (timeMs < endMs) continue;
    const startMs = Math.floor(timeMs / stepMs) * stepMs;
    starts.push(i);
    startsMs.push(startMs);
    endMs = startMs + stepMs;
  }
  return { starts, startsMs: Float64Array.from(startsMs) };
}

function rowsOf(timesMs: Float64Array, accumulators: readonly [Variable, Accumulator<Column>][]): SeriesRows {
  const columns: Partial<Record<Variable, Column>> = {};
  for (const [name, accumulator] of accumulators) columns[name] = accumulator.take();
  return { timesMs, columns };
}
