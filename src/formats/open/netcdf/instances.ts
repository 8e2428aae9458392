import type { FilePosition } from "#shared/file/opened.ts";
import type { AxisSlice, NetcdfVariable } from "../../netcdf/read.ts";
import { textOf } from "./attributes.ts";
import { isNumeric, isPosition, ownName, type Structure } from "./structure.ts";
import { packingOf, unpack } from "./unpack.ts";

/** What a series is of: a station, a satellite seen from one, or whatever stands along a dimension. */
export interface Instance {
  /** null where the file has no word for it. */
  readonly label: string | null;
  readonly stationId: string | null;
  readonly satellite: string | null;
  readonly position: FilePosition | null;
  /** What is known of the position along this dimension alone, degrees: a grid has a dimension for each angle. */
  readonly angles: Angles;
}

export interface Angles {
  readonly latitudeDeg: number | null;
  readonly longitudeDeg: number | null;
}

/** Of a name that is shown. */
const MOST_CHARACTERS = 300;

/** The instances along a dimension, at most so many; along none the one that scalar variables tell of. */
export function instancesOf(structure: Structure, dimension: string | null, most: number): readonly Instance[] {
  const about = structure.file.variables.filter((v) => isAbout(v, dimension));
  const texts = (v: NetcdfVariable | undefined): readonly (string | null)[] => (v ? textsOf(structure, v, most) : []);
  const role = about.find((v) => textOf(v, "cf_role") !== null);
  const ids = texts(about.find((v) => /^(station_?id|station_?code|stn_?id|site_?id)$/i.test(ownName(v))));
  const roles = texts(role);
  const isPair = role !== undefined && /pair/i.test(ownName(role));
  const names = texts(
    about.find(
      (v) =>
        !isNumeric(v) &&
        (/^(station_?name|site_?name|station|site|name)$/i.test(ownName(v)) ||
          /^(platform_name|station_name)$/.test(textOf(v, "standard_name") ?? "")),
    ),
  );
  const satellites = texts(about.find((v) => !isNumeric(v) && /^(prn|satellite|sat|sv)(_?id)?$/i.test(ownName(v))));
  const coordinate = about.find((v) => v.name === dimension);
  const steps = texts(coordinate).map((text) =>
    text !== null && coordinate && isNumeric(coordinate) ? `${ownName(coordinate)} ${text}` : text,
  );
  const positionAt = positionsOf(structure, about, most);
  const count = dimension === null ? 1 : sizeOf(structure, dimension);
  return Array.from({ length: Math.min(count, most) }, (_, i) => {
    const stationId = ids[i] ?? (isPair ? null : roles[i]) ?? null;
    const name = names[i] ?? stationId ?? roles[i] ?? steps[i] ?? null;
    const satellite = satellites[i] ?? null;
    const label = satellite !== null && name !== null && !name.includes(satellite) ? `${name} ${satellite}` : name;
    return { label, stationId, satellite, ...positionAt(i) };
  });
}

/** One value for each instance; texts may have one more dimension, for their characters. */
function isAbout({ dimensions, type }: NetcdfVariable, dimension: string | null): boolean {
  const own = type === "char" ? dimensions.slice(0, -1) : dimensions;
  return dimension === null ? own.length === 0 : own.length === 1 && own[0] === dimension;
}

export function sizeOf({ file }: Structure, dimension: string): number {
  for (const { dimensions, shape } of file.variables) {
    const axis = dimensions.indexOf(dimension);
    if (axis >= 0) return shape[axis]!;
  }
  return file.dimensions.find((d) => d.name === dimension)?.size ?? 0;
}

function textsOf({ file }: Structure, variable: NetcdfVariable, most: number): (string | null)[] {
  if (variable.type === "other") return [];
  const data = file.read(variable.name, head(variable, most));
  if (!isNumeric(variable)) return (data as string[]).map((text) => clean(text));
  return [...unpack(data, packingOf(variable))].map((value) => (Number.isNaN(value) ? null : String(value)));
}

