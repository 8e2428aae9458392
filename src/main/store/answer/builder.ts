import type { ArrivedRows, Column, SeriesRows } from "#shared/series/rows.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { type Conflicts, mergedNumber, mergeTexts } from "./copies.ts";

/** Collects arriving rows of one bucket. Rows may come in any order; `take` sorts them and starts anew. */
export interface RowBuilder {
  /** Rows `from` to `to` (exclusive) of the block; a variable that the block lacks has no values. */
  append(block: ArrivedRows, from: number, to: number): void;
  /**
   * Times strictly ascending; of rows with the same time each variable has the last value that came (copies.ts). The
   * arrays belong to the builder and are written over by the next `append`.
   */
  take(): { readonly rows: SeriesRows; readonly conflicts: number };
}

const FIRST_CAPACITY = 256;

export function rowBuilder(variables: readonly Variable[]): RowBuilder {
  const scalars = variables.filter((v) => variableKind(v) === "scalar");
  const texts = variables.filter((v) => variableKind(v) === "satellite");
  let times = new Float64Array(0);
  let numbers: Float64Array[] = scalars.map(() => new Float64Array(0));
  let lists: (string | null)[][] = texts.map(() => []);
  let n = 0;
  let ascending = true;

  const reserve = (more: number): void => {
    if (n + more <= times.length) return;
    const capacity = Math.max(FIRST_CAPACITY, times.length * 2, n + more);
    times = grown(times, capacity);
    numbers = numbers.map((array) => grown(array, capacity));
  };

  const sorted = (): { rows: SeriesRows; conflicts: number } => {
    const order = Int32Array.from({ length: n }, (_, i) => i).toSorted((a, b) => times[a]! - times[b]! || a - b);
    // Where the copies of each time begin in `order`.
    const starts = Int32Array.from(order.keys()).filter((i) => i === 0 || times[order[i - 1]!] !== times[order[i]!]);
    const end = (k: number): number => starts[k + 1] ?? n;
    const conflicts: Conflicts = { count: 0 };
    const columns: Partial<Record<Variable, Column>> = {};
    scalars.forEach((variable, c) => {
      const values = Float64Array.from(starts, (_, k) =>
        mergedNumber(numbers[c]!, order, starts[k]!, end(k), conflicts),
      );
      columns[variable] = { kind: "scalar", values, present: null };
    });
    const merged = texts.map((): (string | null)[] => []);
    if (texts.length > 0)
      starts.forEach((start, k) => {
        mergeTexts(lists, texts.indexOf("prn"), order, start, end(k), merged, conflicts);
      });
    texts.forEach((variable, c) => {
      columns[variable] = { kind: "text", values: merged[c]!, present: null };
    });
    const timesMs = Float64Array.from(starts, (start) => times[order[start]!]!);
    return { rows: { timesMs, columns }, conflicts: conflicts.count };
  };

  const inOrder = (): SeriesRows => {
    const columns: Partial<Record<Variable, Column>> = {};
    scalars.forEach((variable, c) => {
      columns[variable] = { kind: "scalar", values: numbers[c]!.subarray(0, n), present: null };
    });
    texts.forEach((variable, c) => {
      columns[variable] = { kind: "text", values: lists[c]!, present: null };
    });
    return { timesMs: times.subarray(0, n), columns };
  };

  return {
    append(block, from, to) {
      const count = to - from;
      reserve(count);
      let before = n > 0 ? times[n - 1]! : -Infinity;
      for (let i = from; i < to && ascending; i++) {
        if (block.timesMs[i]! <= before) ascending = false;
        before = block.timesMs[i]!;
      }
      times.set(block.timesMs.subarray(from, to), n);
      scalars.forEach((variable, c) => {
        const values = block.scalars[variable];
        if (values) numbers[c]!.set(values.subarray(from, to), n);
        else numbers[c]!.fill(Number.NaN, n, n + count);
      });
      texts.forEach((variable, c) => {
        const values = block.texts[variable];
        for (let i = from; i < to; i++) lists[c]!.push(values?.[i] ?? null);
      });
      n += count;
    },
    take() {
      const taken = ascending ? { rows: inOrder(), conflicts: 0 } : sorted();
      n = 0;
      ascending = true;
      lists = texts.map(() => []);
      return taken;
    },
  };
}

function grown(array: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(capacity);
  larger.set(array);
  return larger;
}
