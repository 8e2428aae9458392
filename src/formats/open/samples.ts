import { count } from "#shared/text.ts";
import { FormatFailure } from "../error.ts";
import type { ColumnCache } from "./columnCache.ts";
import type { FileRows } from "./types.ts";

/** Epochs of one series in time order, and their positions among the samples in the file. */
export interface Samples {
  /** Ascending integer UTC milliseconds. */
  readonly timesMs: Float64Array<ArrayBuffer>;
  /** Index of each row's sample; null if unchanged. */
  readonly order: Uint32Array<ArrayBuffer> | null;
}

export const MAX_ROWS = 32_000_000;
const MAX_UNSORTED = 8_000_000;

/** Sorts the rows with a time; equal times keep the order of the file. @throws FormatFailure if there are too many */
export function samplesOf(timesMs: Float64Array<ArrayBuffer>): Samples {
  if (isAscending(timesMs)) return { timesMs, order: null };
  let order = new Uint32Array(timesMs.length);
  let rows = 0;
  for (let i = 0; i < timesMs.length; i++) if (!Number.isNaN(timesMs[i])) order[rows++] = i;
  order = order.slice(0, rows);
  const present = inOrder(timesMs, order);
  if (isAscending(present)) return { timesMs: present, order };
  if (order.length > MAX_UNSORTED)
    throw new FormatFailure(
      "tooLarge",
      `This series has ${count(order.length)} rows that are not in order of time: sort them by time in the file.`,
    );
  order.sort((a, b) => timesMs[a]! - timesMs[b]! || a - b);
  return { timesMs: inOrder(timesMs, order), order };
}

/** A missing time is in no order. */
function isAscending(timesMs: Float64Array): boolean {
  let lastMs = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < timesMs.length; i++) {
    const timeMs = timesMs[i]!;
    if (!(timeMs >= lastMs)) return false;
    lastMs = timeMs;
  }
  return true;
}

export function inOrder(values: Float64Array<ArrayBuffer>, order: Uint32Array | null): Float64Array<ArrayBuffer> {
  if (order === null) return values;
  const sorted = new Float64Array(order.length);
  for (let row = 0; row < sorted.length; row++) sorted[row] = values[order[row]!] ?? Number.NaN;
  return sorted;
}

interface RowSource {
  /** Keys of the cache for its times, and its values. */
  readonly timesId: string;
  readonly id: string;
  samples(): Samples;
  /** The values of the samples that an order selects; null: of all. */
  values(order: Uint32Array | null): Float64Array<ArrayBuffer>;
}

export function cachedRows(cache: ColumnCache, { timesId, id, samples, values }: RowSource): FileRows {
  let loaded: Samples | null = null;
  const load = (): Samples => (loaded ??= samples());
  const timesMs = cache.get(`${timesId}/times`, () => load().timesMs);
  return {
    timesMs,
    values: cache.get(`${id}/values`, () => {
      // Empty if the rows are in order.
      const order = cache.get(`${timesId}/order`, () => load().order ?? new Uint32Array(0));
      return values(order.length === 0 && timesMs.length > 0 ? null : order);
    }),
  };
}

/** What the times of a series are like, in the order of the file. */
export class TimesSurvey {
  rows = 0;
  missing = 0;
  firstMs = Number.POSITIVE_INFINITY;
  lastMs = Number.NEGATIVE_INFINITY;
  isSorted = true;
  /** Only consecutive repeats are detected. */
  hasRepeats = false;
  #previousMs = Number.NEGATIVE_INFINITY;

  add(timeMs: number): void {
    if (Number.isNaN(timeMs)) return void this.missing++;
    if (timeMs < this.#previousMs) this.isSorted = false;
    else if (timeMs === this.#previousMs) this.hasRepeats = true;
    this.#previousMs = timeMs;
    this.rows++;
    if (timeMs < this.firstMs) this.firstMs = timeMs;
    if (timeMs > this.lastMs) this.lastMs = timeMs;
  }
}
