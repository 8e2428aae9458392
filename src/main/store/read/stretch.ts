import { defined } from "#shared/defined.ts";
import type { Column, SeriesRows, SeriesSelection } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { decodeBits } from "../codec/compress.ts";
import { decodeRunsAt } from "../codec/runs.ts";
import { decodeScalarsTo } from "../codec/scalars.ts";
import { DamagedData } from "../errors.ts";
import { blockMs, cutToSelection, kindsOf, readBlock, type SelectedKind, storedBlocks } from "./reader.ts";
import { concatRows } from "../chunks/rows.ts";
import type { ColumnOfBucket } from "../tables/columns.ts";
import type { BucketRow } from "../tables/bucketRow.ts";
import type { Tables } from "../tables/index.ts";

/**
 * Eleven days of 30 s observations: one statement per variable for that many rows costs little more than one for a day.
 */
const MAX_ROWS = 32_768;

/** A range of buckets, with its number of stored rows. */
interface Stretch extends TimeRange {
  readonly rows: number;
}

/** Returns the buckets of a selection in order of time; scalar ones are joined up to `MAX_ROWS`. */
export function stretchesOf(tables: Tables, selection: SeriesSelection): Stretch[] {
  const length = blockMs(selection);
  const isJoined = scalarKind(selection) !== null;
  const stretches: Stretch[] = [];
  for (const { startMs, parts } of storedBlocks(tables, selection)) {
    const rows = parts.reduce((sum, part) => part.rows.reduce((n, row) => n + row.rows, sum), 0);
    const endMs = startMs + length;
    const before = stretches.at(-1);
    if (before && isJoined && before.rows + rows <= MAX_ROWS) {
      stretches[stretches.length - 1] = { startMs: before.startMs, endMs, rows: before.rows + rows };
    } else {
      stretches.push({ startMs, endMs, rows });
    }
  }
  return stretches;
}

/** Reads all rows of a selection. */
export function readRows(tables: Tables, selection: SeriesSelection): SeriesRows {
  const stretches = stretchesOf(tables, selection);
  const allocate = createPartAllocator(stretches.reduce((sum, { rows }) => sum + rows, 0));
  const parts = stretches.flatMap((part) => readStretch(tables, selection, part, allocate) ?? []);
  return concatRows(parts, selection.variables);
}

/** Allocates an array of `n` numbers for the times, or for a variable. */
export type Allocator = (name: "times" | Variable, n: number) => Float64Array;

export const allocateNew: Allocator = (_name, n) => new Float64Array(n);

/** Creates an allocator that reuses the array of each name, overwriting its contents. */
export function createReusingAllocator(): Allocator {
  const kept = new Map<string, Float64Array>();
  return (name, n) => {
    const known = kept.get(name);
    if (known && known.length >= n) return known.subarray(0, n);
    const allocate = new Float64Array(n);
    kept.set(name, allocate);
    return allocate;
  };
}

/**
 * Creates an allocator that cuts parts from one array for each name, so that parts read one after the other are
 * adjacent.
 */
function createPartAllocator(total: number): Allocator {
  const left = new Map<string, Float64Array>();
  return (name, n) => {
    const allocate = left.get(name) ?? new Float64Array(total);
    if (n > allocate.length) return allocateNew(name, n);
    left.set(name, allocate.subarray(n));
    return allocate.subarray(0, n);
  };
}

/** Reads the rows of the selection in one of its stretches; null if there are none. */
export function readStretch(
  tables: Tables,
  selection: SeriesSelection,
  stretch: TimeRange,
  allocate: Allocator,
): SeriesRows | null {
  const kind = scalarKind(selection);
  if (!kind) return readBlock(tables, selection, stretch.startMs);
  const rows = readScalars(tables, kind, stretch, allocate);
  return rows && cutToSelection(rows, selection);
}

function scalarKind(selection: SeriesSelection): SelectedKind | null {
  const [kind, other] = kindsOf(selection);
  return kind && !other && kind.key.kind === "scalar" ? kind : null;
}

/** Reads all requested columns of some chunks, joined in one array per column. */
function readScalars(tables: Tables, kind: SelectedKind, buckets: TimeRange, allocate: Allocator): SeriesRows | null {
  const stored = tables.buckets.read(kind.key, buckets).filter(({ rows }) => rows > 0);
  const n = stored.reduce((sum, { rows }) => sum + rows, 0);
  if (n === 0) return null;
  const timesMs = allocate("times", n);
  let at = 0;
  for (const { times, rows } of stored) {
    at += rows;
    if (decodeRunsAt(times, timesMs, at - rows) !== at) throw new DamagedData("a chunk with another number of rows");
  }
  const columns: Partial<Record<Variable, Column>> = {};
  for (const variable of kind.variables) {
    const own = allocate(variable, n);
    columns[variable] = readColumn(tables.columns.read(kind.key, variable, stored), variable, stored, own);
  }
  return { timesMs, columns };
}

/** Reads one column of some buckets. In buckets without the variable, rows count as never requested. */
function readColumn(
  found: Iterator<ColumnOfBucket>,
  variable: Variable,
  stored: readonly BucketRow[],
  values: Float64Array,
): Column {
  let present: Uint8Array | null = null;
  let at = 0;
  for (const row of stored) {
    const { rows } = row;
    const own = values.subarray(at, at + rows);
    let marks: Uint8Array | null = null;
    if (row.has(variable)) {
      const column = defined(found.next().value as ColumnOfBucket | undefined);
      decodeScalarsTo(column.codec, column.data, own);
      if (column.present !== null) marks = decodeBits(column.present);
    } else {
      own.fill(Number.NaN);
      marks = new Uint8Array(rows);
    }
    if (marks !== null) {
      if (marks.length !== rows) throw new DamagedData("marks without rows");
      present ??= new Uint8Array(values.length).fill(1);
      present.set(marks, at);
    }
    at += rows;
  }
  return { kind: "scalar", values, present };
}
