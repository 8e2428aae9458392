import type { Column, SeriesRows, SeriesSelection } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { decodeBits } from "../codec/bits.ts";
import { decodeRunsAt } from "../codec/runs.ts";
import { decodeScalarsTo } from "../codec/scalars.ts";
import { DamagedData } from "../errors.ts";
import { blockMs, cutPart, kindsOf, readBlock, type SelectedKind, storedBlocks } from "./reader.ts";
import { concatRows } from "../chunks/rows.ts";
import type { ColumnOfBucket } from "../tables/columns.ts";
import { demandPart, type TimedHead } from "../tables/heads.ts";
import type { Tables } from "../tables/index.ts";

/** Eleven days of observations every 30 s: a statement for each variable of so many costs little more than one of a day. */
const MOST_ROWS = 32_768;

/** Some buckets, with the rows that are kept in them. */
export interface Stretch extends TimeRange {
  readonly rows: number;
}

/** The buckets of a selection, in order of time, scalar ones together up to a bound on their rows. */
export function stretchesOf(tables: Tables, selection: SeriesSelection): Stretch[] {
  const length = blockMs(selection);
  const isJoined = scalarKind(tables, selection) !== null;
  const stretches: Stretch[] = [];
  for (const { startMs, parts } of storedBlocks(tables, selection)) {
    const rows = parts.reduce((sum, { heads }) => heads.reduce((n, head) => n + head.rows, sum), 0);
    const endMs = startMs + length;
    const before = stretches.at(-1);
    if (before && isJoined && before.rows + rows <= MOST_ROWS) {
      stretches[stretches.length - 1] = { startMs: before.startMs, endMs, rows: before.rows + rows };
    } else {
      stretches.push({ startMs, endMs, rows });
    }
  }
  return stretches;
}

/** All rows of a selection at once. */
export function readRows(tables: Tables, selection: SeriesSelection): SeriesRows {
  const stretches = stretchesOf(tables, selection);
  const room = continuedRoom(stretches.reduce((sum, { rows }) => sum + rows, 0));
  const parts = stretches.flatMap((part) => readStretch(tables, selection, part, room) ?? []);
  return concatRows(parts, selection.variables);
}

/** Gives an array of `n` numbers for the times, or for a variable. */
export type Room = (name: "times" | Variable, n: number) => Float64Array;

export const newRoom: Room = (_name, n) => new Float64Array(n);

/** The same memory again for the same name: what was in it is lost. */
export function reusedRoom(): Room {
  const kept = new Map<string, Float64Array>();
  return (name, n) => {
    const known = kept.get(name);
    if (known && known.length >= n) return known.subarray(0, n);
    const room = new Float64Array(n);
    kept.set(name, room);
    return room;
  };
}

/** One array for each name, given away piece by piece: what is read into the pieces stands there as a whole. */
function continuedRoom(total: number): Room {
  const left = new Map<string, Float64Array>();
  return (name, n) => {
    const room = left.get(name) ?? new Float64Array(total);
    if (n > room.length) return newRoom(name, n);
    left.set(name, room.subarray(n));
    return room.subarray(0, n);
  };
}

/** Rows of the selection in one of its stretches; null where none of its variables has any. */
export function readStretch(
  tables: Tables,
  selection: SeriesSelection,
  stretch: TimeRange,
  room: Room,
): SeriesRows | null {
  const kind = scalarKind(tables, selection);
  if (!kind) return readBlock(tables, selection, stretch.startMs);
  const rows = readScalars(tables, kind, stretch, room);
  return rows && cutPart(rows, selection);
}

function scalarKind(tables: Tables, selection: SeriesSelection): SelectedKind | null {
  const kinds = kindsOf(tables, selection);
  return kinds.length === 1 && kinds[0]!.key.kind === "scalar" ? kinds[0]! : null;
}

/** All wanted columns of some chunks, one chunk behind the other in the same arrays. */
function readScalars(tables: Tables, kind: SelectedKind, buckets: TimeRange, room: Room): SeriesRows | null {
  const heads = tables.heads.read(kind.key, buckets);
  const n = heads.reduce((sum, head) => sum + head.rows, 0);
  if (n === 0) return null;
  const timesMs = room("times", n);
  let at = 0;
  for (const { times, rows } of heads) {
    at += rows;
    if (decodeRunsAt(times, timesMs, at - rows) !== at) throw new DamagedData("a chunk with another number of rows");
  }
  const columns: Partial<Record<Variable, Column>> = {};
  for (const variable of kind.wanted) {
    const stored = tables.columns.all({ ...kind.key, variable }, buckets);
    columns[variable] = readColumn(variable, stored, heads, room(variable, n));
  }
  return { timesMs, columns };
}

/** Where a chunk does not have the variable, its rows are as if it was never asked. */
function readColumn(
  variable: Variable,
  stored: readonly ColumnOfBucket[],
  heads: readonly TimedHead[],
  values: Float64Array,
): Column {
  const byBucket = new Map(stored.map((column) => [column.bucketMs, column]));
  let present: Uint8Array | null = null;
  let at = 0;
  for (const head of heads) {
    const { bucketMs, rows, variables } = head;
    const own = values.subarray(at, at + rows);
    let marks: Uint8Array | null = null;
    if (variables.includes(variable)) {
      const column = byBucket.get(bucketMs);
      if (!column) throw new DamagedData("a chunk that lost a column");
      demandPart(head, variable, column.checksum);
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
