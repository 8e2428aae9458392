import { gather, lowerBound } from "#shared/arrays.ts";
import type { Column, SeriesRows } from "#shared/series/rows.ts";
import { type Variable, VARIABLE_NAMES, variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";

// Small operations on blocks of rows. None changes its arguments; results may share arrays with them.

type MarkedColumn = Column & { readonly present: Uint8Array };

export const NO_ROWS: SeriesRows = { timesMs: new Float64Array(0), columns: {} };

/** Returns a column of n rows that no response contained. */
function absentColumn(variable: Variable, n: number): MarkedColumn {
  const present = new Uint8Array(n);
  return variableKind(variable) === "scalar"
    ? { kind: "scalar", values: new Float64Array(n).fill(Number.NaN), present }
    : { kind: "text", values: Array.from({ length: n }, () => null), present };
}

function columnEntries({ columns }: SeriesRows): (readonly [Variable, Column])[] {
  return VARIABLE_NAMES.flatMap((variable) => {
    const column = columns[variable];
    return column ? [[variable, column] as const] : [];
  });
}

/** Returns the rows in the half-open range. */
export function cutRows(rows: SeriesRows, range: TimeRange): SeriesRows {
  const start = lowerBound(rows.timesMs, range.startMs);
  const end = Math.max(start, lowerBound(rows.timesMs, range.endMs));
  if (start === 0 && end === rows.timesMs.length) return rows;
  const columns: Partial<Record<Variable, Column>> = {};
  for (const [variable, column] of columnEntries(rows)) columns[variable] = sliceColumn(column, start, end);
  return { timesMs: rows.timesMs.subarray(start, end), columns };
}

/** Returns the rows with these indices, in this order; -1 stands for a row that the column lacks. */
function gatherColumn(column: Column, indices: Int32Array): MarkedColumn {
  const n = indices.length;
  const present = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    const from = indices[i]!;
    present[i] = from < 0 ? 0 : (column.present?.[from] ?? 1);
  }
  if (column.kind === "scalar") {
    const values = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const from = indices[i]!;
      values[i] = from < 0 ? Number.NaN : column.values[from]!;
    }
    return { kind: "scalar", values, present };
  }
  const values = Array.from(indices, (from) => column.values[from] ?? null);
  return { kind: "text", values, present };
}

/** Marks the rows of the variables within the range as never requested. */
export function blankRange(rows: SeriesRows, variables: readonly Variable[], range: TimeRange): SeriesRows {
  const start = lowerBound(rows.timesMs, range.startMs);
  const end = lowerBound(rows.timesMs, range.endMs);
  if (start >= end) return rows;
  const columns = { ...rows.columns };
  for (const variable of variables) {
    const column = columns[variable];
    if (column) columns[variable] = blankColumn(column, start, end);
  }
  return { timesMs: rows.timesMs, columns };
}

/**
 * Drops rows that are present in no column, and columns that are present in no row (unless in `keep`). `present`
 * becomes null where every row is present.
 */
export function dropAbsent(rows: SeriesRows, keep: readonly Variable[] = []): SeriesRows {
  const indices = indicesOfPresent(rows);
  const timesMs = indices === null ? rows.timesMs : gather(rows.timesMs, indices);
  const columns: Partial<Record<Variable, Column>> = {};
  for (const [variable, found] of columnEntries(rows)) {
    const column = indices === null ? found : gatherColumn(found, indices);
    const { present } = column;
    if (present === null || !present.includes(0)) columns[variable] = { ...column, present: null };
    else if (keep.includes(variable) || present.includes(1)) columns[variable] = column;
  }
  return { timesMs, columns };
}

/** Returns the indices of rows that are present in any column; null for all rows. */
function indicesOfPresent(rows: SeriesRows): Int32Array | null {
  const marks = columnEntries(rows).map(([, column]) => column.present);
  const n = rows.timesMs.length;
  if (n > 0 && marks.includes(null)) return null;
  const indices = new Int32Array(n);
  let kept = 0;
  for (let i = 0; i < n; i++) if (marks.some((mark) => mark?.[i] === 1)) indices[kept++] = i;
  return kept === n ? null : indices.subarray(0, kept);
}

/**
 * Returns the rows of both; at equal times, the values of `newer`. A missing value replaces none; the satellite variables
 * of a row belong together, and are missing only if all are.
 */
