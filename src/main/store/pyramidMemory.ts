import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Pyramid } from "./pyramid.ts";

export interface BucketPyramid {
  readonly bucketMs: UtcMs;
  readonly pyramid: Pyramid;
}

/** Decoded pyramids of the series that were drawn last, so that panning decodes nothing twice. */
export interface PyramidMemory {
  /** Those of the bucket starts in the range, read with `load` where they are not there; never to be changed. */
  get(series: string, buckets: TimeRange, load: (buckets: TimeRange) => BucketPyramid[]): readonly BucketPyramid[];
  /** After every write to a series. */
  forget(series: string): void;
  clear(): void;
}

interface Remembered {
  readonly buckets: TimeRange;
  readonly pyramids: readonly BucketPyramid[];
  readonly blocks: number;
}

/** Blocks in all series together; one is about 40 bytes. */
const MOST_BLOCKS = 1_000_000;

export function pyramidMemory(mostBlocks = MOST_BLOCKS): PyramidMemory {
  // In order of use, the oldest first.
  const kept = new Map<string, Remembered>();
  let blocks = 0;

  const forget = (series: string): void => {
    blocks -= kept.get(series)?.blocks ?? 0;
    kept.delete(series);
  };
  const keep = (series: string, fresh: Remembered): void => {
    forget(series);
    for (const [oldest] of kept) {
      if (blocks + fresh.blocks <= mostBlocks) break;
      forget(oldest);
    }
    if (blocks + fresh.blocks > mostBlocks) return;
    kept.set(series, fresh);
    blocks += fresh.blocks;
  };

  return {
    get(series, buckets, load) {
      const known = kept.get(series);
      const grown = known ? grow(known, buckets, load) : remembered(buckets, load(buckets));
      keep(series, grown);
      return grown.pyramids.filter(({ bucketMs }) => bucketMs >= buckets.startMs && bucketMs < buckets.endMs);
    },
    forget,
    clear() {
      kept.clear();
      blocks = 0;
    },
  };
}

/** Reads only what lies before and after; a range apart from the known one starts anew. */
function grow(known: Remembered, buckets: TimeRange, load: (buckets: TimeRange) => BucketPyramid[]): Remembered {
  const { startMs, endMs } = known.buckets;
  if (buckets.startMs >= startMs && buckets.endMs <= endMs) return known;
  if (buckets.startMs > endMs || buckets.endMs < startMs) return remembered(buckets, load(buckets));
  const before = buckets.startMs < startMs ? load({ startMs: buckets.startMs, endMs: startMs }) : [];
  const after = buckets.endMs > endMs ? load({ startMs: endMs, endMs: buckets.endMs }) : [];
  const all = { startMs: Math.min(buckets.startMs, startMs), endMs: Math.max(buckets.endMs, endMs) };
  return remembered(all, [...before, ...known.pyramids, ...after]);
}

function remembered(buckets: TimeRange, pyramids: readonly BucketPyramid[]): Remembered {
  return { buckets, pyramids, blocks: pyramids.reduce((sum, { pyramid }) => sum + pyramid.count.length, 0) };
}
