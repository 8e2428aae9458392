import { variableKind } from "#shared/service/variables.ts";
import type { Exchange } from "../exchange.ts";
import type { WorldStation } from "../world/types.ts";
import type { AdmittedQuery } from "./admitted.ts";
import { Pace } from "./pace.ts";
import { dueEveryMs } from "./select.ts";

/**
 * The least that a row takes in a file, compressed: measured, numbers with few decimals take one to three bytes, and the
 * texts of some thirty satellites more than a hundred for each variable.
 */
const LEAST_BYTES = { numbers: 1, satellites: 40 } as const;

/** Single epochs are lost here and there, within stretches that were observed. */
const ARRIVING = 0.99;

/**
 * Whether the file of a query is certain to exceed a size, before any of it is computed. Counts rows that exist: none in
 * outages, in the future, before a station's first data or after its last, none that the filter takes away, and one in
 * five minutes of pwv alone. What remains in doubt is for the file itself to show.
 */
export async function certainlyExceeds(exchange: Exchange, admitted: AdmittedQuery, bytes: number): Promise<boolean> {
  const { variables } = admitted.query;
  const satellites = variables.filter((name) => variableKind(name) === "satellite").length;
  const rowBytes = LEAST_BYTES.satellites * satellites + (satellites < variables.length ? LEAST_BYTES.numbers : 0);
  const mostRows = bytes / rowBytes / ARRIVING;
  // Points by section 8 are never fewer than rows, and cost nothing to know.
  if (admitted.points <= mostRows) return false;
  const pace = new Pace(exchange.signal);
  let rows = 0;
  for (const station of admitted.stations) {
    rows += rowsObserved(exchange, admitted, station);
    if (rows > mostRows) return true;
    await pace.breathe();
  }
  return false;
}

/** Rows of one station, but for lost epochs; of means only those whose whole interval was observed. */
function rowsObserved(exchange: Exchange, { query }: AdmittedQuery, station: WorldStation): number {
  const { startMs, endMs, intervalSeconds, raw } = query;
  const epochMs = Math.max(station.nativeSeconds * 1000, dueEveryMs(query.variables));
  let rows = 0;
  for (const part of exchange.world.observed(station, { startMs, endMs, nowMs: exchange.nowMs })) {
    if (part.quality !== "none" && !raw) continue;
    const epochs = Math.ceil(part.endMs / epochMs) - Math.ceil(part.startMs / epochMs);
    const intervals =
      intervalSeconds === null ? Infinity : Math.floor((part.endMs - part.startMs) / intervalSeconds / 1000);
    rows += Math.min(epochs, intervals);
  }
  return rows;
}
