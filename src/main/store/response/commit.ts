import { floorToInterval, isEmpty, type TimeRange } from "#shared/time/range.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketMs, bucketStart } from "../chunks/bucket.ts";
import { decodeEncoded, type EncodedChunk, encodeChunk } from "../chunks/chunk.ts";
import { addCoverage, coverageOf, removeRange } from "../chunks/coverage.ts";
import { blankRange, joinRows, withoutEmptyValues, NO_ROWS, dropAbsent } from "../chunks/rows.ts";
import type { ChunkHead } from "../tables/heads.ts";
import type { Tables } from "../tables/index.ts";
import { type ChunkKey, modeKey, variablesOfKind } from "../tables/keys.ts";
import type { ResponseFinality, ResponseScope } from "../types.ts";
import type { KindChunks, StationChunks } from "./writer.ts";

/**
 * Writes rows and extents of one response. Must run inside one immediate transaction: stored rows are read here, so
 * that two processes that write the same file never lose each other's rows.
 *
 * @returns bytes of the blobs written
 */
export function writeResponse(
  tables: Tables,
  scope: ResponseScope,
  stations: readonly StationChunks[],
  finality: ResponseFinality,
): number {
  if (isEmpty(scope.range)) return 0;
  const mode = modeKey(scope);
  let bytes = 0;
  for (const { stationId, kinds } of stations) {
    const site = tables.sites.ensure(stationId);
    const isDoubtful = finality.isDoubtful?.(stationId) ?? false;
    const keepsRows = isDoubtful || (finality.keepsRows?.(stationId) ?? false);
    for (const kind of kinds) bytes += writeKind(tables, { site, kind: kind.kind, ...mode }, scope, kind, keepsRows);
    if (isDoubtful) continue;
    const responseRange = {
      range: scope.range,
      finalUntilMs: finalUntil(finality.finalUntilMs(stationId), scope.intervalSeconds),
      fetchedAtMs: Math.floor(finality.fetchedAtMs),
    };
    for (const variable of scope.variables) {
      const series = { site, variable, ...mode };
      const before = tables.extents.around(series, scope.range);
      const own = finality.coverage?.(stationId, variable) ?? coverageOf(responseRange);
      tables.extents.replace(series, before, addCoverage(before, own));
    }
  }
  return bytes;
}

/** Implements `Cache.withdrawProvisional`. Must run inside one immediate transaction. */
export function withdrawProvisional(tables: Tables, cells: readonly ResponseScope[]): void {
  for (const { stationIds, variables, range, ...mode } of cells) {
    if (isEmpty(range)) continue;
    for (const stationId of stationIds) {
      const site = tables.sites.find(stationId);
      if (site === null) continue;
      for (const variable of variables) {
        const series = { site, variable, ...modeKey(mode) };
        const before = tables.extents.around(series, range);
        const { provisional } = removeRange(before, range);
        tables.extents.replace(series, before, { final: before.final, provisional });
      }
    }
  }
}

/** An unfinished interval is never final, and the tables hold whole milliseconds. */
function finalUntil(moment: UtcMs, intervalSeconds: number | null): UtcMs {
  if (!Number.isFinite(moment)) return moment;
  return intervalSeconds === null ? Math.floor(moment) : floorToInterval(moment, intervalSeconds);
}

function writeKind(
  tables: Tables,
  key: ChunkKey,
  scope: ResponseScope,
  received: KindChunks,
  keepsRows: boolean,
): number {
  const lengthMs = bucketMs(key.kind, scope.intervalSeconds);
  const firstMs = bucketStart(scope.range.startMs, lengthMs);
  const stored = tables.heads.read(key, { startMs: firstMs, endMs: scope.range.endMs });
  const heads = new Map(stored.map((head) => [head.bucketMs, head]));
  const chunks: EncodedChunk[] = [];
  for (const startMs of new Set([...(keepsRows ? [] : heads.keys()), ...received.chunks.keys()])) {
    const fresh = received.chunks.get(startMs) ?? null;
    const head = heads.get(startMs);
    if (keepsRows && head && fresh) {
      chunks.push(addRows(tables, key, head, fresh));
      continue;
    }
    const chunk = head ? replaceRows(tables, key, scope.range, received.variables, head, fresh) : fresh;
    if (chunk) chunks.push(chunk);
    else tables.chunks.remove(key, startMs, variablesOfKind(key.kind));
  }
  chunks.sort((a, b) => a.bucketMs - b.bucketMs);
  return tables.chunks.write(key, chunks, variablesOfKind(key.kind));
}

/** Returns the bucket after the response: stored rows of its variables within the range are replaced, others stay. */
function replaceRows(
  tables: Tables,
  key: ChunkKey,
  range: TimeRange,
  variables: readonly Variable[],
  head: ChunkHead,
  fresh: EncodedChunk | null,
): EncodedChunk | null {
  const stored = head.variables;
  const allRows = head.firstMs >= range.startMs && head.lastMs < range.endMs;
  if (allRows && stored.every((v) => variables.includes(v))) return fresh;
  const before = tables.chunks.read(key, head.bucketMs, stored) ?? NO_ROWS;
  const rest = blankRange(before, variables, range);
  const rows = dropAbsent(fresh ? joinRows(rest, decodeEncoded(fresh)) : rest);
  return rows.timesMs.length === 0 ? null : encodeChunk(head.bucketMs, rows);
}

/**
 * Returns the bucket after a response that does not prove that rows are absent: its values are added to the stored
 * ones.
 */
function addRows(tables: Tables, key: ChunkKey, head: ChunkHead, fresh: EncodedChunk): EncodedChunk {
  const before = tables.chunks.read(key, head.bucketMs, head.variables) ?? NO_ROWS;
  return encodeChunk(head.bucketMs, dropAbsent(joinRows(before, withoutEmptyValues(decodeEncoded(fresh)))));
}
