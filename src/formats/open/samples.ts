import { count } from "#shared/text.ts";
import { FormatFailure } from "../error.ts";

/** Epochs of one series in time order, and their positions among the samples in the file. */
export interface Samples {
  /** Ascending integer UTC milliseconds. */
  readonly timesMs: Float64Array<ArrayBuffer>;
  /** Index of each row's sample; null if unchanged. */
  readonly order: Uint32Array<ArrayBuffer> | null;
}

export interface TimesSurvey {
  readonly rows: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly isSorted: boolean;
  /** Only consecutive repeats are detected. */
  readonly hasRepeats: boolean;
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

/** Surveys the times of many series at once, in the order of the file. */
export class TimesSurveyor {
  readonly #surveys: (Writable<TimesSurvey> & { previousMs: number })[];

  constructor(series: number) {
    this.#surveys = Array.from({ length: series }, () => ({
      rows: 0,
      firstMs: Number.POSITIVE_INFINITY,
      lastMs: Number.NEGATIVE_INFINITY,
      isSorted: true,
      hasRepeats: false,
      previousMs: Number.NEGATIVE_INFINITY,
    }));
  }

  add(series: number, timeMs: number): void {
    const survey = this.#surveys[series];
    if (!survey || Number.isNaN(timeMs)) return;
    if (timeMs < survey.previousMs) survey.isSorted = false;
    else if (timeMs === survey.previousMs) survey.hasRepeats = true;
    survey.previousMs = timeMs;
    survey.rows++;
    if (timeMs < survey.firstMs) survey.firstMs = timeMs;
    if (timeMs > survey.lastMs) survey.lastMs = timeMs;
  }

  result(series: number): TimesSurvey {
    const survey = this.#surveys[series];
    if (!survey) throw new RangeError(`There is no series ${series}.`);
    return survey;
  }
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
