import { crc32 } from "node:zlib";
import { PixelColumns } from "../../analysis/decimate.ts";
import {
  type Coverage,
  type DecimatedSeries,
  hasValue,
  type SeriesMode,
  type SeriesRows,
  type SeriesSelection,
} from "#shared/series/rows.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { alignInward, intersectRange, isEmpty, type TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import {
  ALL_TIME,
  bucketLength,
  bucketMs,
  bucketsIn,
  bucketStart,
  byKind,
  type ChunkKey,
  modeKey,
} from "../tables/keys.ts";
import { clipCoverage } from "../chunks/coverage.ts";
import { decodeChunk } from "../chunks/chunk.ts";
import { BLOCK_ROWS } from "../codec/kernel/kernel.ts";
import { concatRows, cutRows, joinRows, NO_ROWS, dropAbsent } from "../chunks/rows.ts";
import type { BucketRow } from "../tables/bucketRow.ts";
import { coverageIn } from "../tables/coverage.ts";
import type { Tables } from "../tables/index.ts";
import type { BlockCount, Coverages } from "../types.ts";

/** Minimum average number of rows per pixel column for blocks of 64 rows to represent it well. */
const ROWS_FOR_PYRAMID = 2 * BLOCK_ROWS;

type Selected = Omit<SeriesSelection, "range">;

/** The stored chunks of a selection in one bucket; if there are two kinds, in one of the longer buckets. */
interface StoredBlock {
  readonly startMs: UtcMs;
  readonly parts: readonly { readonly kind: SelectedKind; readonly rows: readonly BucketRow[] }[];
}

/** Returns a checksum of all that the cache knows of the buckets of a selection. */
export function markOf({ buckets }: Tables, { stationId, variables, range, ...mode }: SeriesSelection): number {
  const keys = byKind(variables).map(({ kind }): ChunkKey => ({ stationId, kind, ...modeKey(mode) }));
  const rows = keys.flatMap((key) => buckets.scan(key, bucketsIn(key, range)));
  return rows.reduce((sum, { encoded }) => crc32(encoded, sum), 0);
}

/** Returns the starts of the buckets with data of the selection, ascending. */
export function bucketsOf(tables: Tables, selection: SeriesSelection): UtcMs[] {
  return storedBlocks(tables, selection).map(({ startMs }) => startMs);
}

/** Reads the rows of the selection in one of its buckets; null if there are none. */
export function readBlock(tables: Tables, selection: SeriesSelection, startMs: UtcMs): SeriesRows | null {
  const range = { startMs, endMs: startMs + blockMs(selection) };
  const [stored] = storedBlocks(tables, { ...selection, range });
  return stored ? readStored(tables, selection, stored) : null;
}

export function storedBlocks(tables: Tables, selection: SeriesSelection): StoredBlock[] {
  const length = blockMs(selection);
  const blocks = new Map<UtcMs, { kind: SelectedKind; rows: BucketRow[] }[]>();
  for (const kind of kindsOf(selection)) {
    for (const row of tables.buckets.read(kind.key, selection.range)) {
      if (row.rows === 0) continue;
      const startMs = bucketStart(row.bucketMs, length);
      const parts = blocks.get(startMs) ?? [];
      blocks.set(startMs, parts);
      const last = parts.at(-1);
      if (last?.kind === kind) last.rows.push(row);
      else parts.push({ kind, rows: [row] });
    }
  }
  return Array.from(blocks, ([startMs, parts]) => ({ startMs, parts })).toSorted((a, b) => a.startMs - b.startMs);
}

/** Reads the rows of a block. Must run in the transaction in which the block was found. */
function readStored(tables: Tables, selection: SeriesSelection, stored: StoredBlock): SeriesRows | null {
  let rows = NO_ROWS;
  for (const { kind, rows: own } of stored.parts) {
    const parts = own.map((row) => decodeChunk(tables.chunks.columnsOf(kind.key, row, kind.variables), kind.variables));
    rows = joinRows(rows, dropAbsent(concatRows(parts, kind.variables), kind.variables));
  }
  return cutToSelection(rows, selection);
}

