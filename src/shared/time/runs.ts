import type { TimeRange } from "./range.ts";

/**
 * Strictly ascending moments as runs of equal steps: a year of 30-second epochs with a dozen gaps takes a dozen triples
 * instead of a million numbers. Run `i` contains `startsMs[i] + k * stepsMs[i]` for k below `counts[i]`; a run of one
 * moment has step 0.
 */
export interface Runs {
  readonly startsMs: number[];
  readonly stepsMs: number[];
  readonly counts: number[];
  /** Number of moments of all runs. */
  total: number;
}

export function emptyRuns(): Runs {
  return { startsMs: [], stepsMs: [], counts: [], total: 0 };
}

/** Returns the last moment of run `i`. */
export function runEndMs(runs: Runs, i: number): number {
  return runs.startsMs[i]! + (runs.counts[i]! - 1) * runs.stepsMs[i]!;
}

/** Converts strictly ascending moments to runs. */
export function runsOf(timesMs: Float64Array): Runs {
  const runs = emptyRuns();
  appendMoments(runs, timesMs);
  return runs;
}

/** Appends moments. Stops and returns false at the first that is not after its predecessor. */
export function appendMoments(runs: Runs, timesMs: Float64Array): boolean {
  let i = 0;
  while (i < timesMs.length) {
    const last = runs.counts.length - 1;
    if (last >= 0 && runs.counts[last]! > 1) {
      const step = runs.stepsMs[last]!;
      const from = i;
      for (let next = runEndMs(runs, last) + step; i < timesMs.length && timesMs[i] === next; next += step) i++;
      runs.counts[last]! += i - from;
      runs.total += i - from;
      if (i === timesMs.length) return true;
    }
    const moment = timesMs[i++]!;
    if (last >= 0 && !(moment > runEndMs(runs, last))) return false;
    pushRun(runs, moment, 0, 1);
  }
  return true;
}

/** Appends a run that starts after the last one, merged with it if the steps match. */
export function pushRun(runs: Runs, startMs: number, stepMs: number, count: number): void {
  runs.total += count;
  const last = runs.counts.length - 1;
  if (last >= 0) {
    const distance = startMs - runEndMs(runs, last);
    const lastStep = runs.counts[last] === 1 ? distance : runs.stepsMs[last]!;
    if (distance === lastStep && (count === 1 || stepMs === lastStep)) {
      runs.stepsMs[last] = lastStep;
      runs.counts[last]! += count;
      return;
    }
  }
  runs.startsMs.push(startMs);
  runs.stepsMs.push(stepMs);
  runs.counts.push(count);
}

/** Appends other runs; returns false without appending if they do not start after the last moment. */
export function appendRuns(runs: Runs, others: Runs): boolean {
  const { startsMs, stepsMs, counts } = others;
  const last = runs.counts.length - 1;
  if (counts.length > 0 && last >= 0 && !(startsMs[0]! > runEndMs(runs, last))) return false;
  for (let i = 0; i < counts.length; i++) pushRun(runs, startsMs[i]!, stepsMs[i]!, counts[i]!);
  return true;
}

/** Appends the part of a run inside the range, like `pushRun`. */
export function pushRunIn(runs: Runs, range: TimeRange, startMs: number, stepMs: number, count: number): void {
  const before = startMs >= range.startMs ? 0 : stepMs === 0 ? count : Math.ceil((range.startMs - startMs) / stepMs);
  const until = stepMs === 0 ? (startMs < range.endMs ? count : 0) : Math.ceil((range.endMs - startMs) / stepMs);
  const inside = Math.min(count, until) - before;
  if (inside > 0) pushRun(runs, startMs + before * stepMs, inside === 1 ? 0 : stepMs, inside);
}

/** Returns the number of moments from `momentMs` on. */
export function countFrom(runs: Runs, momentMs: number): number {
  let count = 0;
  for (let i = runs.counts.length - 1; i >= 0; i--) {
    const startMs = runs.startsMs[i]!;
    if (startMs >= momentMs) {
      count += runs.counts[i]!;
      continue;
    }
    if (runs.counts[i]! > 1) count += Math.max(0, runs.counts[i]! - Math.ceil((momentMs - startMs) / runs.stepsMs[i]!));
    break;
  }
  return count;
}

/** Position in runs: the rest of the current run. */
interface Cursor {
  readonly runs: Runs;
  index: number;
  startMs: number;
  stepMs: number;
  count: number;
}

function cursorOf(runs: Runs): Cursor {
  const cursor: Cursor = { runs, index: -1, startMs: 0, stepMs: 0, count: 0 };
  skip(cursor, 0);
  return cursor;
}

