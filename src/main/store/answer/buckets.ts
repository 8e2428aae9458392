import type { ArrivedRows, Column, SeriesMode, SeriesRows } from "#shared/series/rows.ts";
import type { Variable, VariableKind } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketMs, bucketStart } from "../bucket.ts";
import { decodeEncoded, type EncodedChunk, encodeChunk } from "../chunk.ts";
import { type RowBuilder, rowBuilder } from "./builder.ts";

/** Sorts the rows of one station and kind into buckets; only the bucket that rows arrive for is held as numbers. */
export interface BucketSorter {
  append(block: ArrivedRows, from: number, to: number): void;
  /** Everything that arrived, encoded, by bucket; and how many values differ from an earlier one of the same time. */
  finish(): { readonly chunks: ReadonlyMap<UtcMs, EncodedChunk>; readonly conflicts: number };
}

export function bucketSorter(kind: VariableKind, variables: readonly Variable[], mode: SeriesMode): BucketSorter {
  const length = bucketMs(kind, mode.intervalSeconds);
  const sealed = new Map<UtcMs, EncodedChunk>();
  // Rows of a bucket that was left already wait here: to open it again for each of them could take for ever.
  const late = new Map<UtcMs, RowBuilder>();
  const open = rowBuilder(variables);
  let openMs: UtcMs | null = null;
  let conflicts = 0;

  const seal = (): void => {
    if (openMs === null) return;
    const taken = open.take();
    conflicts += taken.conflicts;
    sealed.set(openMs, encodeChunk(openMs, taken.rows));
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
        for (const rows of [decodeEncoded(sealed.get(startMs)!), afterwards.rows])
          whole.append(asArrived(rows), 0, rows.timesMs.length);
        const taken = whole.take();
        conflicts += afterwards.conflicts + taken.conflicts;
        sealed.set(startMs, encodeChunk(startMs, taken.rows));
      }
      late.clear();
      return { chunks: sealed, conflicts };
    },
  };
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
