import type { Coverage } from "#shared/series/rows.ts";
import { isEmpty } from "#shared/time/range.ts";
import { bucketMs, bucketStart } from "../chunks/bucket.ts";
import { decodeEncoded, type EncodedChunk, encodeChunk } from "../chunks/chunk.ts";
import { addCoverage } from "../chunks/coverage.ts";
import { dropAbsent, joinRows, NO_ROWS } from "../chunks/rows.ts";
import type { ChunkHead } from "../tables/heads.ts";
import type { Tables } from "../tables/index.ts";
import { type ChunkKey, modeKey, variablesOfKind } from "../tables/keys.ts";
import type { CoverageJudge, ResponseScope, SeriesPart } from "../types.ts";
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
  judge: CoverageJudge,
): number {
  if (isEmpty(scope.range)) return 0;
  const mode = modeKey(scope);
  let bytes = 0;
  for (const { stationId, kinds } of stations) {
    const site = tables.sites.ensure(stationId);
    for (const kind of kinds) bytes += writeKind(tables, { site, kind: kind.kind, ...mode }, scope, kind);
    for (const variable of scope.variables) {
      const series = { site, variable, ...mode };
      const before = tables.extents.around(series, scope.range);
      tables.extents.replace(series, before, addCoverage(before, judge(stationId, variable, before)));
    }
  }
  return bytes;
}

/** Implements `Cache.amendCoverage`. Must run inside one immediate transaction. */
export function amendCoverage(
  tables: Tables,
  parts: readonly SeriesPart[],
  amend: (before: Coverage, part: SeriesPart) => Coverage,
): void {
  for (const part of parts) {
    if (isEmpty(part.range)) continue;
    const series = { site: tables.sites.ensure(part.stationId), variable: part.variable, ...modeKey(part) };
    const before = tables.extents.around(series, part.range);
    tables.extents.replace(series, before, amend(before, part));
  }
}

function writeKind(tables: Tables, key: ChunkKey, scope: ResponseScope, received: KindChunks): number {
  const firstMs = bucketStart(scope.range.startMs, bucketMs(key.kind, scope.intervalSeconds));
  const stored = tables.heads.read(key, { startMs: firstMs, endMs: scope.range.endMs });
  const heads = new Map(stored.map((head) => [head.bucketMs, head]));
  const chunks = [...received.chunks.values()].map((fresh) => {
    const head = heads.get(fresh.bucketMs);
    return head ? addRows(tables, key, head, fresh) : fresh;
  });
  chunks.sort((a, b) => a.bucketMs - b.bucketMs);
  return tables.chunks.write(key, chunks, variablesOfKind(key.kind));
}

/** Returns the bucket with the values of a response added to the stored ones. */
function addRows(tables: Tables, key: ChunkKey, head: ChunkHead, fresh: EncodedChunk): EncodedChunk {
  const before = tables.chunks.read(key, head.bucketMs, head.variables) ?? NO_ROWS;
  return encodeChunk(head.bucketMs, dropAbsent(joinRows(before, decodeEncoded(fresh))));
}
