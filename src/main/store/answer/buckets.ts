import type { ArrivedRows, SeriesMode } from "#shared/series/rows.ts";
import type { Variable, VariableKind } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketMs, bucketStart } from "../bucket.ts";
import { decodeEncoded, type EncodedChunk, encodeChunk } from "../chunk.ts";
import { joinRows } from "../rows.ts";
import { type RowBuilder, rowBuilder } from "./builder.ts";

/** Sorts the rows of one station and kind into buckets; only the bucket that rows arrive for is held as numbers. */
export interface BucketSorter {
  append(block: ArrivedRows, from: number, to: number): void;
  /** Everything that arrived, encoded, by bucket; and how many rows were there twice. */
  finish(): { readonly chunks: ReadonlyMap<UtcMs, EncodedChunk>; readonly duplicates: number };
}

export function bucketSorter(kind: VariableKind, variables: readonly Variable[], mode: SeriesMode): BucketSorter {
  const length = bucketMs(kind, mode.intervalSeconds);
  const sealed = new Map<UtcMs, EncodedChunk>();
  // Rows of a bucket that was left already wait here: to open it again for each of them could take for ever.
  const late = new Map<UtcMs, RowBuilder>();
  const open = rowBuilder(variables);
  let openMs: UtcMs | null = null;
  let duplicates = 0;

  const seal = (): void => {
    if (openMs === null) return;
    const taken = open.take();
    duplicates += taken.duplicates;
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
        const taken = waiting.take();
        const before = decodeEncoded(sealed.get(startMs)!);
        const joined = joinRows(before, taken.rows);
        duplicates += taken.duplicates + before.timesMs.length + taken.rows.timesMs.length - joined.timesMs.length;
        sealed.set(startMs, encodeChunk(startMs, joined));
      }
      late.clear();
      return { chunks: sealed, duplicates };
    },
  };
}
