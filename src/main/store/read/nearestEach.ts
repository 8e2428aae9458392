import type { NearestValues } from "#shared/bridge/methods/snapshot.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { noNearest, takeNearest } from "../../analysis/nearest.ts";
import { lowerBound } from "#shared/arrays.ts";
import { bucketMs, bucketStart, type ChunkKey, modeKey } from "../tables/keys.ts";
import { decodeTimes } from "../chunks/chunk.ts";
import { decodeScalarsBefore } from "../codec/scalars.ts";
import type { Tables } from "../tables/index.ts";
import type { MomentSelection } from "../types.ts";

/**
 * Implements `CacheReader.nearestEach`. Decodes each chunk around the moments once, up to the last moment, and finds
 * chunks by key instead of a search.
 */
export function readNearestEach(tables: Tables, selection: MomentSelection): Partial<Record<Variable, NearestValues>> {
  const { stationIds, variables, momentsMs } = selection;
  const stations = stationIds.length;
  const found = variables.map((variable) => ({ variable, nearest: noNearest(momentsMs.length * stations) }));
  const buckets = bucketsAround(selection);
  // Later values are nearest to no moment: they are not decoded.
  const lastMs = momentsMs.reduce((last, ms) => Math.max(last, ms), -Infinity) + selection.withinMs;
  stationIds.forEach((stationId, station) => {
    const key: ChunkKey = { stationId, kind: "scalar", ...modeKey(selection) };
    for (const startMs of buckets) {
      const chunk = tables.chunks.stored(key, startMs, variables);
      if (!chunk) continue;
      const timesMs = decodeTimes(chunk);
      const end = lowerBound(timesMs, lastMs + 1);
      for (const { variable, nearest } of found) {
        const column = chunk.columns.get(variable);
        if (!column) continue;
        const values = decodeScalarsBefore(column.codec, column.data, chunk.rows, end);
        takeNearest(nearest, { timesMs: timesMs.subarray(0, end), values }, selection, { station, stations });
      }
    }
  });
  return Object.fromEntries(found.map(({ variable, nearest }) => [variable, nearest]));
}

/** Returns the starts of the buckets around the moments, ascending. */
function bucketsAround({ momentsMs, withinMs, intervalSeconds }: MomentSelection): UtcMs[] {
  const lengthMs = bucketMs("scalar", intervalSeconds);
  const starts = new Set<UtcMs>();
  for (const momentMs of momentsMs) {
    const lastMs = bucketStart(momentMs + withinMs, lengthMs);
    for (let startMs = bucketStart(momentMs - withinMs, lengthMs); startMs <= lastMs; startMs += lengthMs)
      starts.add(startMs);
  }
  return [...starts].toSorted((a, b) => a - b);
}
