import type { SeriesFileSource } from "#formats/source.ts";
import { type Column, hasValue, type SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";

/** Yields the rows in which a variable has a value. */
export function* rowsWithValues(blocks: Iterable<SeriesRows>): IterableIterator<SeriesRows> {
  for (const rows of blocks) {
    const kept = withValues(rows);
    if (kept.timesMs.length > 0) yield kept;
  }
}

/** Returns only some variables, and the rows in which one of them has a value. */
export function onlyVariables(source: SeriesFileSource, variables: readonly Variable[]): SeriesFileSource {
  const { times, ...rest } = source;
  return {
    ...rest,
    ...(times ? { timesAround: times } : {}),
    variables,
    *blocks(station) {
      for (const { timesMs, columns } of source.blocks(station)) {
        const own = Object.fromEntries(variables.flatMap((v) => (columns[v] ? [[v, columns[v]]] : [])));
        yield* rowsWithValues([{ timesMs, columns: own }]);
      }
    },
  };
}

function withValues(rows: SeriesRows): SeriesRows {
  const n = rows.timesMs.length;
  const columns = Object.entries(rows.columns) as [Variable, Column][];
  if (columns.some(([, { kind, values }]) => kind === "scalar" && !values.some(Number.isNaN))) return rows;
  const kept = new Uint32Array(n);
  let count = 0;
  for (let row = 0; row < n; row++) if (columns.some(([, column]) => hasValue(column, row))) kept[count++] = row;
  if (count === n) return rows;
  const places = kept.subarray(0, count);
  return {
    timesMs: Float64Array.from(places, valueReader(rows.timesMs)),
    columns: Object.fromEntries(columns.map(([variable, column]) => [variable, gatherRows(column, places)])),
  };
}

function gatherRows(column: Column, places: Uint32Array): Column {
  const present = column.present === null ? null : Uint8Array.from(places, valueReader(column.present));
  return column.kind === "scalar"
    ? { kind: "scalar", values: Float64Array.from(places, valueReader(column.values)), present }
    : { kind: "text", values: Array.from(places, valueReader(column.values)), present };
}

function valueReader<T>(values: ArrayLike<T>): (row: number) => T {
  return (row) => values[row]!;
}
