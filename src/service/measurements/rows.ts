import { type SatelliteVariable, type ScalarVariable, type Variable, variableInfo } from "#shared/service/variables.ts";
import type { TimeSeriesQuery } from "#shared/service/query.ts";
import type { WorldStation } from "../world/types.ts";

/** One column of rows: numbers (NaN: no value) or texts (null: no value). */
export type RowColumn =
  | { readonly kind: "scalar"; readonly variable: ScalarVariable; readonly values: Float64Array }
  | { readonly kind: "text"; readonly variable: SatelliteVariable; readonly values: (string | null)[] };

/** Rows of one station in time order, one column per variable of the query. Reused between blocks: copy what is needed later. */
export interface RowBlock {
  count: number;
  readonly timesMs: Float64Array;
  readonly columns: readonly RowColumn[];
}

export function emptyRows(variables: readonly Variable[], capacity: number): RowBlock {
  return {
    count: 0,
    timesMs: new Float64Array(capacity),
    columns: variables.map((name) => {
      const variable = variableInfo(name);
      return variable.kind === "scalar"
        ? { kind: "scalar", variable: variable.name, values: new Float64Array(capacity) }
        : { kind: "text", variable: variable.name, values: Array.from({ length: capacity }, () => null) };
    }),
  };
}

/** A time series query that passed all checks. */
export interface AdmittedQuery {
  readonly query: TimeSeriesQuery;
  readonly stations: readonly WorldStation[];
  /** Its size by section 8. */
  readonly points: number;
  /** `performance.now()` when processing began. */
  readonly startedAt: number;
}

/** Each variable once, in the requested order; `prn` is last if it is implied (2.4 rule 3). */
export function answeredVariables(asked: readonly Variable[]): Variable[] {
  const set = new Set(asked);
  if (set.has("snr") || set.has("el") || set.has("az")) set.add("prn");
  return [...set];
}
