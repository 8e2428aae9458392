import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** Something that was made of one bucket of a series; never to be changed. */
export interface OfBucket<T> {
  readonly bucketMs: UtcMs;
  readonly value: T;
}

/** What was decoded of the series that were read last, so that panning decodes nothing twice. */
export interface BucketMemory<T> {
  /** What belongs to the bucket starts in the range, made with `load` where it is not there. */
  get(series: string, buckets: TimeRange, load: (buckets: TimeRange) => OfBucket<T>[]): readonly OfBucket<T>[];
  /** After every write to a series. */
  forget(series: string): void;
  clear(): void;
}

interface Remembered<T> {
  readonly buckets: TimeRange;
  readonly items: readonly OfBucket<T>[];
  readonly size: number;
}

/** @param mostSize of all series together, as `sizeOf` tells it of each value */
export function bucketMemory<T>(mostSize: number, sizeOf: (value: T) => number): BucketMemory<T> {
  // In order of use, the oldest first.
  const kept = new Map<string, Remembered<T>>();
  let size = 0;

  const forget = (series: string): void => {
    size -= kept.get(series)?.size ?? 0;
    kept.delete(series);
  };
  const keep = (series: string, fresh: Remembered<T>): void => {
    forget(series);
    for (const [oldest] of kept) {
      if (size + fresh.size <= mostSize) break;
      forget(oldest);
    }
    if (size + fresh.size > mostSize) return;
    kept.set(series, fresh);
    size += fresh.size;
  };
  const remembered = (buckets: TimeRange, items: readonly OfBucket<T>[]): Remembered<T> => ({
    buckets,
    items,
    size: items.reduce((sum, { value }) => sum + sizeOf(value), 0),
  });
  /** Makes only what lies before and after; a range apart from the known one starts anew. */
  const grow = (known: Remembered<T>, buckets: TimeRange, load: (buckets: TimeRange) => OfBucket<T>[]) => {
    const { startMs, endMs } = known.buckets;
    if (buckets.startMs >= startMs && buckets.endMs <= endMs) return known;
    if (buckets.startMs > endMs || buckets.endMs < startMs) return remembered(buckets, load(buckets));
    const before = buckets.startMs < startMs ? load({ startMs: buckets.startMs, endMs: startMs }) : [];
    const after = buckets.endMs > endMs ? load({ startMs: endMs, endMs: buckets.endMs }) : [];
    const all = { startMs: Math.min(buckets.startMs, startMs), endMs: Math.max(buckets.endMs, endMs) };
    return remembered(all, [...before, ...known.items, ...after]);
  };

  return {
    get(series, buckets, load) {
      const known = kept.get(series);
      const grown = known ? grow(known, buckets, load) : remembered(buckets, load(buckets));
      keep(series, grown);
      return grown.items.filter(({ bucketMs }) => bucketMs >= buckets.startMs && bucketMs < buckets.endMs);
    },
    forget,
    clear() {
      kept.clear();
      size = 0;
    },
  };
}
