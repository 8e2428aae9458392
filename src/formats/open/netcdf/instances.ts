import { type Position, type Surface, surfaceNamed } from "#shared/station/position.ts";
import type { AxisSlice, NetcdfVariable } from "../../netcdf/read.ts";
import { clean, isNumeric, numbersAt, ownName, packingOf, textAttribute, unpackNumbers } from "./attributes.ts";
import { metresIn, positionOf } from "../sites.ts";
import { placeNamed, signOfDegrees, stationNamed, surfaceOfName } from "../meaning/stations.ts";
import { isColumn } from "./partTimes.ts";
import { angleOf, type Structure } from "./structure.ts";

export interface Instance {
  /** null if the file has no name. */
  readonly label: string | null;
  readonly stationId: string | null;
  readonly satellite: string | null;
  readonly position: Position | null;
  /** Angles known from this dimension alone: a grid has a dimension for each angle. Degrees. */
  readonly angles: Readonly<Record<"latitudeDeg" | "longitudeDeg", number | null>>;
}

const MAX_CHARACTERS = 300;

/** Returns at most `max` instances along a dimension; for null, the single one described by scalar variables. */
export function instancesOf(structure: Structure, dimension: string | null, max: number): readonly Instance[] {
  const about = structure.file.variables.filter((v) => isColumn(v, dimension));
  const texts = (v: NetcdfVariable | undefined): readonly (string | null)[] => (v ? textValues(structure, v, max) : []);
  const role = about.find((v) => textAttribute(v, "cf_role") !== null);
  const id = about.find((v) => stationNamed(ownName(v)) === "id");
  const ids = texts(id);
  const roles = texts(role);
  const isPair = role !== undefined && /pair/i.test(ownName(role));
  const named = about.filter((v) => !isNumeric(v) && v !== role && v !== id);
  const names = texts(
    named.find(
      (v) =>
        stationNamed(ownName(v)) === "name" ||
        /^(platform_name|station_name)$/.test(textAttribute(v, "standard_name") ?? ""),
    ) ??
      named.find((v) => stationNamed(ownName(v)) !== null) ??
      about.find((v) => v !== role && v !== id && v.name !== dimension && stationNamed(ownName(v)) !== null),
  );
  const satellites = texts(about.find((v) => !isNumeric(v) && /^(prn|satellite|sat|sv)(_?id)?$/i.test(ownName(v))));
  const coordinate = about.find((v) => v.name === dimension);
  const steps = texts(coordinate).map((text) =>
    text !== null && coordinate && isNumeric(coordinate) ? `${ownName(coordinate)} ${text}` : text,
  );
  const positionAt = positionsOf(structure, about, max);
  const count = dimension === null ? 1 : dimensionSize(structure, dimension);
  return Array.from({ length: Math.min(count, max) }, (_, i) => {
    const stationId = ids[i] ?? (isPair ? null : roles[i]) ?? null;
    const name = names[i] ?? stationId ?? roles[i] ?? steps[i] ?? null;
    const satellite = satellites[i] ?? null;
    const label =
      satellite === null || name?.includes(satellite) ? name : name === null ? satellite : `${name} ${satellite}`;
    return { label, stationId, satellite, ...positionAt(i) };
  });
}

export function dimensionSize({ file }: Structure, dimension: string): number {
  for (const { dimensions, shape } of file.variables) {
    const size = shape[dimensions.indexOf(dimension)];
    if (size !== undefined) return size;
  }
  return file.dimensions.find((d) => d.name === dimension)?.size ?? 0;
}

function textValues({ file }: Structure, variable: NetcdfVariable, max: number): (string | null)[] {
  const data = file.read(variable.name, firstSlices(variable, max));
  if (!isNumeric(variable)) return (data as string[]).map((text) => clean(text).slice(0, MAX_CHARACTERS) || null);
  return [...unpackNumbers(data, packingOf(variable))].map((value) => (Number.isNaN(value) ? null : String(value)));
}

/** Selects the first instances, and limits the length of texts. */
function firstSlices({ shape, type }: NetcdfVariable, max: number): AxisSlice[] {
  const axes = type === "char" ? shape.length - 1 : shape.length;
  return shape.map((size, axis) => [0, Math.min(size, axis < axes ? max : MAX_CHARACTERS)]);
}

type Positions = (instance: number) => Pick<Instance, "position" | "angles">;

function positionsOf(structure: Structure, about: readonly NetcdfVariable[], max: number): Positions {
  const read = (v: NetcdfVariable | undefined): Float64Array =>
    v ? numbersAt(structure.file, v, firstSlices(v, max)) : new Float64Array(0);
  const numeric = about.filter(isNumeric);
  const degrees = (angle: "latitude" | "longitude"): Float64Array => {
    const found = numeric.find((v) => angleOf(v) === angle);
    const sign = signOfDegrees((found && textAttribute(found, "units")) ?? "") ?? 1;
    return read(found).map((value) => sign * value);
  };
  const [latitudes, longitudes] = [degrees("latitude"), degrees("longitude")];
  const heights = numeric.flatMap((v) => {
    const above = surfaceOf(v);
    return above === null ? [] : [{ values: read(v), above, factor: metresIn(textAttribute(v, "units") ?? "") }];
  });
  return (i) => {
    const angles = { latitudeDeg: angleWithin(latitudes[i], 90), longitudeDeg: angleWithin(longitudes[i], 360) };
    const metres: Partial<Record<Surface, number>> = {};
    for (const { values, factor, above } of heights) {
      const value = (values[i] ?? Number.NaN) * factor;
      if (!Number.isNaN(value)) metres[above] ??= value;
    }
    return { position: positionOf({ ...angles, heights: metres }), angles };
  };
}

function angleWithin(angle: number | undefined, max: number): number | null {
  return angle !== undefined && Math.abs(angle) <= max ? angle : null;
}

/** Returns what the values of a height variable are above; null for other variables, and for heights above the ground. */
function surfaceOf(variable: NetcdfVariable): Surface | null {
  const stated = textAttribute(variable, "height_vertical_reference");
  if (stated !== null) return surfaceNamed(stated);
  const standardName = textAttribute(variable, "standard_name");
  if (standardName !== null) return SURFACES.get(standardName) ?? null;
  if (placeNamed(ownName(variable)) === "height") return surfaceOfName(ownName(variable));
  return /^z$/i.test(ownName(variable)) ? "unknown" : null;
}

/** Standard names of heights of CF; others are above the ground. */
const SURFACES: ReadonlyMap<string, Surface> = new Map([
  ["height_above_reference_ellipsoid", "ellipsoid"],
  ["altitude", "geoid"],
  ["height_above_geopotential_datum", "geoid"],
  ["height_above_mean_sea_level", "geoid"],
  ["surface_altitude", "geoid"],
]);
