import type { TimeSeriesQuery } from "#shared/service/query.ts";
import { variableInfo } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { World, WorldStation } from "../world/types.ts";
import { averageRows } from "./average.ts";
import type { RowBlock } from "./rows.ts";
import { selectRows } from "./select.ts";

/** Rows of all stations that are held at once, so that many stations need no more memory than one. */
const ROWS_AT_ONCE = 16_384;
/** Satellite texts take a hundred times the time and memory of numbers. */
const SATELLITE_ROWS_AT_ONCE = 4_096;
const MAX_BLOCK_ROWS = 2_048;
const MIN_BLOCK_ROWS = 16;

/** What it takes to compute the rows of a time series query. */
export interface SeriesRequest {
  readonly world: World;
  readonly query: TimeSeriesQuery;
  readonly nowMs: UtcMs;
  readonly decimals: number | null;
  /** How many stations are read side by side. */
  readonly stations: number;
}

/** The rows of one station by the rules of 4.4: every observation, or one row per interval. */
export function stationRows(request: SeriesRequest, station: WorldStation): Iterable<RowBlock> {
  const { query } = request;
  const satellites = query.variables.some((name) => variableInfo(name).kind === "satellite");
  const atOnce = satellites ? SATELLITE_ROWS_AT_ONCE : ROWS_AT_ONCE;
  const share = Math.floor(atOnce / Math.max(1, request.stations));
  const blockRows = Math.max(MIN_BLOCK_ROWS, Math.min(satellites ? MIN_BLOCK_ROWS * 4 : MAX_BLOCK_ROWS, share));
  const native = selectRows(
    request.world,
    station,
    {
      variables: query.variables,
      range: { startMs: query.startMs, endMs: query.endMs },
      raw: query.raw,
      nowMs: request.nowMs,
      decimals: request.decimals,
    },
    blockRows,
  );
  if (query.intervalSeconds === null) return native;
  // A block of means must not take many blocks of observations, or others would wait for it too long.
  const perInterval = Math.max(1, query.intervalSeconds / station.nativeSeconds);
  const meanRows = Math.max(1, Math.floor(blockRows / perInterval));
  return averageRows(native, query.variables, query.intervalSeconds, meanRows);
}
