import { defined } from "#shared/defined.ts";
import type { ArrivedRows, Column, SeriesMode, SeriesRows } from "#shared/series/rows.ts";
import type { Variable, VariableKind } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketMs, bucketStart } from "../chunks/bucket.ts";
import { decodeEncoded, type EncodedChunk, encodeChunk } from "../chunks/chunk.ts";
import { type RowBuilder, rowBuilder } from "./builder.ts";

export interface SortedRows {
  /** By the beginnings of their buckets. */
  readonly chunks: ReadonlyMap<UtcMs, EncodedChunk>;
  /** Values that differ from an earlier one of the same time. */
  readonly conflicts: number;
  /** Variables of which any row has a value; an empty text is none. */
  readonly valued: ReadonlySet<Variable>;
}

/** Sorts the rows of one station and kind into buckets; only the bucket that rows arrive for is held as numbers. */
export interface BucketSorter {
  append(block: ArrivedRows, from: number, to: number): void;
  /** Everything that arrived, encoded. */
  finish(): SortedRows;
}

export function bucketSorter(kind: VariableKind, variables: readonly Variable[], mode: SeriesMode): BucketSorter {
  const length = bucketMs(kind, mode.intervalSeconds);
  const sealed = new Map<UtcMs, EncodedChunk>();
  // Rows of a bucket that was left already wait here: to open it again for each of them could take for ever.
  const late = new Map<UtcMs, RowBuilder>();
  const open = rowBuilder(variables);
  let openMs: UtcMs | null = null;
  let conflicts = 0;
  const valued = new Set<Variable>();

  const encoded = (startMs: UtcMs, rows: SeriesRows): EncodedChunk => {
    const chunk = encodeChunk(startMs, rows);
    for (const { variable, count } of chunk.columns)
      if (count > 0 && isValued(rows.columns[variable]!)) valued.add(variable);
    return chunk;
  };

  const seal = (): void => {
    if (openMs === null) return;
    const taken = open.take();
    conflicts += taken.conflicts;
    sealed.set(openMs, encoded(openMs, taken.rows));
    openMs = null;
  };

  const target = (startMs: UtcMs): RowBuilder => {
    if (startMs === openMs) return open;
    if (!sealed.has(startMs)) {
      seal();
      openMs = startMs;
      return open;
    }
    const waiting = late.get(startMs) ?? rowBuilder(variables);
    late.set(startMs, waiting);
    return waiting;
  };

  return {
    append(block, from, to) {
      for (let i = from; i < to;) {
        const startMs = bucketStart(block.timesMs[i]!, length);
        const endMs = startMs + length;
        let end = i + 1;
        while (end < to && block.timesMs[end]! >= startMs && block.timesMs[end]! < endMs) end++;
        target(startMs).append(block, i, end);
        i = end;
      }
    },
    finish() {
      seal();
      for (const [startMs, waiting] of late) {
        // The bucket is built anew: what came first first, so that what came late is the last word.
        const whole = rowBuilder(variables);
        const afterwards = waiting.take();
        for (const rows of [decodeEncoded(defined(sealed.get(startMs))), afterwards.rows])
          whole.append(asArrived(rows), 0, rows.timesMs.length);
        const taken = whole.take();
        conflicts += afterwards.conflicts + taken.conflicts;
        sealed.set(startMs, encoded(startMs, taken.rows));
      }
      late.clear();
      return { chunks: sealed, conflicts, valued };
    },
  };
}

function isValued(column: Column): boolean {
  return column.kind === "scalar" || column.values.some(Boolean);
}

/** Rows of a bucket as if they came anew. */
function asArrived({ timesMs, columns }: SeriesRows): ArrivedRows {
  const scalars: ArrivedRows["scalars"] = {};
  const texts: ArrivedRows["texts"] = {};
  for (const [variable, column] of Object.entries(columns) as [Variable, Column][]) {
    if (column.kind === "scalar") scalars[variable] = column.values;
    else texts[variable] = [...column.values];
  }
  return { stationId: "", timesMs, scalars, texts };
}
