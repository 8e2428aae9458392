import * as fc from "fast-check";
import type { Column, ScalarColumn, SeriesRows, TextColumn } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";

/** A row for brute-force checks; undefined: the response did not include the variable. */
export interface PlainRow {
  readonly timeMs: number;
  readonly ztd: number | undefined;
  readonly pwv: number | undefined;
  readonly prn: string | null | undefined;
}

const SCALARS = ["ztd", "pwv"] as const;

export function scalarColumn(values: readonly (number | undefined)[]): ScalarColumn {
  return {
    kind: "scalar",
    // Readers must ignore the value of a cell that is not present.
    values: Float64Array.from(values, (v) => v ?? 999),
    present: values.includes(undefined) ? Uint8Array.from(values, (v) => (v === undefined ? 0 : 1)) : null,
  };
}

export function blockOf(rows: readonly PlainRow[]): SeriesRows {
  const columns: Partial<Record<Variable, Column>> = {};
  for (const name of SCALARS) columns[name] = scalarColumn(rows.map((r) => r[name]));
  const texts = rows.map((r) => r.prn);
  columns.prn = {
    kind: "text",
    values: texts.map((t) => t ?? null),
    present: texts.includes(undefined) ? Uint8Array.from(texts, (t) => (t === undefined ? 0 : 1)) : null,
  } satisfies TextColumn;
  return { timesMs: Float64Array.from(rows, (r) => r.timeMs), columns };
}

export function plainRows(blocks: Iterable<SeriesRows>): PlainRow[] {
  return [...blocks].flatMap(({ timesMs, columns }) =>
    Array.from(timesMs, (timeMs, i) => ({
      timeMs,
      ztd: valueAt(columns.ztd, i) as number | undefined,
      pwv: valueAt(columns.pwv, i) as number | undefined,
      prn: valueAt(columns.prn, i) as string | null | undefined,
    })),
  );
}

function valueAt(column: Column | undefined, i: number): number | string | null | undefined {
  return column && (column.present === null || column.present[i] === 1) ? column.values[i] : undefined;
}

/** Splits rows at the given positions, which may give empty blocks. */
export function cutAt(rows: readonly PlainRow[], cuts: readonly number[]): SeriesRows[] {
  const ends = [...cuts.map((c) => c % (rows.length + 1)), rows.length].toSorted((a, b) => a - b);
  return ends.map((end, i) => blockOf(rows.slice(ends[i - 1] ?? 0, end)));
}

const value = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: -3_000, max: 3_000, noNaN: true }) },
  { weight: 2, arbitrary: fc.constant(Number.NaN) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);
const text = fc.constantFrom("G01,G02", "E11", "", null, undefined);

/** Rows in time order with gaps, before and after 1970. */
export const rows = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 900 }), value, value, text), { maxLength: 80 })
  .map((steps) => {
    let timeMs = -20_000_000;
    return steps.map(([seconds, ztd, pwv, prn]): PlainRow => {
      timeMs += seconds * 1_000;
      return { timeMs, ztd, pwv, prn };
    });
  });
