import type { TimeSeriesQuery } from "#shared/service/query.ts";
import { variableInfo, type Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { World, WorldStation } from "../world/types.ts";
import { emptyRows, type RowBlock, type RowColumn } from "./rows.ts";
import { selectRows } from "./select.ts";

/** Maximum rows of all stations in memory, so that many stations need no more memory than one. */
const ROWS_AT_ONCE = 16_384;
/** The same with satellite texts, which take a hundred times the time and memory of numbers. */
const SATELLITE_ROWS_AT_ONCE = 4_096;
const MAX_BLOCK_ROWS = 2_048;
const MIN_BLOCK_ROWS = 16;

/** The input for the rows of a time series query. */
interface SeriesRequest {
  readonly world: World;
  readonly query: TimeSeriesQuery;
  readonly nowMs: UtcMs;
  readonly decimals: number | null;
  /** Number of stations that are read concurrently. */
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
    { blockRows },
  );
  if (query.intervalSeconds === null) return native;
  // A block of means must not need many blocks of observations, or other requests would wait too long.
  const perInterval = Math.max(1, query.intervalSeconds / station.nativeSeconds);
  const meanRows = Math.max(1, Math.floor(blockRows / perInterval));
  return averageRows(native, query.variables, query.intervalSeconds, meanRows);
}

/** What one column has of the interval that is being read. */
interface OpenMean {
  readonly column: RowColumn;
  /** Of the existing values. */
  sum: number;
  count: number;
  /** The text of the first row. */
  first: string | null;
}

/**
 * Groups rows into UTC-aligned intervals (4.4, interval rules): one row per interval with data, its time the start of
 * the interval; numbers are the mean of the existing values, texts those of the first row. The mean is the plain sum in
 * order of time divided by the number of values, so a client that sums native rows the same way gets the same bits.
 *
 * @param blocks rows of one station in time order
 * @param blockRows maximum rows of a returned block
 */
function* averageRows(
  blocks: Iterable<RowBlock>,
  variables: readonly Variable[],
  intervalSeconds: number,
  blockRows: number,
): IterableIterator<RowBlock> {
  const stepMs = intervalSeconds * 1000;
  const out = emptyRows(variables, blockRows);
  const means: OpenMean[] = out.columns.map((column) => ({ column, sum: 0, count: 0, first: null }));
  let openMs = Number.NaN;
  let openEndMs = -Infinity;

  function close(): void {
    if (Number.isNaN(openMs)) return;
    const n = out.count++;
    out.timesMs[n] = openMs;
    for (const mean of means) {
      if (mean.column.kind === "scalar") mean.column.values[n] = mean.count === 0 ? Number.NaN : mean.sum / mean.count;
      else mean.column.values[n] = mean.first;
      mean.sum = 0;
      mean.count = 0;
    }
  }

  for (const block of blocks) {
    for (let i = 0; i < block.count; i++) {
      const timeMs = block.timesMs[i]!;
      const isFirst = timeMs >= openEndMs;
      if (isFirst) {
        close();
        if (out.count === blockRows) {
          yield out;
          out.count = 0;
        }
        openMs = Math.floor(timeMs / stepMs) * stepMs;
        openEndMs = openMs + stepMs;
      }
      for (let c = 0; c < block.columns.length; c++) {
        const mean = means[c]!;
        const column = block.columns[c]!;
        if (column.kind === "scalar") {
          const value = column.values[i]!;
          if (Number.isNaN(value)) continue;
          mean.sum += value;
          mean.count++;
        } else if (isFirst) {
          mean.first = column.values[i]!;
        }
      }
    }
  }
  close();
  if (out.count > 0) yield out;
}
