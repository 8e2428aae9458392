import { alignOutward } from "#shared/time/interval.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import type { VariableKind } from "#shared/service/variables.ts";
import { variablesOfKind } from "./answer/commit.ts";
import { bucketMs, bucketStart } from "./bucket.ts";
import { encodeChunk } from "./chunk.ts";
import type { Db } from "./database.ts";
import { removeRange } from "./extents.ts";
import { blankRange, tidy } from "./rows.ts";
import type { ChunkHead } from "./tables/chunks.ts";
import type { Tables } from "./tables/index.ts";
import type { ChunkKey } from "./tables/keys.ts";

const ALWAYS: TimeRange = { startMs: -9e15, endMs: 9e15 };

/**
 * Removes rows and extents together. Must run inside one immediate transaction. An interval that is touched goes as a
 * whole: the rest of it would be no mean of anything.
 *
 * @returns rows that are gone
 */
export function forgetRows(
  db: Db,
  tables: Tables,
  stationIds: readonly string[] | null,
  range: TimeRange | null,
): number {
  const wanted = stationIds === null ? null : new Set(stationIds);
  const keysOf = db.prepare<[number], ChunkKey>(
    "SELECT DISTINCT site, kind, interval_seconds AS interval, raw FROM chunk WHERE site = ?",
  );
  const dropSite = db.prepare<[number]>("DELETE FROM site WHERE site = ?");
  let gone = 0;
  for (const { site, stationId } of tables.sites.all()) {
    if (wanted !== null && !wanted.has(stationId)) continue;
    for (const key of keysOf.all(site)) gone += forgetChunks(tables, key, wholeIntervals(range, key.interval));
    for (const series of tables.extents.series(site)) {
      const before = tables.extents.read(series);
      tables.extents.replace(series, before, removeRange(before, wholeIntervals(range, series.interval)));
    }
    if (range === null) dropSite.run(site);
  }
  return gone;
}

function forgetChunks(tables: Tables, key: ChunkKey, range: TimeRange): number {
  const variables = variablesOfKind(key.kind);
  const startMs = bucketStart(range.startMs, lengthOf(key.kind, key.interval));
  let gone = 0;
  for (const head of tables.chunks.heads(key, { startMs, endMs: range.endMs })) {
    const left = head.firstMs >= range.startMs && head.lastMs < range.endMs ? null : rest(head);
    if (left === null || left.timesMs.length === 0) tables.chunks.remove(key, head.bucketMs, variables);
    else if (left.timesMs.length < head.rows) tables.chunks.write(key, [encodeChunk(head.bucketMs, left)], variables);
    gone += head.rows - (left?.timesMs.length ?? 0);
  }
  return gone;

  function rest(head: ChunkHead): SeriesRows {
    return tidy(blankRange(tables.chunks.read(key, head.bucketMs, head.variables)!, head.variables, range));
  }
}

function lengthOf(kind: VariableKind, interval: number): number {
  return bucketMs(kind, interval === 0 ? null : interval);
}

function wholeIntervals(range: TimeRange | null, interval: number): TimeRange {
  if (range === null) return ALWAYS;
  return interval === 0 ? range : alignOutward(range, interval);
}
