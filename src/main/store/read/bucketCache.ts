import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** A value derived from one bucket of a series; must not be changed. */
export interface BucketValue<T> {
  readonly bucketMs: UtcMs;
  readonly value: T;
}

interface Entry<T> {
  readonly buckets: TimeRange;
  readonly items: readonly T[];
  readonly size: number;
}

/**
 * Decoded items of the series that were read last, one for each bucket, so that panning decodes nothing twice.
 *
 * @param maxSize of all series together
 * @param sizeOf returns the size of an item
 */
export function createBucketCache<T extends { readonly bucketMs: UtcMs }>(
  maxSize: number,
  sizeOf: (item: T) => number,
) {
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
  const createEntry = (buckets: TimeRange, items: readonly T[]): Entry<T> => ({
    buckets,
    items,
    size: items.reduce((sum, item) => sum + sizeOf(item), 0),
  });
  /** Loads only the items before and after a known range; a range apart from it replaces it. */
  const grow = (known: Entry<T>, buckets: TimeRange, load: (buckets: TimeRange) => readonly T[]) => {
    const { startMs, endMs } = known.buckets;
    if (buckets.startMs >= startMs && buckets.endMs <= endMs) return known;
    if (buckets.startMs > endMs || buckets.endMs < startMs) return createEntry(buckets, load(buckets));
    const before = buckets.startMs < startMs ? load({ startMs: buckets.startMs, endMs: startMs }) : [];
    const after = buckets.endMs > endMs ? load({ startMs: endMs, endMs: buckets.endMs }) : [];
    const all = { startMs: Math.min(buckets.startMs, startMs), endMs: Math.max(buckets.endMs, endMs) };
    return createEntry(all, [...before, ...known.items, ...after]);
  };

  return {
    /** Returns the items of the bucket starts in the range; `load` creates missing ones. */
    get(series: string, buckets: TimeRange, load: (buckets: TimeRange) => readonly T[]): readonly T[] {
      const known = entries.get(series);
      const grown = known ? grow(known, buckets, load) : createEntry(buckets, load(buckets));
      keep(series, grown);
      const { items } = grown;
      const start = firstFrom(items, buckets.startMs);
      const end = firstFrom(items, buckets.endMs);
      return start === 0 && end === items.length ? items : items.slice(start, end);
    },
    /** Replaces the item of a bucket, or removes it (null), if it may be in memory. */
    replace(series: string, bucketMs: UtcMs, item: T | null): void {
      const known = entries.get(series);
      if (!known || bucketMs < known.buckets.startMs || bucketMs >= known.buckets.endMs) return;
      const at = firstFrom(known.items, bucketMs);
      const old = known.items[at]?.bucketMs === bucketMs ? known.items[at] : undefined;
      const items = known.items.toSpliced(at, old ? 1 : 0, ...(item ? [item] : []));
      const change = (item ? sizeOf(item) : 0) - (old ? sizeOf(old) : 0);
      entries.set(series, { buckets: known.buckets, items, size: known.size + change });
      size += change;
    },
    /** Must be called after every other write to a series. */
    forget,
    clear(): void {
      entries.clear();
      size = 0;
    },
  };
}

export type BucketCache<T extends { readonly bucketMs: UtcMs }> = ReturnType<typeof createBucketCache<T>>;

/** Returns the index of the first item from a moment on. */
function firstFrom(items: readonly { readonly bucketMs: UtcMs }[], startMs: UtcMs): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.bucketMs < startMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