/** The first instances; a variable of a single one has no axis of instances to be cut. */
function head({ shape, type }: NetcdfVariable, most: number): AxisSlice[] {
  const axes = type === "char" ? shape.length - 1 : shape.length;
  return shape.map((size, axis) => [0, Math.min(size, axis < axes ? most : MOST_CHARACTERS)]);
}

/** Padding of other languages (spaces, NULs), and what no name has. */
function clean(text: string): string | null {
  return (
    text
      .replaceAll(/\p{Cc}+/gu, " ")
      .trim()
      .slice(0, MOST_CHARACTERS) || null
  );
}

type Positions = (instance: number) => Pick<Instance, "position" | "angles">;

function positionsOf(structure: Structure, about: readonly NetcdfVariable[], most: number): Positions {
  const read = (v: NetcdfVariable | undefined): Float64Array =>
    v ? unpack(structure.file.read(v.name, head(v, most)), packingOf(v)) : new Float64Array(0);
  const numeric = about.filter(isNumeric);
  const latitudes = read(numeric.find((v) => isPosition(v) && isLatitude(v)));
  const longitudes = read(numeric.find((v) => isPosition(v) && !isLatitude(v)));
  const heights = numeric
    .filter((v) => heightReferenceOf(v) !== undefined)
    .map((v) => ({ values: read(v), reference: heightReferenceOf(v) ?? null, factor: heightFactor(v) }));
  return (i) => {
    const angles = { latitudeDeg: within(latitudes[i], 90), longitudeDeg: within(longitudes[i], 360) };
    const place = placeOf(angles);
    if (place === null) return { position: null, angles };
    const told = heights.find(({ values }) => !Number.isNaN(values[i] ?? Number.NaN));
    const height = told ? told.values[i]! * told.factor : null;
    return { position: { ...place, height, heightReference: told?.reference ?? null }, angles };
  };
}

function within(angle: number | undefined, most: number): number | null {
  return angle !== undefined && Math.abs(angle) <= most ? angle : null;
}

/** The place at two angles, east of Greenwich up to 180°; null if one of them is unknown. */
export function placeOf({
  latitudeDeg,
  longitudeDeg,
}: Angles): { readonly latitudeDeg: number; readonly longitudeDeg: number } | null {
  if (latitudeDeg === null || longitudeDeg === null) return null;
  return { latitudeDeg, longitudeDeg: longitudeDeg > 180 ? longitudeDeg - 360 : longitudeDeg };
}

function isLatitude(variable: NetcdfVariable): boolean {
  const units = textOf(variable, "units")?.toLowerCase() ?? "";
  if (/^degrees?_?(north|n)$/.test(units)) return true;
  if (/^degrees?_?(east|e)$/.test(units)) return false;
  const standardName = textOf(variable, "standard_name");
  return standardName === null ? /^lat/i.test(ownName(variable)) : standardName === "latitude";
}

/** What a height is above; null where it is one and does not tell, undefined where it is none. */
function heightReferenceOf(variable: NetcdfVariable): string | null | undefined {
  const geoid = textOf(variable, "geoid_name");
  const told = textOf(variable, "height_vertical_reference");
  if (told === "WGS84_ELLIPSOID") return "WGS84 ellipsoid";
  if (told !== null) return told;
  switch (textOf(variable, "standard_name")) {
    case "height_above_reference_ellipsoid":
      return "reference ellipsoid";
    case "altitude":
    case "height_above_geopotential_datum":
    case "height_above_mean_sea_level":
    case "surface_altitude":
      return geoid ?? "geoid";
    case "height":
      return "ground";
    case null:
      return /^(alt|altitude|height|elev|elevation|station_(height|altitude|elevation)|z)$/i.test(ownName(variable))
        ? null
        : undefined;
    default:
      return undefined;
  }
}

function heightFactor(variable: NetcdfVariable): number {
  return /^(km|kilomet(re|er)s?)$/i.test(textOf(variable, "units") ?? "") ? 1_000 : 1;
}
