import { MEDIA_JSON } from "#shared/service/query.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import type { Exchange } from "../exchange.ts";
import type { Refusal } from "../http/refusal.ts";
import { openBody } from "../http/send.ts";
import type { BodyStream } from "../http/body.ts";
import type { WorldStation } from "../world/types.ts";
import { type AdmittedQuery, emptyRows, Pace, refuseLate, type RowBlock } from "./rows.ts";
import { RowBytes } from "./rowBytes.ts";
import { stationRows } from "./series.ts";

/** The current row of a station; past the end of its rows, the block has none. */
interface Cursor {
  /** Index of the station. */
  readonly station: number;
  readonly blocks: Iterator<RowBlock>;
  block: RowBlock;
  row: number;
}

/**
 * Merges the rows of several stations by time; rows of one moment are in the order of the stations.
 * Call `load` until it returns false, then `next` until it returns null.
 */
class Merge {
  readonly #cursors: readonly Cursor[];
  /** Time of each station's next row; Infinity past its end. */
  readonly #heads: Float64Array;
  #nowMs = -Infinity;
  #current: Cursor | null = null;
  #loaded = 0;
  /** Blocks read so far, which shows the caller that work was done. */
  blocksRead = 0;

  constructor(series: readonly Iterable<RowBlock>[]) {
    this.#cursors = series.map((blocks, station) => ({
      station,
      blocks: blocks[Symbol.iterator](),
      block: emptyRows([], 0),
      row: 0,
    }));
    this.#heads = new Float64Array(series.length).fill(Infinity);
  }

  /** Reads the first block of one more station; false when all have been read. */
  load(): boolean {
    const cursor = this.#cursors[this.#loaded++];
    if (cursor) this.#refill(cursor);
    return cursor !== undefined;
  }

  /** Advances to the next row; the returned cursor changes with the next call. Returns null past the last row. */
  next(): Readonly<Cursor> | null {
    if (this.#current) this.#advance(this.#current);
    const heads = this.#heads;
    const count = heads.length;
    for (let s = this.#current ? this.#current.station + 1 : 0; ; s++) {
      if (s === count) {
        let earliest = Infinity;
        for (let k = 0; k < count; k++) earliest = Math.min(earliest, heads[k]!);
        if (earliest === Infinity) return null;
        this.#nowMs = earliest;
        s = 0;
      }
      if (heads[s] === this.#nowMs) {
        this.#current = this.#cursors[s]!;
        return this.#current;
      }
    }
  }

  #advance(cursor: Cursor): void {
    if (++cursor.row === cursor.block.count) this.#refill(cursor);
    else this.#heads[cursor.station] = cursor.block.timesMs[cursor.row]!;
  }

  #refill(cursor: Cursor): void {
    const step = cursor.blocks.next();
    cursor.block = step.done ? emptyRows([], 0) : step.value;
    cursor.row = 0;
    this.#heads[cursor.station] = step.done ? Infinity : step.value.timesMs[0]!;
    this.blocksRead++;
  }
}

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
    await pace.yieldIfDue();
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
      await pace.yieldIfDue();
    } else if (merge.blocksRead !== blocksRead) {
      blocksRead = merge.blocksRead;
      await pace.yieldIfDue();
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
