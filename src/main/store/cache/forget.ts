import { setImmediate as otherTurns } from "node:timers/promises";
import { defined } from "#shared/defined.ts";
import { alignOutward } from "#shared/time/interval.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import { type Variable, type VariableKind, variableKind } from "#shared/service/variables.ts";
import { variablesOfKind } from "../answer/commit.ts";
import { bucketMs, bucketStart } from "../chunks/bucket.ts";
import { encodeChunk } from "../chunks/chunk.ts";
import type { Db } from "../database/database.ts";
import { removeRange } from "../chunks/extents.ts";
import { blankRange, NO_ROWS, tidy } from "../chunks/rows.ts";
import type { ChunkHead } from "../tables/heads.ts";
import type { Tables } from "../tables/index.ts";
import type { ChunkKey } from "../tables/keys.ts";
import type { Forgetting } from "../types.ts";

const ALWAYS: TimeRange = { startMs: -9e15, endMs: 9e15 };

/** Buckets of one step: with all their variables decoded and encoded anew, a few milliseconds. */
const BUCKETS_A_STEP = 8;
/** Work between two turns of the others. */
const SLICE_MS = 8;

export interface ForgetStep {
  /** Chunks that were looked at, of those that the stations have. */
  readonly chunks: number;
  /** Rows that are gone, or lost one of the variables. */
  readonly rows: number;
}

/**
 * Removes rows and extents, in small steps. Each step is whole by itself, rows and extents together, and must run inside
 * one immediate transaction; others may write between two of them.
 */
export function* forgetSteps(db: Db, tables: Tables, forgetting: Forgetting): Generator<ForgetStep, void, void> {
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
      for (const part of partsOf(tables, key, whole)) {
        const rows = forgetChunks(tables, key, part.heads, part.range, only);
        forgetExtents(tables, site, part.range, only, key);
        yield { chunks: part.heads.length, rows };
      }
    }
    // With what was written since: rows never stay without their extents.
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

interface StepByStep {
  /** What the chunks of all steps add up to, about. */
  readonly total: number;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Takes steps, a few milliseconds of them in one transaction, and lets others have their turn in between.
 *
 * @returns rows of all steps that were taken
 */
export async function stepByStep(
  begin: () => Generator<ForgetStep, void, void>,
  write: <T>(work: () => T) => T,
  { total, onProgress, signal }: StepByStep,
): Promise<number> {
  let [rows, chunks] = [0, 0];
  let steps: Generator<ForgetStep, void, void> | null = null;
  // Steps that met damage cannot go on: once it is repaired, they begin anew with what is left.
  const takeSome = () => {
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
    const { isDone, ...taken } = write(takeSome);
    rows += taken.rows;
    chunks += taken.chunks;
    onProgress(isDone ? 1 : Math.min(1, chunks / Math.max(1, total)));
    if (isDone || signal.aborted) return rows;
    await otherTurns();
  }
}

/** How many chunks the stations have: what `ForgetStep.chunks` adds up to, about. */
export function countChunks(db: Db, tables: Tables, stationIds: readonly string[] | null): number {
  const counted = db.prepare<[number], number>("SELECT sum(chunks) FROM register WHERE site = ?").pluck();
  const wanted = stationIds === null ? null : new Set(stationIds);
  const sites = tables.sites.all().filter(({ stationId }) => wanted === null || wanted.has(stationId));
  return sites.reduce((sum, { site }) => sum + (counted.get(site) ?? 0), 0);
}

/** The range in pieces of a few chunks, cut where buckets begin. */
function* partsOf(tables: Tables, key: ChunkKey, range: TimeRange) {
  const lengthMs = lengthOf(key.kind, key.interval);
  const heads = headsIn(tables, key, range);
  for (let i = 0; i < heads.length; i += BUCKETS_A_STEP) {
    const own = heads.slice(i, i + BUCKETS_A_STEP);
    const startMs = Math.max(range.startMs, own[0]!.bucketMs);
    const endMs = Math.min(range.endMs, defined(own.at(-1)).bucketMs + lengthMs);
    const part = { startMs, endMs };
    // What was written since the heads were listed counts.
    yield { range: part, heads: i === 0 ? own : headsIn(tables, key, part) };
  }
}

function headsIn(tables: Tables, key: ChunkKey, { startMs, endMs }: TimeRange): ChunkHead[] {
  return tables.heads.read(key, { startMs: bucketStart(startMs, lengthOf(key.kind, key.interval)), endMs });
}

/** @param of only series of these chunks; null for all of the station */
function forgetExtents(
  tables: Tables,
  site: number,
  range: TimeRange | null,
  only: readonly Variable[] | null,
  of: ChunkKey | null,
): void {
  for (const series of tables.extents.series(site)) {
    if (only !== null && !only.includes(series.variable)) continue;
    const { variable, interval, raw } = series;
    if (of !== null && (variableKind(variable) !== of.kind || interval !== of.interval || raw !== of.raw)) continue;
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
  let gone = 0;
  for (const head of heads) gone += forgetChunk(tables, key, head, range, only ?? head.variables);
  return gone;
}

function forgetChunk(
  { chunks, columns }: Tables,
  key: ChunkKey,
  head: ChunkHead,
  range: TimeRange,
  only: readonly Variable[],
): number {
  const { bucketMs: startMs, variables: held } = head;
  const going = held.filter((v) => only.includes(v));
  const left = held.filter((v) => !only.includes(v));
  const hasWhole = (variables: readonly Variable[]) => variables.some((v) => columns.isWhole(key, v, startMs));
  if (going.length === 0) return 0;
  if (head.firstMs >= range.startMs && head.lastMs < range.endMs) {
    if (left.length === 0) {
      chunks.remove(key, startMs, variablesOfKind(key.kind));
      return head.rows;
    }
    // Where another variable has every row, all rows stay. Satellites are encoded by `prn`: without it all are written anew.
    if (!going.includes("prn") && hasWhole(left)) {
      const rows = hasWhole(going) ? head.rows : countHeld(chunks.read(key, startMs, going) ?? NO_ROWS, going, range);
      chunks.strip(key, startMs, going, left);
      return rows;
    }
  }
  const rows = chunks.read(key, startMs, held) ?? NO_ROWS;
  const lost = countHeld(rows, going, range);
  if (lost === 0) return 0;
  const rest = tidy(blankRange(rows, going, range));
  if (rest.timesMs.length === 0) chunks.remove(key, startMs, variablesOfKind(key.kind));
  else chunks.write(key, [encodeChunk(startMs, rest)], variablesOfKind(key.kind));
  return lost;
}

/** Rows of the range that any of the variables has. */
function countHeld(rows: SeriesRows, variables: readonly Variable[], range: TimeRange): number {
  const marks = variables.flatMap((v) => rows.columns[v] ?? []).map(({ present }) => present);
  let held = 0;
  rows.timesMs.forEach((timeMs, i) => {
    if (timeMs >= range.startMs && timeMs < range.endMs && marks.some((mark) => mark === null || mark[i] === 1)) held++;
  });
  return held;
}

function lengthOf(kind: VariableKind, interval: number): number {
  return bucketMs(kind, interval === 0 ? null : interval);
}

function wholeIntervals(range: TimeRange | null, interval: number): TimeRange {
  if (range === null) return ALWAYS;
  return interval === 0 ? range : alignOutward(range, interval);
}
