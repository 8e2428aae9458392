import {
  MAX_ORDERED_ROWS,
  type RowFilter,
  type RowPage,
  type RowSort,
  type SeriesName,
} from "#shared/bridge/methods/series.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { gather } from "#shared/arrays.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import { count } from "#shared/text.ts";
import { sortedIndices } from "../../analysis/sorting.ts";
import { type CacheReader, concatRows } from "../../store/index.ts";
import type { Pace } from "../pace.ts";
import { joinedEpochs, type JoinQuery, momentsAt, readColumns } from "./joined.ts";
import { blocksOf, isResampled, type ReadSelection, storedMode } from "./selection.ts";

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
  const selection = { stationId, variables, range, ...storedMode(query.mode) };
  const blocks = cache.countBlocks(selection);
  const total = blocks.reduce((sum, { rows }) => sum + rows, 0);
  const { from, to, skip } = placePage(
    blocks.map(({ rows }) => rows),
    offset,
    limit,
  );
  const first = blocks[from];
  const last = blocks[to - 1];
  if (!first || !last) return rowPage(concatRows([], variables), variables, { total, offset, from: 0, to: 0 });
  const rows = cache.rows({ ...selection, range: { startMs: first.range.startMs, endMs: last.range.endMs } });
  return rowPage(rows, variables, { total, offset, from: skip, to: skip + limit });
}

/** All averages are computed to count them, but only the page is kept in memory. */
async function averagedPage(cache: CacheReader, query: PageQuery, pace: Pace): Promise<RowPage> {
  const { variables, offset, limit } = query;
  const kept: SeriesRows[] = [];
  let before = 0;
  let total = 0;
  for (const rows of blocksOf(cache, query, query.stationId)) {
    const count = rows.timesMs.length;
    if (total + count <= offset) before += count;
    else if (total < offset + limit) kept.push(rows);
    total += count;
    await pace.yieldIfDue();
  }
  const from = offset - before;
  return rowPage(concatRows(kept, variables), variables, { total, offset, from, to: from + limit });
}

interface Place {
  readonly total: number;
  readonly offset: number;
  readonly from: number;
  readonly to: number;
}

function rowPage(rows: SeriesRows, variables: readonly Variable[], { total, offset, from, to }: Place): RowPage {
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
function placePage(counts: readonly number[], offset: number, limit: number): PagePlace {
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

interface OrderQuery extends JoinQuery {
  readonly sort: RowSort;
  readonly filter: RowFilter | null;
}

const STEP_ROWS = 10_000;

/** Reads the epochs of the rows that pass the filter, in order. Only they and their sort keys are in memory. */
export async function readRowOrder(
  cache: CacheReader,
  query: OrderQuery,
  pace: Pace,
): Promise<Result<Float64Array, AppFault>> {
  const { sort, filter } = query;
  const epochs = await joinedEpochs(cache, query, pace);
  if (!epochs.ok) return epochs;
  const { total } = epochs.value;
  if (filter === null && total > MAX_ORDERED_ROWS) return failure(tooMany(total, false));
  const capacity = Math.min(total, MAX_ORDERED_ROWS);
  const timesMs = new Float64Array(capacity);
  const keys = new Float64Array(sort.by ? capacity : 0);
  const needed = neededOf(query);
  let n = 0;
  for (let offset = 0; offset < total; offset += STEP_ROWS) {
    const times = momentsAt(epochs.value, offset, STEP_ROWS);
    const columns = needed.variables.length > 0 ? await readColumns(cache, needed, times, pace) : [];
    const columnOf = ({ stationId, variable }: SeriesName) =>
      columns[needed.stationIds.indexOf(stationId)]?.[variable] ?? [];
    const by = sort.by && columnOf(sort.by);
    const passes = filter ? rowTest(filter, filter.of ? [columnOf(filter.of)] : columns.flatMap(Object.values)) : null;
    for (let i = 0; i < times.length; i++) {
      if (passes?.(i) === false) continue;
      if (n === capacity) return failure(tooMany(total, true));
      if (by) keys[n] = sortedNumber(by[i]);
      timesMs[n++] = times[i]!;
    }
    await pace.yieldIfDue();
  }
  const kept = timesMs.slice(0, n);
  if (!sort.by) return success(sort.isDescending ? kept.toReversed() : kept);
  const places = await sortedIndices(keys.subarray(0, n), sort.isDescending, () => pace.yieldIfDue());
  return success(gather(kept, places));
}

/** The series that the filter and the sort need. */
function neededOf({ sort, filter, ...query }: OrderQuery): JoinQuery {
  if (filter && filter.of === null) return query;
  const named = [sort.by, filter?.of ?? null].filter((name) => name !== null);
  return {
    ...query,
    stationIds: query.stationIds.filter((id) => named.some(({ stationId }) => stationId === id)),
    variables: query.variables.filter((v) => named.some(({ variable }) => variable === v)),
  };
}

type Values = NonNullable<RowPage["columns"][keyof RowPage["columns"]]>;

/** Returns a test whether a row has all values, with all numbers within the bounds. */
function rowTest({ atLeast, atMost }: RowFilter, columns: readonly Values[]): (at: number) => boolean {
  const min = atLeast ?? Number.NEGATIVE_INFINITY;
  const max = atMost ?? Number.POSITIVE_INFINITY;
  return (at) =>
    columns.every((column) => {
      const value = column[at];
      return typeof value === "number" ? value >= min && value <= max : Boolean(value);
    });
}

function sortedNumber(value: number | string | null | undefined): number {
  return typeof value === "number" ? value : Number.NaN;
}

function tooMany(rows: number, isFiltered: boolean): AppFault {
  const reason = isFiltered ? "More rows than that pass the filter" : `There are ${count(rows)}`;
  return usageFault(
    `At most ${count(MAX_ORDERED_ROWS)} rows can be sorted or filtered. ${reason}. Choose a shorter time range.`,
  );
}
