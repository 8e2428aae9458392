import { setImmediate as otherTurns } from "node:timers/promises";
import { defined } from "#shared/defined.ts";
import { alignOutward, intersectRange, isEmpty, type TimeRange } from "#shared/time/range.ts";
import { difference } from "#shared/time/rangeset.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { ALL_TIME, bucketLength, type ChunkKey } from "../tables/keys.ts";
import { decodeChunk, encodeChunk } from "../chunks/chunk.ts";
import type { Extent } from "../chunks/coverage.ts";
import { blankRange, dropAbsent } from "../chunks/rows.ts";
import { isWhole } from "../read/reader.ts";
import type { BucketRow } from "../tables/bucketRow.ts";
import type { BucketChange } from "../tables/chunks.ts";
import type { Tables } from "../tables/index.ts";
import type { ForgetSelection, WorkPace } from "../types.ts";
import type { CacheAccess } from "./access.ts";

/** Buckets per step: decoding and encoding all their variables takes a few milliseconds. */
const BUCKETS_PER_STEP = 8;
/** Milliseconds of work before other work gets its turn. */
const SLICE_MS = 8;

interface ForgetStep {
  /** Number of processed chunks. */
  readonly chunks: number;
  /** Number of rows that were deleted or lost a variable. */
  readonly rows: number;
}

/**
 * Deletes rows and coverage in small steps. Each step is complete in itself, and must run in one immediate transaction;
 * other processes may write between steps.
 */
export function* forgetSteps(tables: Tables, forgetting: ForgetSelection): Generator<ForgetStep, void, void> {
  for (const key of keysOf(tables, forgetting)) {
    const range = wholeIntervals(forgetting.range, key.interval);
    const forgotten = { range, only: forgetting.variables };
    const listed = tables.buckets.read(key, range).map(({ bucketMs }) => bucketMs);
    for (let i = 0; i < listed.length; i += BUCKETS_PER_STEP) {
      const own = listed.slice(i, i + BUCKETS_PER_STEP);
      const part = { startMs: defined(own.at(0)), endMs: defined(own.at(-1)) + 1 };
      yield { chunks: own.length, rows: forgetBuckets(tables, key, part, forgotten) };
    }
    // Includes buckets that were written meanwhile.
    yield { chunks: 0, rows: forgetBuckets(tables, key, range, forgotten) };
  }
}

function keysOf({ buckets }: Tables, { stationIds, variables }: Omit<ForgetSelection, "range">): ChunkKey[] {
  const keys = stationIds === null ? buckets.keys() : stationIds.flatMap((id) => buckets.keysOf(id));
  return keys.filter(({ kind }) => variables === null || variables.some((v) => variableKind(v) === kind));
}

/**
 * Runs the steps, a few milliseconds of them per transaction, and lets other work run in between.
 *
 * @returns number of rows of all steps
 */
export async function forgetInSteps(
  { file: { tables }, read, write }: CacheAccess,
  forgetting: ForgetSelection,
  { onProgress, signal }: WorkPace,
): Promise<number> {
  const total = read(() => countBuckets(tables, forgetting));
  let [rows, chunks] = [0, 0];
  let steps: Generator<ForgetStep, void, void> | null = null;
  // Steps that found damage cannot continue: after the repair, they start again with the remaining data.
  const runSome = () => {
    const own = steps ?? forgetSteps(tables, forgetting);
    steps = null;
    const taken = { isDone: false, rows: 0, chunks: 0 };
    for (const endMs = performance.now() + SLICE_MS; performance.now() < endMs && !taken.isDone;) {
      const step = own.next();
      taken.isDone = step.done === true;
      if (step.done) break;
      taken.rows += step.value.rows;
      taken.chunks += step.value.chunks;
    }
    steps = own;
    return taken;
  };
  for (;;) {
    const { isDone, ...taken } = write(runSome);
    rows += taken.rows;
    chunks += taken.chunks;
    onProgress(isDone ? 1 : Math.min(1, chunks / Math.max(1, total)));
    if (isDone || signal.aborted) return rows;
    await otherTurns();
  }
}