/** Returns the rows of a block, which has all variables, that belong to the selection; null if there are none. */
export function cutToSelection(rows: SeriesRows, { range, variables }: SeriesSelection): SeriesRows | null {
  const cut = dropAbsent(cutRows(rows, range), variables);
  return cut.timesMs.length === 0 ? null : cut;
}

/**
 * Implements `CacheReader.countBlocks`. Decodes only buckets that the range cuts, or that have rows of other requests.
 */
export function countBlocks(tables: Tables, selection: SeriesSelection): BlockCount[] {
  const { range, variables } = selection;
  const kinds = kindsOf(selection);
  const length = blockMs(selection);
  const blocks = storedBlocks(tables, selection);
  const known = new Map<UtcMs, number>();
  const [kind] = kinds;
  if (kind && kinds.length === 1) {
    for (const row of blocks.flatMap(({ parts }) => parts.flatMap((part) => part.rows))) {
      const isUncut = row.firstMs >= range.startMs && row.lastMs < range.endMs;
      if (isUncut && variables.some((variable) => isWhole(row, variable))) known.set(row.bucketMs, row.rows);
    }
  }
  return blocks.map((block) => ({
    range: intersectRange(range, { startMs: block.startMs, endMs: block.startMs + length }),
    rows: known.get(block.startMs) ?? readStored(tables, selection, block)?.timesMs.length ?? 0,
  }));
}

/** Returns whether a variable is present in every row of a bucket. */
export function isWhole(row: BucketRow, variable: Variable): boolean {
  return row.has(variable) && (row.count(variable) === row.rows || row.column(variable)?.isWhole === true);
}

/** Implements `CacheReader.countRows`. */
export function countRows(tables: Tables, selection: SeriesSelection, enough = Infinity): number {
  const least = enough < Infinity ? minimumRows(tables, selection) : 0;
  return least > enough ? least : countBlocks(tables, selection).reduce((sum, { rows }) => sum + rows, 0);
}

/**
 * Returns a lower bound of the number of rows: the number of values of one variable in the buckets within the range.
 */
function minimumRows(tables: Tables, selection: SeriesSelection): number {
  const ofVariables = kindsOf(selection).flatMap(({ key, variables }) => {
    const inside = alignInward(selection.range, bucketLength(key) / 1_000);
    const rows = isEmpty(inside) ? [] : tables.buckets.read(key, inside);
    return variables.map((variable) => rows.reduce((sum, row) => sum + row.count(variable), 0));
  });
  return Math.max(0, ...ofVariables);
}

/** Implements `CacheReader.nearest`. Searches bucket by bucket, nearest first, so that a wide window costs nothing. */
export function readNearest(tables: Tables, selected: Selected, timeMs: UtcMs, window: TimeRange): SeriesRows | null {
  const selection = { ...selected, range: window };
  const starts = bucketsOf(tables, selection);
  let best: { rows: SeriesRows; timeMs: UtcMs; distanceMs: number } | null = null;
  const length = blockMs(selection);
  const byDistance = starts
    .map((startMs) => ({ startMs, distanceMs: Math.max(0, startMs - timeMs, timeMs - (startMs + length - 1)) }))
    .toSorted((a, b) => a.distanceMs - b.distanceMs || a.startMs - b.startMs);
  for (const { startMs, distanceMs } of byDistance) {
    if (best !== null && distanceMs > best.distanceMs) break;
    const rows = readBlock(tables, selection, startMs);
    if (!rows) continue;
    for (const [row, rowMs] of rows.timesMs.entries()) {
      const rowDistanceMs = Math.abs(rowMs - timeMs);
      const isCloser = best === null || rowDistanceMs < best.distanceMs;
      const isEarlier = best !== null && rowDistanceMs === best.distanceMs && rowMs < best.timeMs;
      if ((isCloser || isEarlier) && Object.values(rows.columns).some((column) => hasValue(column, row)))
        best = { rows, timeMs: rowMs, distanceMs: rowDistanceMs };
    }
  }
  return best && cutRows(best.rows, { startMs: best.timeMs, endMs: best.timeMs + 1 });
}

