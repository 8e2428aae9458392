import type { RowPage } from "#shared/bridge/methods/series.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { concatRows } from "../../store/chunks/rows.ts";
import type { CacheReader } from "../../store/types.ts";
import type { Pace } from "./pace.ts";
import { blocksOf, isResampled, type ReadSelection } from "./selection.ts";

interface PageQuery extends ReadSelection {
  readonly stationId: string;
  readonly offset: number;
  readonly limit: number;
}

/** Reads a page of rows. For stored rows, only the blocks that contain it are read. */
export async function readPage(cache: CacheReader, query: PageQuery, pace: Pace): Promise<RowPage> {
  return isResampled(query.mode) ? averagedPage(cache, query, pace) : storedPage(cache, query);
}

function storedPage(cache: CacheReader, query: PageQuery): RowPage {
  const { stationId, variables, range, offset, limit } = query;
  const { raw, intervalSeconds } = query.mode;
  const selection = { stationId, variables, range, raw, intervalSeconds };
  const blocks = cache.countBlocks(selection);
  const total = blocks.reduce((sum, { rows }) => sum + rows, 0);
  const { from, to, skip } = placePage(
    blocks.map(({ rows }) => rows),
    offset,
    limit,
  );
  const first = blocks[from];
  const last = blocks[to - 1];
  if (!first || !last) return pageOf(concatRows([], variables), variables, { total, offset, from: 0, to: 0 });
  const rows = cache.rows({ ...selection, range: { startMs: first.range.startMs, endMs: last.range.endMs } });
  return pageOf(rows, variables, { total, offset, from: skip, to: skip + limit });
}

/** All averages are computed to count them, but only the page is kept in memory. */
async function averagedPage(cache: CacheReader, query: PageQuery, pace: Pace): Promise<RowPage> {
  const { variables, offset, limit } = query;
  const kept: SeriesRows[] = [];
  let before = 0;
  let total = 0;
  for (const rows of blocksOf(cache, query, query.stationId, variables)) {
    const count = rows.timesMs.length;
    if (total + count <= offset) before += count;
    else if (total < offset + limit) kept.push(rows);
    total += count;
    await pace.breathe();
  }
  const from = offset - before;
  return pageOf(concatRows(kept, variables), variables, { total, offset, from, to: from + limit });
}

interface Place {
  readonly total: number;
  readonly offset: number;
  readonly from: number;
  readonly to: number;
}

function pageOf(rows: SeriesRows, variables: readonly Variable[], { total, offset, from, to }: Place): RowPage {
  const columns: Partial<Record<Variable, Float64Array | readonly (string | null)[]>> = {};
  for (const variable of variables) columns[variable] = rows.columns[variable]?.values.slice(from, to) ?? [];
  return { total, offset, timesMs: rows.timesMs.slice(from, to), columns };
}

/** The blocks that contain a page, and the number of rows before it in the first of them. */
interface PagePlace {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly skip: number;
}

/** @param counts rows in each block, in order */
export function placePage(counts: readonly number[], offset: number, limit: number): PagePlace {
  const place = { from: 0, to: 0, skip: offset };
  let before = 0;
  for (const count of counts) {
    if (before >= offset + limit) break;
    if (before + count <= offset) {
      place.from++;
      place.skip -= count;
    }
    place.to++;
    before += count;
  }
  return place;
}