export function joinRows(older: SeriesRows, newer: SeriesRows): SeriesRows {
  const a = older.timesMs;
  const b = newer.timesMs;
  if (a.length === 0 && columnEntries(older).length === 0) return newer;
  const fromOlder = new Int32Array(a.length + b.length);
  const fromNewer = new Int32Array(a.length + b.length);
  const times = new Float64Array(a.length + b.length);
  let n = 0;
  for (let i = 0, k = 0; i < a.length || k < b.length; n++) {
    const timeA = i < a.length ? a[i]! : Infinity;
    const timeB = k < b.length ? b[k]! : Infinity;
    times[n] = Math.min(timeA, timeB);
    fromOlder[n] = timeA <= timeB ? i++ : -1;
    fromNewer[n] = timeB <= timeA ? k++ : -1;
  }
  const timesMs = times.subarray(0, n);
  const texts = columnEntries(newer).flatMap(([, column]) => (column.kind === "text" ? [column.values] : []));
  const hasText = Uint8Array.from(fromNewer.subarray(0, n), (row) => (texts.some((values) => values[row]) ? 1 : 0));
  const columns: Partial<Record<Variable, Column>> = {};
  for (const variable of VARIABLE_NAMES) {
    const old = older.columns[variable];
    const fresh = newer.columns[variable];
    if (!old && !fresh) continue;
    const base = old ? gatherColumn(old, fromOlder.subarray(0, n)) : absentColumn(variable, n);
    columns[variable] = fresh ? overlay(base, gatherColumn(fresh, fromNewer.subarray(0, n)), hasText) : base;
  }
  return { timesMs, columns };
}

/** Whether both have the same times, columns, values and marks. */
export function areSameRows(a: SeriesRows, b: SeriesRows): boolean {
  if (!areSame(a.timesMs, b.timesMs)) return false;
  return VARIABLE_NAMES.every((variable) => {
    const one = a.columns[variable];
    const other = b.columns[variable];
    if (!one || !other) return one === other;
    return areSame(one.values, other.values) && areSame(one.present ?? [], other.present ?? []);
  });
}

function areSame(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}

/** Joins blocks in ascending order of time, with all of these variables. */
export function concatRows(blocks: readonly SeriesRows[], variables: readonly Variable[]): SeriesRows {
  const n = blocks.reduce((sum, block) => sum + block.timesMs.length, 0);
  const columns: Partial<Record<Variable, Column>> = {};
  for (const variable of variables) {
    const parts = blocks.map((block) => block.columns[variable] ?? absentColumn(variable, block.timesMs.length));
    const [first] = parts;
    columns[variable] = first && parts.length === 1 ? first : concatColumn(variable, parts, n);
  }
  const timesMs = concatNumbers(
    blocks.map((block) => block.timesMs),
    n,
  );
  return { timesMs, columns };
}

/** Copies nothing if the parts are adjacent in the same memory. */
function concatNumbers(parts: readonly Float64Array[], n: number): Float64Array {
  const [first] = parts;
  if (first && parts.every((part, i) => i === 0 || follows(parts[i - 1], part)))
    return new Float64Array(first.buffer, first.byteOffset, n);
  const all = new Float64Array(n);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function follows(before: Float64Array | undefined, after: Float64Array): boolean {
  return before?.buffer === after.buffer && before.byteOffset + before.byteLength === after.byteOffset;
}

function concatColumn(variable: Variable, parts: readonly Column[], n: number): Column {
  let present: Uint8Array | null = null;
  if (parts.some((part) => part.present !== null)) {
    present = new Uint8Array(n).fill(1);
    let at = 0;
    for (const part of parts) {
      if (part.present !== null) present.set(part.present, at);
      at += part.values.length;
    }
  }
  if (variableKind(variable) === "satellite") {
    const values = parts.flatMap((part) => (part.kind === "text" ? part.values : []));
    return { kind: "text", values, present };
  }
  const numbers = parts.map((part) => (part.kind === "scalar" ? part.values : new Float64Array(part.values.length)));
  return { kind: "scalar", values: concatNumbers(numbers, n), present };
}

function sliceColumn(column: Column, start: number, end: number): Column {
  const present = column.present?.subarray(start, end) ?? null;
  return column.kind === "scalar"
    ? { kind: "scalar", values: column.values.subarray(start, end), present }
    : { kind: "text", values: column.values.slice(start, end), present };
}

function blankColumn(column: Column, start: number, end: number): Column {
  const present = column.present?.slice() ?? new Uint8Array(column.values.length).fill(1);
  present.fill(0, start, end);
  if (column.kind === "scalar") {
    return { kind: "scalar", values: column.values.slice().fill(Number.NaN, start, end), present };
  }
  return { kind: "text", values: column.values.slice().fill(null, start, end), present };
}

/**
 * Replaces the values of `base` by those of `top`. Both are new results of `gatherColumn`, so they may be changed.
 *
 * @param hasText whether the texts of a row replace those of `base`
 */
function overlay(base: MarkedColumn, top: MarkedColumn, hasText: Uint8Array): Column {
  const present = top.present.map((mark, i) => mark | base.present[i]!);
  if (base.kind === "scalar" && top.kind === "scalar") {
    top.values.forEach((value, i) => {
      if (!Number.isNaN(value)) base.values[i] = value;
    });
    return { kind: "scalar", values: base.values, present };
  }
  if (base.kind === "text" && top.kind === "text") {
    const { values: fresh, present: marks } = top;
    const isReplaced = (i: number): boolean => marks[i] === 1 && (hasText[i] === 1 || base.present[i] === 0);
    return { kind: "text", values: base.values.map((text, i) => (isReplaced(i) ? (fresh[i] ?? null) : text)), present };
  }
  return base;
}