/** Implements `CacheReader.decimate`. */
export function readDecimated(
  tables: Tables,
  selection: SeriesSelection,
  columns: number,
): Partial<Record<Variable, DecimatedSeries>> {
  const { range } = selection;
  const variables = selection.variables.filter((v) => variableKind(v) === "scalar");
  const kind = isEmpty(range) || variables.length === 0 ? undefined : kindsOf({ ...selection, variables })[0];
  const stored = kind ? tables.buckets.read(kind.key, range) : [];
  const byPyramids = stored.reduce((sum, { rows }) => sum + rows, 0) >= ROWS_FOR_PYRAMID * columns;
  const found: Partial<Record<Variable, DecimatedSeries>> = {};
  for (const variable of variables) {
    const pixels = new PixelColumns(range, columns);
    const addRows = (startMs: UtcMs): void => {
      const block = readBlock(tables, { ...selection, variables: [variable] }, startMs);
      const column = block?.columns[variable];
      if (block && column?.kind === "scalar") pixels.add(block.timesMs, column.values);
    };
    let approximate = false;
    if (kind && byPyramids) {
      for (const { bucketMs: startMs, value: pyramid } of readPyramids(tables, kind, variable, range)) {
        if (pixels.addPyramid(pyramid)) approximate = true;
        else addRows(startMs);
      }
    } else {
      for (const row of stored) if (row.rows > 0) addRows(row.bucketMs);
    }
    found[variable] = { range, ...pixels.finish(), approximate };
  }
  return found;
}

/** Reads pyramids, which are kept in memory and must not be changed. */
function readPyramids(tables: Tables, { key }: SelectedKind, variable: Variable, range: TimeRange) {
  return tables.readCache.pyramids(key, variable, range, (missing) =>
    tables.pyramids.read(key, variable, tables.buckets.read(key, missing)),
  );
}

/** Implements `CacheReader.coverage`. */
export function readCoverage(tables: Tables, stationId: string, variable: Variable, mode: SeriesMode): Coverage {
  const key = { stationId, kind: variableKind(variable), ...modeKey(mode) };
  return coverageIn(tables.buckets.read(key, ALL_TIME), variable);
}

/** Implements `CacheReader.coverages`. */
export function readCoverages(
  tables: Tables,
  mode: SeriesMode,
  variables: readonly Variable[],
  range: TimeRange,
): ReadonlyMap<string, Coverages> {
  const found = new Map<string, Coverages>();
  for (const key of tables.buckets.keys(modeKey(mode))) {
    const own = found.get(key.stationId) ?? {};
    found.set(key.stationId, own);
    const ofKind = variables.filter((variable) => variableKind(variable) === key.kind);
    if (ofKind.length === 0) continue;
    const rows = tables.buckets.read(key, range);
    for (const variable of ofKind) {
      const coverage = clipCoverage(coverageIn(rows, variable), range);
      if (coverage.final.length > 0 || coverage.provisional.length > 0) own[variable] = coverage;
    }
  }
  return found;
}

export interface SelectedKind {
  readonly key: ChunkKey;
  readonly variables: readonly Variable[];
}

export function kindsOf(selected: Selected): SelectedKind[] {
  const { stationId } = selected;
  return byKind(selected.variables).map(({ kind, variables }) => ({
    key: { stationId, kind, ...modeKey(selected) },
    variables,
  }));
}

/** Returns the length of the longer buckets of the selected kinds, ms; the shorter ones divide it. */
export function blockMs({ variables, intervalSeconds }: Selected): number {
  return Math.max(...byKind(variables).map(({ kind }) => bucketMs(kind, intervalSeconds)), 1);
}
