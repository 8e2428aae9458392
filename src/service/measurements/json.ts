import type { Exchange } from "../exchange.ts";
import { MEDIA_JSON } from "#shared/service/limits.ts";
import type { Refusal } from "../http/refusal.ts";
import { openBody } from "../http/send.ts";
import type { BodyStream } from "../http/stream.ts";
import { Merge } from "./merge.ts";
import { Pace } from "./pace.ts";
import { RowBytes } from "./rowBytes.ts";
import { refuseLate } from "./size.ts";
import type { AdmittedQuery, RowBlock } from "./rows.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import type { WorldStation } from "../world/types.ts";
import { stationRows } from "./series.ts";

/** Distance of out-of-range rows before and after the requested range. */
const OUTSIDE_MS = 10 * MINUTE_MS;

/** The rows of each station of a query, changed by its row faults; the response has all of them. */
function seriesWithFaults(
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

/** Reverses the rows of each block. */
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

/**
 * Streams `{ data: [...], count }`: any number of rows in order of time, in constant memory. The count is at the end
 * because it is not known before. The processing deadline applies until the first chunk is ready; a response that has
 * begun is not truncated.
 */
export async function answerJson(exchange: Exchange, admitted: AdmittedQuery): Promise<Refusal | null> {
  const { settings, faults, signal, record } = exchange;
  const { query } = admitted;
  const { stations, series } = seriesWithFaults(exchange, admitted);
  const decimals = query.intervalSeconds === null ? settings.decimals : null;
  const bytes = new RowBytes({ stations, variables: query.variables, decimals, form: settings });
  const pace = new Pace(signal);
  const merge = new Merge(series);
  let body: BodyStream | null = null;
  /** The chunk that is being sent while the next one is written. */
  let onItsWay = Promise.resolve();

  while (merge.load()) {
    await pace.breathe();
    const late = refuseLate(exchange, admitted);
    if (late) return late;
  }
  let blocksRead = merge.blocksRead;
  bytes.text('{"data":[');
  for (let at = merge.next(); at !== null; at = merge.next()) {
    bytes.row(at.station, at.block, at.row, record.rows++ === 0);
    if (bytes.isFull) {
      if (body === null) {
        const late = refuseLate(exchange, admitted);
        if (late) return late;
        body = openBody(exchange, MEDIA_JSON, null);
      }
      await onItsWay;
      onItsWay = body.write(bytes.take());
      // A rejection is handled at the next await; until then it must not count as unhandled.
      onItsWay.catch(() => undefined);
      await pace.breathe();
    } else if (merge.blocksRead !== blocksRead) {
      blocksRead = merge.blocksRead;
      await pace.breathe();
    }
  }
  bytes.text(`],"count":${record.rows + (faults.find("wrongCount")?.by ?? 0)}}`);
  const last = bytes.take();
  const late = body === null ? refuseLate(exchange, admitted) : null;
  if (late) return late;
  body ??= openBody(exchange, MEDIA_JSON, last.length);
  await onItsWay;
  await body.write(last);
  body.end();
  return null;
}
