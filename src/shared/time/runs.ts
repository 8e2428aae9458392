import type { TimeRange } from "./range.ts";
import type { UtcMs } from "./utc.ts";

/** Moments at equal steps: `startMs + k * stepMs` for k below `count`. A run of one moment has step 0. */
export interface Run {
  readonly startMs: UtcMs;
  readonly stepMs: number;
  readonly count: number;
}

/**
 * Strictly ascending moments as runs of equal steps: a year of 30-second epochs with a dozen gaps takes a dozen runs
 * instead of a million numbers.
 */
export interface Runs {
  readonly list: Run[];
  /** Number of moments of all runs. */
  total: number;
}

export function emptyRuns(): Runs {
  return { list: [], total: 0 };
}

/** Returns the last moment of a run. */
export function runEndMs({ startMs, stepMs, count }: Run): UtcMs {
  return startMs + (count - 1) * stepMs;
}

/** Converts strictly ascending moments to runs. */
export function runsOf(timesMs: Float64Array): Runs {
  const runs = emptyRuns();
  appendMoments(runs, timesMs);
  return runs;
}

/** Appends moments. Stops and returns false at the first that is not after its predecessor. */
export function appendMoments(runs: Runs, timesMs: Float64Array): boolean {
  const { list } = runs;
  let i = 0;
  while (i < timesMs.length) {
    const last = list.at(-1);
    if (last && last.count > 1) {
      const from = i;
      const { startMs, stepMs } = last;
      for (let next = runEndMs(last) + stepMs; i < timesMs.length && timesMs[i] === next; next += stepMs) i++;
      list[list.length - 1] = { startMs, stepMs, count: last.count + i - from };
      runs.total += i - from;
    }
    const moment = timesMs[i++];
    if (moment === undefined) return true;
    if (last && !(moment > runEndMs(last))) return false;
    pushRun(runs, { startMs: moment, stepMs: 0, count: 1 });
  }
  return true;
}

/** Appends a run that starts after the last one, merged with it if the steps match. */
export function pushRun(runs: Runs, run: Run): void {
  runs.total += run.count;
  const last = runs.list.at(-1);
  if (last) {
    const distance = run.startMs - runEndMs(last);
    const stepMs = last.count === 1 ? distance : last.stepMs;
    if (distance === stepMs && (run.count === 1 || run.stepMs === stepMs)) {
      runs.list[runs.list.length - 1] = { startMs: last.startMs, stepMs, count: last.count + run.count };
      return;
    }
  }
  runs.list.push(run);
}

/** Appends other runs; returns false without appending if they do not start after the last moment. */
export function appendRuns(runs: Runs, others: Runs): boolean {
  const last = runs.list.at(-1);
  const first = others.list[0];
  if (last && first && !(first.startMs > runEndMs(last))) return false;
  for (const run of others.list) pushRun(runs, run);
  return true;
}

/** Appends the part of a run inside the range, like `pushRun`. */
export function pushRunIn(runs: Runs, range: TimeRange, { startMs, stepMs, count }: Run): void {
  const before = startMs >= range.startMs ? 0 : stepMs === 0 ? count : Math.ceil((range.startMs - startMs) / stepMs);
  const until = stepMs === 0 ? (startMs < range.endMs ? count : 0) : Math.ceil((range.endMs - startMs) / stepMs);
  const inside = Math.min(count, until) - before;
  if (inside > 0)
    pushRun(runs, { startMs: startMs + before * stepMs, stepMs: inside === 1 ? 0 : stepMs, count: inside });
}

export function countFrom(runs: Runs, momentMs: number): number {
  let total = 0;
  for (const run of runs.list.toReversed()) {
    if (run.startMs < momentMs) {
      if (run.count > 1) total += Math.max(0, run.count - Math.ceil((momentMs - run.startMs) / run.stepMs));
      break;
    }
    total += run.count;
  }
  return total;
}

/** Returns the number of moments in a range. */
export function countIn(runs: Runs, { startMs, endMs }: TimeRange): number {
  return countFrom(runs, startMs) - countFrom(runs, endMs);
}

