import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** A value derived from one bucket of a series; must not be changed. */
export interface BucketValue<T> {
  readonly bucketMs: UtcMs;
  readonly value: T;
}

/** Decoded values of the series that were read last, so that panning decodes nothing twice. */
export interface BucketCache<T> {
  /** Returns the values of the bucket starts in the range; `load` creates missing ones. */
  get(series: string, buckets: TimeRange, load: (buckets: TimeRange) => BucketValue<T>[]): readonly BucketValue<T>[];
  /** Must be called after every write to a series. */
  forget(series: string): void;
  clear(): void;
}

interface Entry<T> {
  readonly buckets: TimeRange;
  readonly items: readonly BucketValue<T>[];
  readonly size: number;
}

/**
 * @param maxSize of all series together
 * @param sizeOf returns the size of a value
 */
export function createBucketCache<T>(maxSize: number, sizeOf: (value: T) => number): BucketCache<T> {
  // In order of last use, oldest first.
  const entries = new Map<string, Entry<T>>();
  let size = 0;

  const forget = (series: string): void => {
    size -= entries.get(series)?.size ?? 0;
    entries.delete(series);
  };
  const keep = (series: string, fresh: Entry<T>): void => {
    forget(series);
    for (const [oldest] of entries) {
      if (size + fresh.size <= maxSize) break;
      forget(oldest);
    }
    if (size + fresh.size > maxSize) return;
    entries.set(series, fresh);
    size += fresh.size;
  };
  const createEntry = (buckets: TimeRange, items: readonly BucketValue<T>[]): Entry<T> => ({
    buckets,
    items,
    size: items.reduce((sum, { value }) => sum + sizeOf(value), 0),
  });
  /** Loads only the values before and after a known range; a range apart from it replaces it. */
  const grow = (known: Entry<T>, buckets: TimeRange, load: (buckets: TimeRange) => BucketValue<T>[]) => {
    const { startMs, endMs } = known.buckets;
    if (buckets.startMs >= startMs && buckets.endMs <= endMs) return known;
    if (buckets.startMs > endMs || buckets.endMs < startMs) return createEntry(buckets, load(buckets));
    const before = buckets.startMs < startMs ? load({ startMs: buckets.startMs, endMs: startMs }) : [];
    const after = buckets.endMs > endMs ? load({ startMs: endMs, endMs: buckets.endMs }) : [];
    const all = { startMs: Math.min(buckets.startMs, startMs), endMs: Math.max(buckets.endMs, endMs) };
    return createEntry(all, [...before, ...known.items, ...after]);
  };

  return {
    get(series, buckets, load) {
      const known = entries.get(series);
      const grown = known ? grow(known, buckets, load) : createEntry(buckets, load(buckets));
      keep(series, grown);
      return grown.items.filter(({ bucketMs }) => bucketMs >= buckets.startMs && bucketMs < buckets.endMs);
    },
    forget,
    clear() {
      entries.clear();
      size = 0;
    },
  };
}