/** Skips the first `n` moments of the current run, and advances to the next run at its end. */
function skip(cursor: Cursor, n: number): void {
  cursor.startMs += n * cursor.stepMs;
  cursor.count -= n;
  if (cursor.count === 1) cursor.stepMs = 0;
  if (cursor.count > 0) return;
  cursor.index += 1;
  const { runs, index } = cursor;
  if (index >= runs.counts.length) return;
  cursor.startMs = runs.startsMs[index]!;
  cursor.stepMs = runs.stepsMs[index]!;
  cursor.count = runs.counts[index]!;
}

function lastOf(cursor: Cursor): number {
  return cursor.startMs + (cursor.count - 1) * cursor.stepMs;
}

/** Whether every moment of `inner` up to the last one of `outer` is also in `outer`. */
function isOnGridOf(inner: Cursor, outer: Cursor): boolean {
  if (inner.startMs === outer.startMs && inner.count === 1) return true;
  return outer.count > 1 && (inner.startMs - outer.startMs) % outer.stepMs === 0 && inner.stepMs % outer.stepMs === 0;
}

/**
 * Returns the distinct moments of both. Takes as many steps as there are runs if the grids agree (the same cadence, or one
 * a multiple of the other), else as many as there are moments.
 *
 * @returns null if the union has more than `maxRuns` runs: moments too irregular for a common axis
 */
export function unionRuns(a: Runs, b: Runs, maxRuns: number): Runs | null {
  const out = emptyRuns();
  let x = cursorOf(a);
  let y = cursorOf(b);
  while (x.count > 0 && y.count > 0) {
    if (out.counts.length > maxRuns) return null;
    if (y.startMs < x.startMs || (y.startMs === x.startMs && !isOnGridOf(y, x))) [x, y] = [y, x];
    if (lastOf(x) < y.startMs) {
      pushRun(out, x.startMs, x.stepMs, x.count);
      skip(x, x.count);
    } else if (isOnGridOf(y, x)) {
      skip(y, y.count === 1 ? 1 : Math.min(y.count, Math.floor((lastOf(x) - y.startMs) / y.stepMs) + 1));
    } else if (x.startMs === y.startMs) {
      pushRun(out, x.startMs, 0, 1);
      skip(x, 1);
      skip(y, 1);
    } else {
      const before = Math.ceil((y.startMs - x.startMs) / x.stepMs);
      pushRun(out, x.startMs, before === 1 ? 0 : x.stepMs, before);
      skip(x, before);
    }
  }
  for (const rest of [x, y]) {
    while (rest.count > 0) {
      pushRun(out, rest.startMs, rest.count === 1 ? 0 : rest.stepMs, rest.count);
      skip(rest, rest.count);
    }
  }
  return out.counts.length > maxRuns ? null : out;
}

/** Yields all moments in arrays of at most `size`; the array is reused. */
export function* expandRuns(runs: Runs, size: number): IterableIterator<Float64Array> {
  const block = new Float64Array(Math.max(1, Math.min(size, runs.total)));
  let filled = 0;
  for (let i = 0; i < runs.counts.length; i++) {
    const start = runs.startsMs[i]!;
    const step = runs.stepsMs[i]!;
    const count = runs.counts[i]!;
    for (let k = 0; k < count;) {
      const end = Math.min(count, k + block.length - filled);
      fillSteps(block, filled, start, step, k, end);
      filled += end - k;
      k = end;
      if (filled === block.length) {
        yield block;
        filled = 0;
      }
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

/** Outside of the generator, because V8 optimizes loops in generators late. */
function fillSteps(block: Float64Array, at: number, start: number, step: number, from: number, to: number): void {
  for (let k = from; k < to; k++) block[at + k - from] = start + k * step;
}

/** Returns all moments in one array. */
export function momentsOf(runs: Runs): Float64Array {
  const [all] = expandRuns(runs, Number.POSITIVE_INFINITY);
  return all ?? new Float64Array(0);
}

/** Returns the most frequent step in milliseconds; null for fewer than two moments. */
export function commonStepMs(runs: Runs): number | null {
  const moments = new Map<number, number>();
  for (let i = 0; i < runs.counts.length; i++) {
    const step = runs.stepsMs[i]!;
    if (step > 0) moments.set(step, (moments.get(step) ?? 0) + runs.counts[i]! - 1);
  }
  let best: number | null = null;
  let bestCount = 0;
  for (const [step, count] of moments) if (count > bestCount) [best, bestCount] = [step, count];
  return best;
}