/** Position in runs: the rest of the current run; its count is 0 at the end. */
interface Cursor extends Run {
  readonly following: Iterator<Run>;
  startMs: UtcMs;
  stepMs: number;
  count: number;
}

function cursorOf(runs: Runs): Cursor {
  const cursor: Cursor = { following: runs.list.values(), startMs: 0, stepMs: 0, count: 0 };
  skip(cursor, 0);
  return cursor;
}

/** Skips the first `n` moments of the current run, and advances to the next run at its end. */
function skip(cursor: Cursor, n: number): void {
  cursor.startMs += n * cursor.stepMs;
  cursor.count -= n;
  if (cursor.count === 1) cursor.stepMs = 0;
  if (cursor.count > 0) return;
  const next = cursor.following.next();
  if (!next.done) Object.assign(cursor, next.value);
}

/** Appends the first `count` moments of the current run. */
function pushFirst(runs: Runs, { startMs, stepMs }: Cursor, count: number): void {
  pushRun(runs, { startMs, stepMs: count === 1 ? 0 : stepMs, count });
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
    if (out.list.length > maxRuns) return null;
    if (y.startMs < x.startMs || (y.startMs === x.startMs && !isOnGridOf(y, x))) [x, y] = [y, x];
    if (runEndMs(x) < y.startMs) {
      pushFirst(out, x, x.count);
      skip(x, x.count);
    } else if (isOnGridOf(y, x)) {
      skip(y, y.count === 1 ? 1 : Math.min(y.count, Math.floor((runEndMs(x) - y.startMs) / y.stepMs) + 1));
    } else if (x.startMs === y.startMs) {
      pushFirst(out, x, 1);
      skip(x, 1);
      skip(y, 1);
    } else {
      const before = Math.ceil((y.startMs - x.startMs) / x.stepMs);
      pushFirst(out, x, before);
      skip(x, before);
    }
  }
  for (const rest of [x, y]) {
    while (rest.count > 0) {
      pushFirst(out, rest, rest.count);
      skip(rest, rest.count);
    }
  }
  return out.list.length > maxRuns ? null : out;
}

/** Yields all moments in arrays of at most `size`; the array is reused. */
export function* expandRuns(runs: Runs, size: number): IterableIterator<Float64Array> {
  const block = new Float64Array(Math.max(1, Math.min(size, runs.total)));
  let filled = 0;
  for (const run of runs.list) {
    for (let k = 0; k < run.count;) {
      const end = fillSteps(block, filled, run, k);
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

/**
 * Writes the moments of a run from the step `from` on, until the block is full. Outside of the generator, because V8
 * optimizes loops in generators late.
 *
 * @returns the step after the last one
 */
function fillSteps(block: Float64Array, at: number, { startMs, stepMs, count }: Run, from: number): number {
  const end = Math.min(count, from + block.length - at);
  for (let k = from; k < end; k++) block[at + k - from] = startMs + k * stepMs;
  return end;
}

export function momentsOf(runs: Runs): Float64Array {
  const [all] = expandRuns(runs, Number.POSITIVE_INFINITY);
  return all ?? new Float64Array(0);
}

/** Returns the most frequent step in milliseconds; null for fewer than two moments. */
export function commonStepMs(runs: Runs): number | null {
  const moments = new Map<number, number>();
  for (const { stepMs, count } of runs.list) {
    if (stepMs > 0) moments.set(stepMs, (moments.get(stepMs) ?? 0) + count - 1);
  }
  let best: number | null = null;
  let bestCount = 0;
  for (const [step, count] of moments) if (count > bestCount) [best, bestCount] = [step, count];
  return best;
}

/** Returns the moments that the other runs do not have. */
export function momentsOnlyIn(runs: Runs, others: Runs): Float64Array {
  const theirs = momentsOf(others);
  let k = 0;
  return momentsOf(runs).filter((momentMs) => {
    while (k < theirs.length && theirs[k]! < momentMs) k++;
    return theirs[k] !== momentMs;
  });
}
