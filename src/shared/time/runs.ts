import type { TimeRange } from "./range.ts";
import { defined } from "../defined.ts";

/**
 * Strictly ascending moments as runs of equal steps: a year of 30-second epochs with a dozen gaps is a dozen triples
 * instead of a million numbers. Run `i` holds `startsMs[i] + k * stepsMs[i]` for k below `counts[i]`; a run of one
 * moment has step 0.
 */
export interface Runs {
  readonly startsMs: number[];
  readonly stepsMs: number[];
  readonly counts: number[];
  /** Moments over all runs. */
  total: number;
}

export function emptyRuns(): Runs {
  return { startsMs: [], stepsMs: [], counts: [], total: 0 };
}

/** Last moment of run `i`. */
export function runEndMs(runs: Runs, i: number): number {
  return runs.startsMs[i]! + (runs.counts[i]! - 1) * runs.stepsMs[i]!;
}

/** The moments as runs; they must ascend. */
export function runsOf(timesMs: Float64Array): Runs {
  const runs = emptyRuns();
  appendMoments(runs, timesMs);
  return runs;
}

/** Appends moments; returns false, having appended those before, at the first that is not after its predecessor. */
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

/** Appends a run that lies wholly after the last one, joined with it where the step allows. */
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

/** Appends all of another; returns false, with nothing appended, where that does not begin after the last moment. */
export function appendRuns(runs: Runs, others: Runs): boolean {
  const { startsMs, stepsMs, counts } = others;
  const last = runs.counts.length - 1;
  if (counts.length > 0 && last >= 0 && !(startsMs[0]! > runEndMs(runs, last))) return false;
  for (let i = 0; i < counts.length; i++) pushRun(runs, startsMs[i]!, stepsMs[i]!, counts[i]!);
  return true;
}

/** Appends those moments of a run of start, step and count that lie in the range; the rest as `pushRun`. */
export function pushRunIn(runs: Runs, range: TimeRange, startMs: number, stepMs: number, count: number): void {
  const before = startMs >= range.startMs ? 0 : stepMs === 0 ? count : Math.ceil((range.startMs - startMs) / stepMs);
  const until = stepMs === 0 ? (startMs < range.endMs ? count : 0) : Math.ceil((range.endMs - startMs) / stepMs);
  const inside = Math.min(count, until) - before;
  if (inside > 0) pushRun(runs, startMs + before * stepMs, inside === 1 ? 0 : stepMs, inside);
}

/** How many moments are not before this one. */
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

interface Head {
  readonly runs: Runs;
  index: number;
  startMs: number;
  stepMs: number;
  count: number;
}

function head(runs: Runs): Head {
  const h: Head = { runs, index: -1, startMs: 0, stepMs: 0, count: 0 };
  drop(h, 0);
  return h;
}

/** Leaves out the first `n` moments of the head's run and goes on to the next run where none is left. */
function drop(h: Head, n: number): void {
  h.startMs += n * h.stepMs;
  h.count -= n;
  if (h.count === 1) h.stepMs = 0;
  if (h.count > 0) return;
  h.index += 1;
  if (h.index >= h.runs.counts.length) return;
  h.startMs = h.runs.startsMs[h.index]!;
  h.stepMs = h.runs.stepsMs[h.index]!;
  h.count = h.runs.counts[h.index]!;
}

function lastOf(h: Head): number {
  return h.startMs + (h.count - 1) * h.stepMs;
}

/** Whether every moment of `inner` that is not after the last one of `outer` is also one of `outer`. */
function isOnGridOf(inner: Head, outer: Head): boolean {
  if (inner.startMs === outer.startMs && inner.count === 1) return true;
  return outer.count > 1 && (inner.startMs - outer.startMs) % outer.stepMs === 0 && inner.stepMs % outer.stepMs === 0;
}

/**
 * All moments of both, each once. Costs as many steps as there are runs where the grids agree (the same cadence, or one
 * a multiple of the other), and as many as there are moments only where they do not.
 *
 * @returns null where the union has more than `maxRuns` runs: moments too irregular to share an axis
 */
export function unionRuns(a: Runs, b: Runs, maxRuns: number): Runs | null {
  const out = emptyRuns();
  let x = head(a);
  let y = head(b);
  while (x.count > 0 && y.count > 0) {
    if (out.counts.length > maxRuns) return null;
    if (y.startMs < x.startMs || (y.startMs === x.startMs && !isOnGridOf(y, x))) [x, y] = [y, x];
    if (lastOf(x) < y.startMs) {
      pushRun(out, x.startMs, x.stepMs, x.count);
      drop(x, x.count);
    } else if (isOnGridOf(y, x)) {
      drop(y, y.count === 1 ? 1 : Math.min(y.count, Math.floor((lastOf(x) - y.startMs) / y.stepMs) + 1));
    } else if (x.startMs === y.startMs) {
      pushRun(out, x.startMs, 0, 1);
      drop(x, 1);
      drop(y, 1);
    } else {
      const before = Math.ceil((y.startMs - x.startMs) / x.stepMs);
      pushRun(out, x.startMs, before === 1 ? 0 : x.stepMs, before);
      drop(x, before);
    }
  }
  for (const rest of [x, y]) {
    while (rest.count > 0) {
      pushRun(out, rest.startMs, rest.count === 1 ? 0 : rest.stepMs, rest.count);
      drop(rest, rest.count);
    }
  }
  return out.counts.length > maxRuns ? null : out;
}

/** The moments as they stand, in arrays of at most `size`; the array is reused from one to the next. */
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

/** Apart from the generator, in which a loop stays slow for long. */
function fillSteps(block: Float64Array, at: number, start: number, step: number, from: number, to: number): void {
  for (let k = from; k < to; k++) block[at + k - from] = start + k * step;
}

/** The moments as they stand, in one array. */
export function momentsOf(runs: Runs): Float64Array {
  const [all] = expandRuns(runs, Number.POSITIVE_INFINITY);
  return all ?? new Float64Array(0);
}

/** The step that most moments follow, in milliseconds; null where there are fewer than two moments. */
export function commonStepMs(runs: Runs): number | null {
  const moments = new Map<number, number>();
  for (let i = 0; i < runs.counts.length; i++) {
    const step = runs.stepsMs[i]!;
    if (step > 0) moments.set(step, (moments.get(step) ?? 0) + runs.counts[i]! - 1);
  }
  let best: number | null = null;
  for (const [step, n] of moments) if (best === null || n > defined(moments.get(best))) best = step;
  return best;
}
