import type { Variable } from "#shared/service/variables.ts";
import { variableKind } from "#shared/service/variables.ts";

/** One column of rows: numbers (NaN: no value) or texts (null: no value). */
export type RowColumn =
  | { readonly kind: "scalar"; readonly values: Float64Array }
  | { readonly kind: "text"; readonly values: (string | null)[] };

/** Rows of one station in time order, one column per variable of the query. Reused between blocks: copy what must stay. */
export interface RowBlock {
  count: number;
  readonly timesMs: Float64Array;
  readonly columns: readonly RowColumn[];
}

export function emptyRows(variables: readonly Variable[], capacity: number): RowBlock {
  return {
    count: 0,
    timesMs: new Float64Array(capacity),
    columns: variables.map((name) =>
      variableKind(name) === "scalar"
        ? { kind: "scalar", values: new Float64Array(capacity) }
        : { kind: "text", values: Array.from({ length: capacity }, () => null) },
    ),
  };
}
