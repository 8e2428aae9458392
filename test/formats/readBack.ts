import type { Variable } from "#shared/service/variables.ts";
import type { NetcdfFile } from "#formats/netcdf/read.ts";
import { openNetcdf } from "../support/openNetcdf.ts";
import type { PlainRow, PlainSource } from "./sources.ts";
import { mustSucceed } from "./tools.ts";

export async function opened(path: string): Promise<NetcdfFile> {
  return mustSucceed(await openNetcdf(path));
}

/** The rows of each station in a file of either layout; fill values become null. */
export function rowsOf(file: NetcdfFile, variables: readonly Variable[]): PlainRow[][] {
  const times = Array.from(file.read("time") as Float64Array, (s) => Math.round(s * 1000));
  const columns = variables.map((v) => file.read(v) as Float64Array | string[]);
  const ragged = file.variable("row_size") !== undefined;
  const stations = file.dimensions.find((d) => d.name === "station")!.size;
  const sizes = ragged
    ? [...(file.read("row_size") as Int32Array)]
    : Array.from({ length: stations }, () => times.length);
  let from = 0;
  return sizes.map((size, station) => {
    const first = from;
    const placeOf = (i: number): number => (ragged ? first + i : i * stations + station);
    const rows = Array.from({ length: size }, (_, i) => ({
      timeMs: times[ragged ? first + i : i]!,
      values: Object.fromEntries(variables.map((v, c) => [v, cellOf(file, v, columns[c]![placeOf(i)]!)])),
    }));
    from += size;
    return rows;
  });
}

function cellOf(file: NetcdfFile, variable: Variable, value: number | string): number | string | null {
  if (typeof value === "string") return value === "" ? null : value;
  return value === file.variable(variable)!.attributes["_FillValue"] ? null : value;
}

/**
 * The rows of the file and those of the source, for exact comparison (`toStrictEqual` distinguishes -0 from 0). In a grid,
 * a row without values is the same as a missing row, so both sides omit such rows.
 */
export function bothRows(file: NetcdfFile, plain: PlainSource): { found: unknown; expected: unknown } {
  const ragged = file.variable("row_size") !== undefined;
  const kept = (rows: readonly PlainRow[]): unknown[] =>
    rows
      .map((r) => [r.timeMs, ...plain.variables.map((v) => r.values[v] ?? null)])
      .filter((r) => ragged || r.slice(1).some((c) => c !== null));
  return { found: rowsOf(file, plain.variables).map(kept), expected: plain.rows.map(kept) };
}
