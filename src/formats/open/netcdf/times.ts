import { parseUtc } from "#shared/time/utc.ts";
import type { AxisSlice, NetcdfFile, NetcdfVariable } from "../../netcdf/read.ts";
import { type Notes, quoted } from "../notes.ts";
import { textOf } from "./attributes.ts";
import { momentMs, readTimeUnits } from "./cfTime.ts";
import { isNumeric, ownName, type Structure } from "./structure.ts";
import { packingOf, unpack } from "./unpack.ts";

/** A variable of times that can be read. */
export interface TimeVariable {
  readonly variable: NetcdfVariable;
  /** Names of its dimensions; characters of texts do not count. */
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  /** Whole UTC milliseconds, NaN where there is no time; flat, last axis fastest. */
  read(slices: readonly AxisSlice[]): Float64Array<ArrayBuffer>;
}

/** Beyond these many units of a single-precision time, whole units can no longer be told apart. */
const SINGLE_DIGITS = 2 ** 24;

/** The readable ones among the times of a file; a sentence for each other one. */
export function timesOf({ file, times }: Structure, notes: Notes): TimeVariable[] {
  return times.flatMap((variable) => {
    if (!isNumeric(variable)) return [textTimes(file, variable)];
    const found = readTimeUnits(textOf(variable, "units") ?? "", textOf(variable, "calendar"));
    if (found.kind === "unreadable") {
      notes.add(`The time ${quoted(variable.name)} ${found.sentence}: what depends on it is not shown.`);
      return [];
    }
    const { unitMs, referenceMs } = found;
    const packing = packingOf(variable);
    const { dimensions, shape } = variable;
    const read = (slices: readonly AxisSlice[]): Float64Array<ArrayBuffer> => {
      const told = unpack(file.read(variable.name, slices), packing);
      for (let i = 0; i < told.length; i++) {
        if (variable.type === "float" && Math.abs(told[i]!) > SINGLE_DIGITS)
          notes.add(`The time ${quoted(variable.name)} is stored in single precision: its epochs are inexact.`);
        told[i] = momentMs(told[i]!, unitMs, referenceMs);
      }
      return told;
    };
    return [{ variable, dimensions, shape, read }];
  });
}

function textTimes(file: NetcdfFile, variable: NetcdfVariable): TimeVariable {
  const axes = variable.type === "char" ? variable.dimensions.length - 1 : variable.dimensions.length;
  const characters = variable.shape.slice(axes).map((size): AxisSlice => [0, size]);
  return {
    variable,
    dimensions: variable.dimensions.slice(0, axes),
    shape: variable.shape.slice(0, axes),
    read: (slices) =>
      Float64Array.from(
        file.read(variable.name, [...slices, ...characters]) as string[],
        (text) => parseUtc(text.trim()) ?? Number.NaN,
      ),
  };
}

/**
 * The time of a variable: one that it names in its `coordinates`, else the coordinate variable of one of its
 * dimensions, else any whose dimensions it has. null where there is none.
 */
export function timeOf(structure: Structure, times: readonly TimeVariable[], of: NetcdfVariable): TimeVariable | null {
  const named = new Set(
    (textOf(of, "coordinates") ?? "").split(/\s+/).map((name) => structure.resolve(name, of)?.name ?? ""),
  );
  const rank = (time: TimeVariable): number => {
    const { variable, dimensions } = time;
    if (!dimensions.every((d) => of.dimensions.includes(d))) return 0;
    if (textOf(variable, "standard_name") === "forecast_reference_time") return 1;
    const isCoordinate = dimensions.length === 1 && dimensions[0] === variable.name;
    const isPlain = textOf(variable, "standard_name") === "time" || /^time$/i.test(ownName(variable));
    // A moment for all is one only where that is said: it may be that of a forecast, or of the making of the file.
    if (dimensions.length === 0 && !isPlain && !named.has(variable.name)) return 0;
    return (
      2 +
      (isPlain ? 1 : 0) +
      (dimensions.length > 0 ? 4 : 0) +
      (isCoordinate ? 8 : 0) +
      (named.has(variable.name) ? 16 : 0)
    );
  };
  return times.reduce<TimeVariable | null>((best, time) => (rank(time) > (best ? rank(best) : 0) ? time : best), null);
}
