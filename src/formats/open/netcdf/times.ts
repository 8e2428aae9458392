import type { Cell } from "#shared/series/cell.ts";
import type { AxisSlice, NetcdfFile, NetcdfVariable } from "../../netcdf/read.ts";
import { listed, type Notes, quotedName } from "../notes.ts";
import { isNumeric, numbersAt, numbersOf, ownName, packingOf, textAttribute, unpackNumbers } from "./attributes.ts";
import { recordsIn } from "./partTimes.ts";
import { countedFrom, type Structure } from "./structure.ts";
import type { NamedFile } from "../meaning/named.ts";
import { type Counting, momentMs, readTimeUnits } from "../time/cf.ts";
import { momentOf } from "../time/moment.ts";
import { END, isZoneName, timeName } from "../time/names.ts";
import {
  GPS,
  HAS_OFFSET,
  type NamedScale,
  offsetIn,
  scaleInHeading,
  scaleInUnits,
  scalesOfStart,
} from "../time/scale.ts";
import { distinctScales, scaleInComment, scaleStated } from "../time/stated.ts";
import { unitOfTimeMs } from "../time/units.ts";

export interface TimeVariable {
  readonly variable: NetcdfVariable;
  /** Without the dimension of characters. */
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  /** The interval around each time, by the bounds of the variable (CF-1.8, section 7.1); null without. */
  readonly interval: Cell | null;
  /** Returns integer UTC milliseconds, NaN if missing; flat, last axis fastest. */
  read(slices: readonly AxisSlice[]): Float64Array<ArrayBuffer>;
}

/** Single-precision numbers above this value cannot represent all integers. */
const MAX_SINGLE_INTEGER = 2 ** 24;

export function timeVariables(structure: Structure, notes: Notes, named: Pick<NamedFile, "scaleOf">): TimeVariable[] {
  const { file, times, partTimes } = structure;
  const conversion: Conversion = (variable, said) => {
    const name = ownName(variable);
    const { scale, by } = named.scaleOf(name, said);
    if (scale.name !== "UTC")
      notes.add(`The time ${quotedName(name)} is converted to UTC from ${scale.name}, by ${by}.`);
    return scale.toUtc;
  };
  const single = times.flatMap((variable) => {
    if (!isNumeric(variable)) return [textTimes(file, variable, conversion)];
    const found = unitsOf(structure, variable);
    if (typeof found === "string") {
      notes.add(`The time ${quotedName(variable.name)} ${found}: what depends on it is not shown.`);
      return [];
    }
    const toUtc = conversion(variable, scalesOf(file, [variable]));
    const packing = packingOf(variable);
    const { dimensions, shape } = variable;
    const interval = intervalOf(structure, variable, found);
    const read = (slices: readonly AxisSlice[]): Float64Array<ArrayBuffer> => {
      const values = unpackNumbers(file.read(variable.name, slices), packing);
      const isSingle = variable.type === "float";
      for (let i = 0; i < values.length; i++) {
        const value = values[i]!;
        if (isSingle && Math.abs(value) > MAX_SINGLE_INTEGER)
          notes.add(`The time ${quotedName(variable.name)} is stored in single precision: its epochs are inexact.`);
        values[i] = toUtc(momentMs(value, found));
      }
      return values;
    };
    return [{ variable, dimensions, shape, interval, read }];
  });
  const joined = partTimes.flatMap(({ dimension, steps, variables, time, isGpsWeek }): TimeVariable[] => {
    const [variable] = variables;
    if (!variable) return [];
    const toUtc = conversion(variable, scalesOf(file, variables, isGpsWeek));
    notes.add(`Times are read from ${listed(variables.map(ownName))}.`);
    const read = ([slice = [0, steps]]: readonly AxisSlice[]) =>
      Float64Array.from(recordsIn(file, variables, slice), (record) => toUtc(time(record)));
    return [{ variable, dimensions: [dimension], shape: [steps], interval: null, read }];
  });
  return [...single, ...joined];
}

/** Converts a time to UTC by what is said about its scale, or chosen. */
type Conversion = (variable: NetcdfVariable, said: readonly NamedScale[]) => (ms: number) => number;

