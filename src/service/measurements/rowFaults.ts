import { MINUTE_MS } from "#shared/time/utc.ts";
import type { Exchange } from "../exchange.ts";
import type { WorldStation } from "../world/types.ts";
import type { AdmittedQuery } from "./admitted.ts";
import type { RowBlock } from "./rows.ts";
import { stationRows } from "./series.ts";

/** How far rows out of range lie before and after what was asked. */
const OUTSIDE_MS = 10 * MINUTE_MS;

/** The rows of each station of a query, spoilt where a fault of the rows struck it; the answer holds every row of them. */
export function seriesWithFaults(
  exchange: Exchange,
  admitted: AdmittedQuery,
): { readonly stations: readonly WorldStation[]; readonly series: readonly Iterable<RowBlock>[] } {
  const { faults, world, settings, nowMs } = exchange;
  let stations = admitted.stations;
  let query = admitted.query;
  if (faults.has("foreignStation")) {
    const foreign = world.stations.find((station) => !stations.includes(station) && station.firstDataMs !== null);
    if (foreign) stations = [...stations, foreign];
  }
  if (faults.has("duplicated")) stations = stations.flatMap((station) => [station, station]);
  if (faults.has("outOfRange")) {
    query = { ...query, startMs: query.startMs - OUTSIDE_MS, endMs: query.endMs + OUTSIDE_MS };
  }
  const request = { world, query, nowMs, decimals: settings.decimals, stations: stations.length };
  const series = stations.map((station) => stationRows(request, station));
  return { stations, series: faults.has("unsorted") ? series.map(backwards) : series };
}

/** Each block from its last row to its first. */
function* backwards(blocks: Iterable<RowBlock>): IterableIterator<RowBlock> {
  for (const block of blocks) {
    block.timesMs.subarray(0, block.count).reverse();
    for (const column of block.columns) {
      if (column.kind === "scalar") column.values.subarray(0, block.count).reverse();
      else column.values.splice(0, block.count, ...column.values.slice(0, block.count).toReversed());
    }
    yield block;
  }
}
