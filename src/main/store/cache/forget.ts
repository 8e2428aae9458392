import { setImmediate as otherTurns } from "node:timers/promises";
import { defined } from "#shared/defined.ts";
import { alignOutward, type TimeRange } from "#shared/time/range.ts";
import { hull, intersect, type RangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { ALL_TIME, bucketStart } from "../chunks/bucket.ts";
import { encodeChunk } from "../chunks/chunk.ts";
import type { Db } from "../database/database.ts";
import { removeRange } from "../chunks/coverage.ts";
import { blankRange, NO_ROWS, dropAbsent } from "../chunks/rows.ts";
import type { ChunkHead } from "../tables/heads.ts";
import type { Tables } from "../tables/index.ts";
import { bucketLength, type ChunkKey, modeKey, variablesOfKind } from "../tables/keys.ts";
import type { ForgetSelection, SeriesPart } from "../types.ts";

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
 * Deletes rows and extents in small steps. Each step is complete in itself, rows and extents together, and must run in
 * one immediate transaction; other processes may write between steps.
 */
export function* forgetSteps(db: Db, tables: Tables, forgetting: ForgetSelection): Generator<ForgetStep, void, void> {
  const { stationIds, range, variables: only } = forgetting;
  const wanted = stationIds === null ? null : new Set(stationIds);
  const keysOf = db.prepare<[number], ChunkKey>(
    "SELECT DISTINCT site, kind, interval_seconds AS interval, raw FROM chunk WHERE site = ?",
  );
  const dropSite = db.prepare<[number]>("DELETE FROM site WHERE site = ?");
  for (const { site, stationId } of tables.sites.all()) {
    if (wanted !== null && !wanted.has(stationId)) continue;
    for (const key of keysOf.all(site)) {
      const whole = wholeIntervals(range, key.interval);
      for (const part of splitRange(tables, key, whole)) {
        const rows = forgetChunks(tables, key, part.heads, part.range, only);
        forgetExtents(tables, site, part.range, only, key);
        yield { chunks: part.heads.length, rows };
      }
    }
    // Includes rows that were written meanwhile: rows never stay without their extents.
    let rows = 0;
    for (const key of keysOf.all(site)) {
      const whole = wholeIntervals(range, key.interval);
      rows += forgetChunks(tables, key, headsIn(tables, key, whole), whole, only);
    }
    forgetExtents(tables, site, range, only, null);
    if (range === null && only === null && keysOf.all(site).length === 0) dropSite.run(site);
    yield { chunks: 0, rows };
  }
}

interface StepOptions {
  /** Approximate number of chunks of all steps. */
  readonly total: number;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs steps, a few milliseconds of them per transaction, and lets other work run in between.
 *
 * @returns number of rows of all steps
 */
export async function runForgetSteps(
  begin: () => Generator<ForgetStep, void, void>,
  write: <T>(work: () => T) => T,
  { total, onProgress, signal }: StepOptions,
): Promise<number> {
  let [rows, chunks] = [0, 0];
  let steps: Generator<ForgetStep, void, void> | null = null;
  // Steps that found damage cannot continue: after the repair, they start again with the remaining data.
  const runSome = () => {
    const own = steps ?? begin();
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

/** Returns the approximate number of chunks of the stations, the sum of `ForgetStep.chunks`. */
export function countChunks(db: Db, tables: Tables, stationIds: readonly string[] | null): number {
  const counted = db.prepare<[number], number>("SELECT sum(chunks) FROM register WHERE site = ?").pluck();
  const wanted = stationIds === null ? null : new Set(stationIds);
  const sites = tables.sites.all().filter(({ stationId }) => wanted === null || wanted.has(stationId));
  return sites.reduce((sum, { site }) => sum + (counted.get(site) ?? 0), 0);
}

/** Splits the range into parts of a few chunks, at the starts of buckets. */
function* splitRange(tables: Tables, key: ChunkKey, range: TimeRange) {
  const lengthMs = bucketLength(key);
  const heads = headsIn(tables, key, range);
  for (let i = 0; i < heads.length; i += BUCKETS_PER_STEP) {
    const own = heads.slice(i, i + BUCKETS_PER_STEP);
    const startMs = Math.max(range.startMs, defined(own.at(0)).bucketMs);
    const endMs = Math.min(range.endMs, defined(own.at(-1)).bucketMs + lengthMs);
    const part = { startMs, endMs };
    // Includes chunks that were written since the heads were listed.
    yield { range: part, heads: i === 0 ? own : headsIn(tables, key, part) };
  }
}

function headsIn(tables: Tables, key: ChunkKey, { startMs, endMs }: TimeRange): ChunkHead[] {
  return tables.heads.read(key, { startMs: bucketStart(startMs, bucketLength(key)), endMs });
}

/** Deletes extents of a station. @param chunks only series of these chunks; null for all series of the station */
function forgetExtents(
  tables: Tables,
  site: number,
  range: TimeRange | null,
  only: readonly Variable[] | null,
  chunks: ChunkKey | null,
): void {
  for (const series of tables.extents.series(site)) {
    if (only !== null && !only.includes(series.variable)) continue;
    const { variable, interval, raw } = series;
    const isOfChunks =
      chunks === null || (variableKind(variable) === chunks.kind && interval === chunks.interval && raw === chunks.raw);
    if (!isOfChunks) continue;
    const whole = wholeIntervals(range, interval);
    const before = tables.extents.around(series, whole);
    tables.extents.replace(series, before, removeRange(before, whole));
  }
}

function forgetChunks(
  tables: Tables,
  key: ChunkKey,
  heads: readonly ChunkHead[],
  range: TimeRange,
  only: readonly Variable[] | null,
): number {
  let rows = 0;
  for (const head of heads) rows += forgetChunk(tables, key, head, range, only ?? head.variables);
  return rows;
}

function forgetChunk(
  tables: Tables,
  key: ChunkKey,
  head: ChunkHead,
  range: TimeRange,
  only: readonly Variable[],
): number {
  const { chunks, columns } = tables;
  const { bucketMs: startMs, variables: held } = head;
  const removed = held.filter((v) => only.includes(v));
  const remaining = held.filter((v) => !only.includes(v));
  const hasWhole = (variables: readonly Variable[]) => variables.some((v) => columns.isWhole(key, v, startMs));
  if (removed.length === 0) return 0;
  if (head.firstMs >= range.startMs && head.lastMs < range.endMs) {
    if (remaining.length === 0) {
      chunks.remove(key, startMs, variablesOfKind(key.kind));
      return head.rows;
    }
    // If another variable has every row, all rows stay. Satellites are encoded by `prn`: without it, all are rewritten.
    if (!removed.includes("prn") && hasWhole(remaining)) {
      const rows = hasWhole(removed)
        ? head.rows
        : countHeld(chunks.read(key, startMs, removed) ?? NO_ROWS, removed, range);
      chunks.strip(key, startMs, removed, remaining);
      return rows;
    }
  }
  const rows = chunks.read(key, startMs, held) ?? NO_ROWS;
  const lost = countHeld(rows, removed, range);
  if (lost === 0) return 0;
  keepRows(tables, key, startMs, blankRange(rows, removed, range));
  return lost;
}

/** Implements `Cache.removeValues`. Must run inside one immediate transaction. */
export function removeValues(tables: Tables, series: Omit<SeriesPart, "range">, ranges: RangeSet): void {
  const { stationId, variable } = series;
  const site = tables.sites.find(stationId);
  const within = hull(ranges);
  if (site === null || within === null) return;
  const key = { site, kind: variableKind(variable), ...modeKey(series) };
  const lengthMs = bucketLength(key);
  for (const { bucketMs: startMs, variables } of headsIn(tables, key, within)) {
    const own = intersect(ranges, [{ startMs, endMs: startMs + lengthMs }]);
    if (own.length === 0 || !variables.includes(variable)) continue;
    const rows = tables.chunks.read(key, startMs, variables) ?? NO_ROWS;
    keepRows(
      tables,
      key,
      startMs,
      own.reduce((left, range) => blankRange(left, [variable], range), rows),
    );
  }
}

/** Replaces a chunk by what is present of its rows. */
function keepRows({ chunks }: Tables, key: ChunkKey, bucketMs: UtcMs, rows: SeriesRows): void {
  const rest = dropAbsent(rows);
  if (rest.timesMs.length === 0) chunks.remove(key, bucketMs, variablesOfKind(key.kind));
  else chunks.write(key, [encodeChunk(bucketMs, rest)], variablesOfKind(key.kind));
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
