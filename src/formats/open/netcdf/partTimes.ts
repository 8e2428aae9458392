import type { AxisSlice, NetcdfFile, NetcdfVariable } from "../../netcdf/read.ts";
import { SAMPLE_ROWS } from "../table/lines.ts";
import { clean, isNumeric, ownName, packingOf, unpackNumbers } from "./attributes.ts";
import { timeColumns } from "../time/columns.ts";
import { isTimeName } from "../time/names.ts";
import { timeReader } from "../time/reader.ts";

/**
 * Finds the variables that tell the times of dimensions without a time, as the columns of a table do: year, day of year
 * and second of the day, or a Julian date.
 */
export function partTimesOf(file: NetcdfFile, times: readonly NetcdfVariable[]) {
  const timed = new Set(times.flatMap(({ dimensions }) => dimensions));
  const dimensions = new Set(file.variables.flatMap((variable) => variable.dimensions));
  return [...dimensions].flatMap((dimension) => {
    const all = timed.has(dimension) ? [] : file.variables.filter((variable) => isColumn(variable, dimension));
    const [steps = 0] = all[0]?.shape ?? [];
    // Nothing is read for dimensions of stations or heights: damage there costs no more than one variable.
    if (steps === 0 || !all.some((variable) => isTimeName(ownName(variable)))) return [];
    const table = { names: all.map(ownName), rows: recordsIn(file, all, [0, Math.min(steps, SAMPLE_ROWS)]) };
    const columns = timeColumns(table);
    if (!columns) return [];
    const used = [...columns.values()];
    const pick = <T>(row: readonly T[]): T[] => used.flatMap((at) => row[at] ?? []);
    // The records that are read have the used columns alone.
    const roles = new Map([...columns.keys()].map((role, at) => [role, at]));
    const time = timeReader(roles, { names: pick(table.names), rows: table.rows.map(pick) });
    const variables = pick(all);
    return time ? [{ dimension, steps, variables, time, isGpsWeek: columns.has("gpsWeek") }] : [];
  });
}

/** Whether a variable has one value, or one text, per step of a dimension, or a single one (null). */
export function isColumn({ dimensions, type }: NetcdfVariable, dimension: string | null): boolean {
  const own = type === "char" ? dimensions.slice(0, -1) : dimensions;
  return type !== "other" && own.length === (dimension === null ? 0 : 1) && (own[0] ?? null) === dimension;
}

/** The values of variables along one dimension as records of texts; empty if missing. */
export function recordsIn(file: NetcdfFile, variables: readonly NetcdfVariable[], slice: AxisSlice): string[][] {
  const columns = variables.map((variable) => {
    const data = file.read(variable.name, [slice, ...variable.shape.slice(1).map((n): AxisSlice => [0, n])]);
    if (!isNumeric(variable)) return (data as string[]).map(clean);
    return Array.from(unpackNumbers(data, packingOf(variable)), (value) => (Number.isNaN(value) ? "" : String(value)));
  });
  return Array.from({ length: slice[1] - slice[0] }, (_, i) => columns.map((column) => column[i] ?? ""));
}