function unitsOf({ file, resolve }: Structure, variable: NetcdfVariable): Counting | string {
  const units = textAttribute(variable, "units") ?? "";
  const found = readTimeUnits(units, textAttribute(variable, "calendar"));
  const start = typeof found === "string" ? countedFrom(variable) : null;
  const unitMs = unitOfTimeMs(units.replace(/ since .*/, ""));
  if (start === null || unitMs === null) return found;
  const base = resolve(start, variable);
  const ofBase = base && readTimeUnits(textAttribute(base, "units") ?? "", null);
  if (base && isNumeric(base) && base.shape.length === 0 && ofBase !== null && typeof ofBase !== "string")
    return { unitMs, referenceMs: momentMs(numbersAt(file, base, [])[0] ?? Number.NaN, ofBase) };
  // SuomiNet, by netCDF-Java's reader of it: year, day of year, hours, minutes and seconds.
  const date = textAttribute(file, "start_date") ?? "";
  const referenceMs = momentOf(date.replace(/^(\d{4})\.(\d{3})\.(\d\d)\.(\d\d)\.(\d\d)$/, "$1-$2T$3:$4:$5Z"));
  return Number.isNaN(referenceMs) ? found : { unitMs, referenceMs };
}

/** Attributes of a time, except those of CF with other meanings, and those of a file that state the scale of its times, or describe it. */
const OF_TIME = /^(?!units$|calendar$|axis$|standard_name$|bounds$|coordinates$|cell_methods$|ancillary_variables$|_)/;
const STATES_SCALE = /^(time_?(system|scale|reference|standard)|reference_time_system)$/;
const DESCRIBES = /^((time_)?comments?|title|notes?|summary|description)$/;

function statedBy({ attributes }: Pick<NetcdfVariable, "attributes">, names: RegExp, of = ""): NamedScale[] {
  return Object.keys(attributes).flatMap((name) => {
    const by = `${of}${name}`;
    const text = textAttribute({ attributes }, name) ?? "";
    if (names === DESCRIBES) return names.test(name) ? scaleInComment(text, by) : [];
    const offset = isZoneName(name) ? offsetIn(text || String(numbersOf({ attributes }, name)[0])) : null;
    if (offset) return [{ scale: offset, text: offset.name, by }];
    if (!names.test(name) && !isZoneName(name)) return [];
    const stated = scaleStated(text, by, true);
    return stated.length > 0 ? stated : scaleInComment(text, by);
  });
}

function scalesOf(file: NetcdfFile, variables: readonly NetcdfVariable[], isGpsWeek = false): NamedScale[] {
  const own = variables.flatMap((variable) => [
    ...scaleInHeading(ownName(variable)),
    ...statedBy(variable, OF_TIME),
    ...scaleInUnits(textAttribute(variable, "units") ?? ""),
  ]);
  own.push(...statedBy(file, STATES_SCALE, "the file's "));
  if (isGpsWeek) own.push({ scale: GPS, text: "GPS", by: "its GPS weeks" });
  if (own.length === 0)
    own.push(...variables.flatMap((variable) => scalesOfStart(textAttribute(variable, "units") ?? "")));
  return distinctScales(own.length > 0 ? own : statedBy(file, DESCRIBES, "the file's "));
}

/** Bounds are computed in floating point. */
const MAX_SHARE_ERROR = 0.01;

/** Beyond this number of steps, whose bounds take a megabyte, only the first and the last one are compared. */
const MOST_COMPARED = 65_536;

