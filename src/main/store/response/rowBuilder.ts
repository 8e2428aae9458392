import { gather, grown } from "#shared/arrays.ts";
import type { Column, ReceivedRows, SeriesRows } from "#shared/series/rows.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";

// How several rows of one time in one response become one: each field has the last value that arrived. A missing value
// replaces none, and equal values are not a conflict.

/** The rows of one time: `order[from]` to `order[to]` (exclusive), in order of arrival. */
interface RowsOfTime {
  readonly order: Int32Array;
  readonly from: number;
  readonly to: number;
  /** Called for each value that differs from an earlier value of the same time. */
  readonly onConflict: () => void;
}

/** Returns the value of one field at one time. */
function mergeNumbers(values: Float64Array, { order, from, to, onConflict }: RowsOfTime): number {
  let last = Number.NaN;
  for (let i = from; i < to; i++) {
    const value = values[order[i]!]!;
    if (Number.isNaN(value)) continue;
    if (!Number.isNaN(last) && value !== last) onConflict();
    last = value;
  }
  return last;
}

/** A satellite field: its texts in order of arrival, and the merged texts. */
interface MergedTexts {
  readonly values: readonly (string | null)[];
  readonly merged: (string | null)[];
}

/**
 * Merges all satellite fields of one time and appends the results to their `merged`. The lists in the fields have the
 * order of `prn` in the same row, so a different `prn` also replaces the values of earlier rows: they belong to other
 * satellites.
 *
 * @param prn texts of the field `prn`, if present
 */
function mergeTexts(
  fields: readonly MergedTexts[],
  prn: readonly (string | null)[] | undefined,
  { order, from, to, onConflict }: RowsOfTime,
): void {
  // Earlier rows are of other satellites.
  let first = from;
  if (prn) {
    let last: string | null = null;
    for (let i = from; i < to; i++) {
      const satellites = prn[order[i]!];
      if (!satellites || satellites === last) continue;
      if (last !== null) {
        onConflict();
        first = i;
      }
      last = satellites;
    }
  }
  for (const { values, merged } of fields) {
    let text = values[order[first]!] ?? null;
    for (let i = first + 1; i < to; i++) {
      const next = values[order[i]!];
      if (!next || next === text) continue;
      if (text) onConflict();
      text = next;
    }
    merged.push(text);
  }
}

const INITIAL_CAPACITY = 256;

/** The rows of a bucket in order of arrival. */
interface Arrived {
  readonly times: Float64Array;
  readonly n: number;
  readonly scalars: readonly { readonly variable: Variable; readonly values: Float64Array }[];
  readonly texts: readonly { readonly variable: Variable; readonly values: readonly (string | null)[] }[];
}

/** Sorts rows and merges those of one time. */
function mergeSorted({ times, n, scalars, texts }: Arrived): { rows: SeriesRows; conflicts: number } {
  const prn = texts.findIndex(({ variable }) => variable === "prn");
  const order = Int32Array.from({ length: n }, (_, i) => i).toSorted((a, b) => times[a]! - times[b]! || a - b);
  const sortedMs = gather(times, order);
  // Start of the rows of each time in `order`.
  const starts = Int32Array.from(order.keys()).filter((i) => sortedMs[i - 1] !== sortedMs[i]);
  let conflicts = 0;
  const onConflict = (): void => void conflicts++;
  const rowsAt = (from: number, k: number): RowsOfTime => ({ order, from, to: starts[k + 1] ?? n, onConflict });
  const columns: Partial<Record<Variable, Column>> = {};
  for (const { variable, values } of scalars) {
    const merged = Float64Array.from(starts, (start, k) => mergeNumbers(values, rowsAt(start, k)));
    columns[variable] = { kind: "scalar", values: merged, present: null };
  }
  const merging = texts.map(({ values }) => ({ values, merged: [] as (string | null)[] }));
  if (texts.length > 0) starts.forEach((start, k) => mergeTexts(merging, merging[prn]?.values, rowsAt(start, k)));
  texts.forEach(({ variable }, c) => {
    columns[variable] = { kind: "text", values: merging[c]?.merged ?? [], present: null };
  });
  const timesMs = gather(sortedMs, starts);
  return { rows: { timesMs, columns }, conflicts };
}

/** Collects the arriving rows of one bucket, in any order. */
export function createRowBuilder(variables: readonly Variable[]) {
  const scalars = variables
    .filter((v) => variableKind(v) === "scalar")
    .map((variable) => ({ variable, values: new Float64Array(0) }));
  const texts = variables
    .filter((v) => variableKind(v) === "satellite")
    .map((variable) => ({ variable, values: [] as (string | null)[] }));
  let times = new Float64Array(0);
  let n = 0;
  let ascending = true;

  const reserve = (more: number): void => {
    if (n + more <= times.length) return;
    const capacity = Math.max(INITIAL_CAPACITY, times.length * 2, n + more);
    times = grown(times, capacity);
    for (const column of scalars) column.values = grown(column.values, capacity);
  };

  const inOrder = (): SeriesRows => {
    const columns: Partial<Record<Variable, Column>> = {};
    for (const { variable, values } of scalars)
      columns[variable] = { kind: "scalar", values: values.subarray(0, n), present: null };
    for (const { variable, values } of texts) columns[variable] = { kind: "text", values, present: null };
    return { timesMs: times.subarray(0, n), columns };
  };

  return {
    /** Appends rows `from` to `to` (exclusive) of the block; a variable that the block lacks has no values. */
    append(block: ReceivedRows, from: number, to: number): void {
      const count = to - from;
      reserve(count);
      let before = n > 0 ? times[n - 1]! : -Infinity;
      for (let i = from; i < to && ascending; i++) {
        const timeMs = block.timesMs[i]!;
        if (timeMs <= before) ascending = false;
        before = timeMs;
      }
      times.set(block.timesMs.subarray(from, to), n);
      for (const { variable, values } of scalars) {
        const arrived = block.scalars[variable];
        if (arrived) values.set(arrived.subarray(from, to), n);
        else values.fill(Number.NaN, n, n + count);
      }
      for (const { variable, values } of texts) {
        const arrived = block.texts[variable];
        for (let i = from; i < to; i++) values.push(arrived?.[i] ?? null);
      }
      n += count;
    },
    /**
     * Returns the rows and starts again with none. Times are strictly ascending: of several rows with the same time, each
     * variable has its last value. The arrays belong to the builder; the next `append` overwrites them.
     */
    take(): { readonly rows: SeriesRows; readonly conflicts: number } {
      const taken = ascending ? { rows: inOrder(), conflicts: 0 } : mergeSorted({ times, n, scalars, texts });
      n = 0;
      ascending = true;
      for (const column of texts) column.values = [];
      return taken;
    },
  };
}

export type RowBuilder = ReturnType<typeof createRowBuilder>;
