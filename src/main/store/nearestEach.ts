import type { NearestValues } from "#shared/bridge/snapshot.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { noNearest, takeNearest } from "../analysis/nearest.ts";
import { bucketMs, bucketStart } from "./bucket.ts";
import { type ChunkKey, modeKey } from "./tables/keys.ts";
import type { Tables } from "./tables/index.ts";
import type { MomentSelection } from "./types.ts";

/** See `CacheReader.nearestEach`. Each chunk that the moments touch is decoded once, and found without a search. */
export function readNearestEach(tables: Tables, selection: MomentSelection): Partial<Record<Variable, NearestValues>> {
  const { stationIds, variables, momentsMs } = selection;
  const stations = stationIds.length;
  const found = variables.map((variable) => ({ variable, nearest: noNearest(momentsMs.length * stations) }));
  const buckets = bucketsAround(selection);
  stationIds.forEach((stationId, station) => {
    const site = tables.sites.find(stationId);
    if (site === null) return;
    const key: ChunkKey = { site, kind: "scalar", ...modeKey(selection) };
    for (const startMs of buckets) {
      const rows = tables.chunks.read(key, startMs, variables);
      // No chunk, or one that was lost: the heads know.
      if (!rows) tables.heads.read(key, { startMs, endMs: startMs });
      for (const { variable, nearest } of found) {
        const column = rows?.columns[variable];
        if (rows && column?.kind === "scalar")
          takeNearest(nearest, { timesMs: rows.timesMs, values: column.values }, selection, station, stations);
      }
    }
  });
  return Object.fromEntries(found.map(({ variable, nearest }) => [variable, nearest]));
}

/** Starts of the buckets that the moments reach into, ascending. */
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