/** Returns the approximate number of buckets of the selection, the sum of `ForgetStep.chunks`. */
function countBuckets(tables: Tables, forgetting: ForgetSelection): number {
  return keysOf(tables, forgetting).reduce((sum, key) => {
    const { startMs, endMs } = wholeIntervals(forgetting.range, key.interval);
    const held = tables.buckets.hull(key);
    const length = bucketLength(key);
    const touched = held && intersectRange({ startMs: held.startMs, endMs: held.endMs + length }, { startMs, endMs });
    return touched && !isEmpty(touched) ? sum + Math.ceil((touched.endMs - touched.startMs) / length) : sum;
  }, 0);
}

interface Forgotten {
  readonly range: TimeRange;
  /** null: all. */
  readonly only: readonly Variable[] | null;
}

/** Changes the buckets that a range touches. @returns number of rows that were deleted or lost a variable */
function forgetBuckets(tables: Tables, key: ChunkKey, range: TimeRange, forgotten: Forgotten): number {
  let lost = 0;
  const changes = tables.buckets.read(key, range).flatMap((row) => {
    const { rows, change } = forgetBucket(tables, key, row, forgotten);
    lost += rows;
    return change ?? [];
  });
  tables.chunks.write(key, changes);
  return lost;
}

function forgetBucket(
  { chunks }: Tables,
  key: ChunkKey,
  row: BucketRow,
  { range, only }: Forgotten,
): { readonly rows: number; readonly change: BucketChange | null } {
  const { bucketMs, variables: held } = row;
  const gone = row.known.filter((v) => only === null || only.includes(v));
  const within = intersectRange(range, { startMs: bucketMs, endMs: row.endMs });
  if (gone.length === 0 || isEmpty(within)) return { rows: 0, change: null };
  const left = gone.map((v) => [v, row.extents(v).flatMap((e) => cutOut(e, within))] as const);
  const base = { bucketMs, chunk: null, kept: null, extents: new Map(left) };
  const removed = held.filter((v) => gone.includes(v));
  if (removed.length === 0) return { rows: 0, change: base };
  const remaining = held.filter((v) => !gone.includes(v));
  const decode = (variables: readonly Variable[]): SeriesRows =>
    decodeChunk(chunks.columnsOf(key, row, variables), variables);
  if (row.firstMs >= within.startMs && row.lastMs < within.endMs) {
    if (remaining.length === 0) return { rows: row.rows, change: { ...base, kept: [] } };
    // If another variable has every row, all rows stay. Satellites are encoded by `prn`: without it, all are rewritten.
    if (!removed.includes("prn") && remaining.some((v) => isWhole(row, v)))
      return { rows: countHeld(decode(removed), removed, within), change: { ...base, kept: remaining } };
  }
  const rows = decode(held);
  const lost = countHeld(rows, removed, within);
  if (lost === 0) return { rows: 0, change: base };
  const rest = dropAbsent(blankRange(rows, removed, within));
  const change = rest.timesMs.length === 0 ? { ...base, kept: [] } : { ...base, chunk: encodeChunk(rest) };
  return { rows: lost, change };
}

/** Returns the parts of an extent outside of a range. */
function cutOut({ fetchedAtMs, ...extent }: Extent, range: TimeRange): Extent[] {
  return difference([extent], [range]).map((part) => ({ ...part, fetchedAtMs }));
}

/** Counts the rows of the range in which any of the variables is present. */
function countHeld(rows: SeriesRows, variables: readonly Variable[], range: TimeRange): number {
  const marks = variables.flatMap((v) => rows.columns[v] ?? []).map(({ present }) => present);
  let held = 0;
  rows.timesMs.forEach((timeMs, i) => {
    if (timeMs >= range.startMs && timeMs < range.endMs && marks.some((mark) => mark === null || mark[i] === 1)) held++;
  });
  return held;
}

function wholeIntervals(range: TimeRange | null, interval: number): TimeRange {
  if (range === null) return ALL_TIME;
  return interval === 0 ? range : alignOutward(range, interval);
}