/** The intervals of a time axis, by their bounds; null if they differ, as days of a time zone do. */
function intervalOf({ file, resolve }: Structure, time: NetcdfVariable, units: Counting): Cell | null {
  const bounds = resolve(textAttribute(time, "bounds") ?? "", time);
  const steps = time.shape[0] ?? 0;
  const isAxis = time.dimensions.length === 1 && steps > 0;
  if (!isAxis || !bounds || !isNumeric(bounds) || bounds.shape.length !== 2 || bounds.shape[1] !== 2) return null;
  // Bounds may have units of their own.
  const own = readTimeUnits(textAttribute(bounds, "units") ?? "", textAttribute(time, "calendar"));
  const ofBounds = typeof own === "string" ? units : own;
  const cellsOf = (from: number, to: number): (Cell | null)[] => {
    const times = numbersAt(file, time, [[from, to]]).map((value) => momentMs(value, units));
    const ends = numbersAt(file, bounds, [
      [from, to],
      [0, 2],
    ]).map((value) => momentMs(value, ofBounds));
    return Array.from(times, (at, i) => {
      const [low = Number.NaN, high = Number.NaN] = ends.subarray(2 * i, 2 * i + 2);
      const share = (at - low) / (high - low);
      const place = PLACES.find((each) => Math.abs(each.share - share) < MAX_SHARE_ERROR);
      return place ? { kind: "interval", lengthMs: high - low, time: place.time } : null;
    });
  };
  const cells = steps <= MOST_COMPARED ? cellsOf(0, steps) : [...cellsOf(0, 1), ...cellsOf(steps - 1, steps)];
  const [first = null] = cells;
  return cells.every((cell) => JSON.stringify(cell) === JSON.stringify(first)) ? first : null;
}

const PLACES = [
  { share: 0, time: "start" },
  { share: 0.5, time: "middle" },
  { share: 1, time: "end" },
] as const;

function textTimes(file: NetcdfFile, variable: NetcdfVariable, conversion: Conversion): TimeVariable {
  const axes = variable.type === "char" ? variable.dimensions.length - 1 : variable.dimensions.length;
  const characters = variable.shape.slice(axes).map((size): AxisSlice => [0, size]);
  const textsIn = (slices: readonly AxisSlice[]): string[] =>
    (file.read(variable.name, [...slices, ...characters]) as string[]).map((text) => text.trim());
  const isEmpty = variable.shape.slice(0, axes).includes(0);
  const first = isEmpty ? [] : textsIn(variable.shape.slice(0, axes).map((): AxisSlice => [0, 1]));
  const isInUtc = first.every((text) => HAS_OFFSET.test(text));
  const toUtc = isInUtc ? (ms: number) => ms : conversion(variable, scalesOf(file, [variable]));
  return {
    variable,
    dimensions: variable.dimensions.slice(0, axes),
    shape: variable.shape.slice(0, axes),
    interval: null,
    read: (slices) =>
      Float64Array.from(textsIn(slices), (text) => (HAS_OFFSET.test(text) ? momentOf(text) : toUtc(momentOf(text)))),
  };
}

/**
 * Returns the time of a variable: one that its `coordinates` name, else the coordinate variable of one of its dimensions,
 * else any time with dimensions of the variable, else null.
 */
export function timeOfVariable(structure: Structure, times: readonly TimeVariable[], of: NetcdfVariable) {
  const named = new Set(
    (textAttribute(of, "coordinates") ?? "").split(/\s+/).map((name) => structure.resolve(name, of)?.name ?? ""),
  );
  const rank = (time: TimeVariable): number => {
    const { variable, dimensions } = time;
    if (!dimensions.every((d) => of.dimensions.includes(d))) return 0;
    if (textAttribute(variable, "standard_name") === "forecast_reference_time") return 1;
    const isCoordinate = dimensions.length === 1 && dimensions[0] === variable.name;
    const isPlain = textAttribute(variable, "standard_name") === "time" || /^time$/i.test(ownName(variable));
    // A scalar time counts only if named as such: it may be the time of a forecast or of the file's creation.
    if (dimensions.length === 0 && !isPlain && !named.has(variable.name)) return 0;
    return (
      2 +
      (isPlain ? 1 : 0) +
      (dimensions.length > 0 ? 4 : 0) +
      (isCoordinate ? 8 : 0) +
      (named.has(variable.name) ? 16 : 0) -
      // An interval is named by its start.
      (END.test(timeName(ownName(variable))) ? 1 : 0)
    );
  };
  return times.reduce<TimeVariable | null>((best, time) => (rank(time) > (best ? rank(best) : 0) ? time : best), null);
}
