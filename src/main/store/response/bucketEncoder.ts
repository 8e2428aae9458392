import { defined } from "#shared/defined.ts";
import { appendRuns, emptyRuns, type Runs, runsOf } from "#shared/time/runs.ts";
import { type Column, hasValue, type ReceivedRows, type SeriesMode, type SeriesRows } from "#shared/series/rows.ts";
import type { Variable, VariableKind } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketMs, bucketStart } from "../tables/keys.ts";
import { decodeChunk, type EncodedChunk, encodeChunk } from "../chunks/chunk.ts";
import { type RowBuilder, createRowBuilder } from "./rowBuilder.ts";

export interface EncodedRows {
  /** Keys: start of the bucket. */
  readonly chunks: ReadonlyMap<UtcMs, EncodedChunk>;
  /** Number of values that differ from an earlier value of the same time. */
  readonly conflicts: number;
  /** Times of all rows. */
  readonly times: Runs;
  /** Times of the rows in which a variable has a value, ascending; an empty text is not a value. */
  readonly valueTimes: ReadonlyMap<Variable, Runs>;
}

/**
 * Sorts the rows of one station and kind into buckets and encodes them. Only the bucket that is being filled is kept as
 * numbers.
 */
export function createBucketEncoder(kind: VariableKind, variables: readonly Variable[], mode: SeriesMode) {
  const lengthMs = bucketMs(kind, mode.intervalSeconds);
  const chunks = new Map<UtcMs, EncodedChunk>();
  // Rows that arrive after their bucket was encoded: decoding it again for each of them would be too slow.
  const late = new Map<UtcMs, RowBuilder>();
  const current = createRowBuilder(variables);
  let currentMs: UtcMs | null = null;
  let conflicts = 0;
  const times = new Map<UtcMs, RowTimes>();

  const encode = (startMs: UtcMs, rows: SeriesRows): void => {
    chunks.set(startMs, encodeChunk(rows));
    times.set(startMs, timesOfRows(rows));
  };

  const encodeCurrent = (): void => {
    if (currentMs === null) return;
    const taken = current.take();
    conflicts += taken.conflicts;
    encode(currentMs, taken.rows);
    currentMs = null;
  };

  const builderFor = (startMs: UtcMs): RowBuilder => {
    if (startMs === currentMs) return current;
    if (!chunks.has(startMs)) {
      encodeCurrent();
      currentMs = startMs;
      return current;
    }
    const builder = late.get(startMs) ?? createRowBuilder(variables);
    late.set(startMs, builder);
    return builder;
  };

  return {
    append(block: ReceivedRows, from: number, to: number): void {
      for (let i = from; i < to;) {
        const startMs = bucketStart(block.timesMs[i]!, lengthMs);
        const endMs = startMs + lengthMs;
        let end = i + 1;
        while (end < to && block.timesMs[end]! >= startMs && block.timesMs[end]! < endMs) end++;
        builderFor(startMs).append(block, i, end);
        i = end;
      }
    },
    /** Returns all appended rows, encoded. */
    finish(): EncodedRows {
      encodeCurrent();
      for (const [startMs, builder] of late) {
        // Rebuild the bucket in order of arrival, so that late rows win.
        const whole = createRowBuilder(variables);
        const lateRows = builder.take();
        for (const rows of [decodeChunk(defined(chunks.get(startMs))), lateRows.rows])
          whole.append(asArrived(rows), 0, rows.timesMs.length);
        const taken = whole.take();
        conflicts += lateRows.conflicts + taken.conflicts;
        encode(startMs, taken.rows);
      }
      late.clear();
      const inOrder = [...times].toSorted(([a], [b]) => a - b).map(([, own]) => own);
      return {
        chunks,
        conflicts,
        times: joinedRuns(inOrder.map((own) => own.all)),
        valueTimes: new Map(
          variables.map((v) => [v, joinedRuns(inOrder.map((own) => own.values.get(v) ?? emptyRuns()))]),
        ),
      };
    },
  };
}

export type BucketEncoder = ReturnType<typeof createBucketEncoder>;

interface RowTimes {
  readonly all: Runs;
  readonly values: ReadonlyMap<Variable, Runs>;
}

function timesOfRows({ timesMs, columns }: SeriesRows): RowTimes {
  const all = runsOf(timesMs);
  const values = new Map<Variable, Runs>();
  for (const [variable, column] of Object.entries(columns) as [Variable, Column][]) {
    const own = timesWithValue(timesMs, column);
    values.set(variable, own.length === timesMs.length ? all : runsOf(own));
  }
  return { all, values };
}

/** A loop, because `filter` with a callback takes a tenth of a download. */
function timesWithValue(timesMs: Float64Array, column: Column): Float64Array {
  const found = new Float64Array(timesMs.length);
  let n = 0;
  for (let i = 0; i < timesMs.length; i++) if (hasValue(column, i)) found[n++] = timesMs[i]!;
  return found.subarray(0, n);
}

function joinedRuns(parts: readonly Runs[]): Runs {
  const whole = emptyRuns();
  for (const part of parts) appendRuns(whole, part);
  return whole;
}

/** Converts rows of a bucket to the form in which a response delivers them. */
function asArrived({ timesMs, columns }: SeriesRows): ReceivedRows {
  const scalars: ReceivedRows["scalars"] = {};
  const texts: ReceivedRows["texts"] = {};
  for (const [variable, column] of Object.entries(columns) as [Variable, Column][]) {
    if (column.kind === "scalar") scalars[variable] = column.values;
    else texts[variable] = [...column.values];
  }
  return { stationId: "", timesMs, scalars, texts };
}
