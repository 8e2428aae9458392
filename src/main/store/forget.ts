import { alignOutward } from "#shared/time/interval.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import type { Variable, VariableKind } from "#shared/service/variables.ts";
import { variablesOfKind } from "./answer/commit.ts";
import { bucketMs, bucketStart } from "./bucket.ts";
import { encodeChunk } from "./chunk.ts";
import type { Db } from "./database.ts";
import { removeRange } from "./extents.ts";
import { blankRange, NO_ROWS, tidy } from "./rows.ts";
import type { Tables } from "./tables/index.ts";
import type { ChunkKey } from "./tables/keys.ts";

const ALWAYS: TimeRange = { startMs: -9e15, endMs: 9e15 };

/**
 * Removes rows and extents together. Must run inside one immediate transaction. An interval that is touched goes as a
 * whole: the rest of it would be no mean of anything.
 *
 * @param only these variables; null for all
 * @returns rows that are gone, or lost one of the variables
 */
export function forgetRows(
  db: Db,
  tables: Tables,
  stationIds: readonly string[] | null,
  range: TimeRange | null,
  only: readonly Variable[] | null = null,
): number {
  const wanted = stationIds === null ? null : new Set(stationIds);
  const keysOf = db.prepare<[number], ChunkKey>(
    "SELECT DISTINCT site, kind, interval_seconds AS interval, raw FROM chunk WHERE site = ?",
  );
  const dropSite = db.prepare<[number]>("DELETE FROM site WHERE site = ?");
  let gone = 0;
  for (const { site, stationId } of tables.sites.all()) {
    if (wanted !== null && !wanted.has(stationId)) continue;
    for (const key of keysOf.all(site)) {
      gone += forgetChunks(tables, key, wholeIntervals(range, key.interval), only);
    }
    for (const series of tables.extents.series(site)) {
      if (only !== null && !only.includes(series.variable)) continue;
      const before = tables.extents.read(series);
      tables.extents.replace(series, before, removeRange(before, wholeIntervals(range, series.interval)));
    }
    if (range === null && only === null) dropSite.run(site);
  }
  return gone;
}

function forgetChunks(tables: Tables, key: ChunkKey, range: TimeRange, only: readonly Variable[] | null): number {
  const variables = variablesOfKind(key.kind);
  const startMs = bucketStart(range.startMs, lengthOf(key.kind, key.interval));
  let gone = 0;
  for (const head of tables.chunks.heads(key, { startMs, endMs: range.endMs })) {
    const going = only === null ? head.variables : head.variables.filter((v) => only.includes(v));
    if (going.length === 0) continue;
    const isWhole =
      going.length === head.variables.length && head.firstMs >= range.startMs && head.lastMs < range.endMs;
    if (isWhole) {
      tables.chunks.remove(key, head.bucketMs, variables);
      gone += head.rows;
      continue;
    }
    const rows = tables.chunks.read(key, head.bucketMs, head.variables) ?? NO_ROWS;
    const lost = countHeld(rows, going, range);
    if (lost === 0) continue;
    const left = tidy(blankRange(rows, going, range));
    if (left.timesMs.length === 0) tables.chunks.remove(key, head.bucketMs, variables);
    else tables.chunks.write(key, [encodeChunk(head.bucketMs, left)], variables);
    gone += lost;
  }
  return gone;
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
