import type { ArrivedRows, Column, SeriesRows } from "#shared/series/rows.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";

/** Collects arriving rows of one bucket. Rows may come in any order; `take` sorts them and starts anew. */
export interface RowBuilder {
  /** Rows `from` to `to` (exclusive) of the block; a variable that the block lacks has no values. */
  append(block: ArrivedRows, from: number, to: number): void;
  /**
   * Times strictly ascending; of rows with the same time the last one that came. The arrays belong to the builder and
   * are written over by the next `append`.
   */
  take(): { readonly rows: SeriesRows; readonly duplicates: number };
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

  const sorted = (): { rows: SeriesRows; duplicates: number } => {
    const order = Int32Array.from({ length: n }, (_, i) => i).toSorted((a, b) => times[a]! - times[b]! || a - b);
    const kept = order.filter((row, i) => i === n - 1 || times[order[i + 1]!] !== times[row]);
    const columns: Partial<Record<Variable, Column>> = {};
    scalars.forEach((variable, c) => {
      const values = Float64Array.from(kept, (row) => numbers[c]![row]!);
      columns[variable] = { kind: "scalar", values, present: null };
    });
    texts.forEach((variable, c) => {
      columns[variable] = { kind: "text", values: Array.from(kept, (row) => lists[c]![row]!), present: null };
    });
    return { rows: { timesMs: Float64Array.from(kept, (row) => times[row]!), columns }, duplicates: n - kept.length };
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
      const taken = ascending ? { rows: inOrder(), duplicates: 0 } : sorted();
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
