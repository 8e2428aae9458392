import { defined } from "../defined.ts";

/**
 * The measurement variables of the service (specification 2.4), each described once. Requests, storage, formats, plots,
 * map, command line and the reference service read this table; a new scalar is an entry here and a value in the simulated world.
 */

/** Where an axis of values can be fixed, in the unit of the variable, and how far apart its limits have to be. */
export interface AxisLimits {
  readonly least: number;
  readonly most: number;
  readonly apart: number;
}

/** What every variable has. */
interface Described {
  /** Name of the station at the service. */
  readonly name: string;
  readonly label: string;
  /** For axes, heads of columns and buttons. */
  readonly short: string;
  /** In the spelling of UDUNITS; "" for texts. */
  readonly unit: string;
  /** Seconds between values of stations of 30 s, and of streams of 1 s. */
  readonly standardSeconds: number;
  readonly streamSeconds: number;
  /** A sentence. */
  readonly meaning: string;
  /** Column of tables, with the unit in its name. */
  readonly column: string;
  /** CF standard name, where the convention has one. */
  readonly standardName?: string;
  /** Bytes of the value and its name in a JSON row as the service writes it. */
  readonly wireBytes: number;
}

/** Comma-separated texts with one value for each satellite: `wireBytes` are those of 40 satellites on two bands. */
interface DescribedSatellites extends Described {
  readonly kind: "satellite";
}

interface DescribedScalar extends Described {
  readonly kind: "scalar";
  /** For files that other programs read: a phrase in lower case. */
  readonly longName: string;
  /** The variable that this is the standard deviation of. */
  readonly uncertaintyOf?: string;
  /** Parameter of SINEX_TRO 2.00; values are in the unit of the format times `factor`. */
  readonly sinex: { readonly parameter: string; readonly factor: string };
  /** What other programs call it in files, in lower case. */
  readonly aliases: RegExp;
  readonly axis: AxisLimits;
  /** Values outside are marked as implausible, unless the user sets other limits. */
  readonly plausible: { readonly min: number; readonly max: number };
  /** How the map colours stations by it: the ends of the scale are multiples of `roundTo`. Absent: it does not. */
  readonly map?: { readonly roundTo: number; readonly note: string | null };
}

const TABLE = [
  {
    name: "ztd",
    label: "Zenith total delay",
    short: "ZTD",
    unit: "mm",
    kind: "scalar",
    standardSeconds: 30,
    streamSeconds: 1,
    meaning: "Delay of the signal by the neutral atmosphere, mapped to the zenith.",
    column: "ztd_mm",
    wireBytes: 17,
    // CF has no standard name for the delay: the long name carries the meaning.
    longName: "zenith total delay of the GNSS signal",
    sinex: { parameter: "TROTOT", factor: "1e+03" },
    aliases:
      /^(ztd|tztd|total_?zenith_?delay|zenith_?total_?delay|zenith_?tropospher(e|ic)_?delay|zenith_?path_?delay|zpd|trotot)$/,
    axis: { least: -1_000, most: 10_000, apart: 0.01 },
    // Anywhere on land.
    plausible: { min: 1_000, max: 3_000 },
    map: { roundTo: 50, note: "ZTD decreases with station height, by about 30 mm per 100 m." },
  },
  {
    name: "ztd_sigma",
    label: "ZTD uncertainty",
    short: "ZTD σ",
    unit: "mm",
    kind: "scalar",
    standardSeconds: 30,
    streamSeconds: 1,
    meaning: "Formal standard deviation of the ZTD estimate; not its accuracy.",
    column: "ztd_sigma_mm",
    wireBytes: 21,
    longName: "formal standard deviation of the zenith total delay",
    uncertaintyOf: "ztd",
    sinex: { parameter: "STDDEV", factor: "1e+03" },
    aliases:
      /^(sigma_?ztd|ztd_?(sigma|sig|std|stdev|stddev|error|uncertainty|formal_?error)|zenith_?total_?delay_(sigma|std|error|uncertainty)|stddev_?ztd|trotot_?std(dev)?|stdtrotot)$/,
    axis: { least: -10, most: 1_000, apart: 0.01 },
    plausible: { min: 0, max: 100 },
  },
  {
    name: "pwv",
    label: "Precipitable water vapour",
    short: "PWV",
    unit: "mm",
    kind: "scalar",
    standardSeconds: 300,
    streamSeconds: 300,
    meaning: "Depth of liquid water if all vapour above the station condensed; 1 mm is 1 kg m-2.",
    column: "pwv_mm",
    standardName: "lwe_thickness_of_atmosphere_mass_content_of_water_vapor",
    wireBytes: 16,
    longName: "precipitable water vapour",
    // Water of 1 mm is 1 kg m-2, the unit of the format.
    sinex: { parameter: "IWV", factor: "1" },
    aliases: /^(pwv|ipwv|ipw|pw|tpw|tcwv|iwv|precipitable_?water(_?vapou?r)?|integrated_?water_?vapou?r)$/,
    axis: { least: -100, most: 500, apart: 0.01 },
    plausible: { min: 0, max: 100 },
    map: { roundTo: 5, note: null },
  },
  {
    name: "snr",
    label: "C/N0",
    short: "C/N0",
    unit: "dB-Hz",
    kind: "satellite",
    standardSeconds: 30,
    streamSeconds: 1,
    meaning: "Carrier-to-noise density ratio per satellite and signal band.",
    column: "cn0_dbhz",
    wireBytes: 560,
  },
  {
    name: "el",
    label: "Elevation",
    short: "Elevation",
    unit: "degrees",
    kind: "satellite",
    standardSeconds: 30,
    streamSeconds: 1,
    meaning: "Elevation of each satellite above the horizon.",
    column: "el_deg",
    wireBytes: 230,
  },
  {
    name: "az",
    label: "Azimuth",
    short: "Azimuth",
    unit: "degrees",
    kind: "satellite",
    standardSeconds: 30,
    streamSeconds: 1,
    meaning: "Azimuth of each satellite, clockwise from north.",
    column: "az_deg",
    standardName: "platform_azimuth_angle",
    wireBytes: 250,
  },
  {
    name: "prn",
    label: "Satellites",
    short: "Satellites",
    unit: "",
    kind: "satellite",
    standardSeconds: 30,
    streamSeconds: 1,
    meaning: "Identifiers of the satellites, in the order of the other per-satellite variables.",
    column: "prn",
    wireBytes: 170,
  },
] as const satisfies readonly (DescribedScalar | DescribedSatellites)[];

type Entry = (typeof TABLE)[number];
export type Variable = Entry["name"];
export type VariableKind = Entry["kind"];
export type ScalarVariable = Extract<Entry, { readonly kind: "scalar" }>["name"];
export type SatelliteVariable = Exclude<Variable, ScalarVariable>;

export interface ScalarInfo extends DescribedScalar {
  readonly name: ScalarVariable;
  readonly uncertaintyOf?: ScalarVariable;
}
interface SatelliteInfo extends DescribedSatellites {
  readonly name: SatelliteVariable;
}
export type VariableInfo = ScalarInfo | SatelliteInfo;

export const VARIABLES: readonly VariableInfo[] = TABLE;
const SCALARS: readonly ScalarInfo[] = VARIABLES.filter((v) => v.kind === "scalar");

export const VARIABLE_NAMES: readonly Variable[] = VARIABLES.map((v) => v.name);
export const SCALAR_VARIABLES: readonly ScalarVariable[] = SCALARS.map((v) => v.name);
export const SATELLITE_VARIABLES: readonly SatelliteVariable[] = VARIABLES.flatMap((v) =>
  v.kind === "satellite" ? v.name : [],
);
/** Scalars that are no uncertainty of another. */
export const VALUE_VARIABLES: readonly ScalarVariable[] = SCALARS.filter((v) => v.uncertaintyOf === undefined).map(
  (v) => v.name,
);

const BY_NAME = new Map(VARIABLES.map((v) => [v.name, v]));
const UNCERTAINTIES = new Map(SCALARS.map((v) => [v.uncertaintyOf, v.name]));

export function isVariable(text: string): text is Variable {
  return (VARIABLE_NAMES as readonly string[]).includes(text);
}

export function isScalar(text: string): text is ScalarVariable {
  return (SCALAR_VARIABLES as readonly string[]).includes(text);
}

export function variableInfo(name: ScalarVariable): ScalarInfo;
export function variableInfo(name: Variable): VariableInfo;
export function variableInfo(name: Variable): VariableInfo {
  return defined(BY_NAME.get(name));
}

export function variableKind(name: Variable): VariableKind {
  return variableInfo(name).kind;
}

/** "ZTD", "ZTD σ", "PWV" */
export function shortName(name: Variable): string {
  return variableInfo(name).short;
}

/** The variable that is the standard deviation of this one; null where the service has none. */
export function uncertaintyOf(name: Variable): ScalarVariable | null {
  return UNCERTAINTIES.get(name as ScalarVariable) ?? null;
}

/** The variable, followed by its standard deviation where the service has it. */
export function withUncertainty(name: Variable): Variable[] {
  const uncertainty = uncertaintyOf(name);
  return uncertainty === null ? [name] : [name, uncertainty];
}

/** Milliseconds between values of a variable that comes at an interval of its own, as PWV; null where every observation has one. */
export function ownIntervalMs(name: Variable): number | null {
  const { standardSeconds, streamSeconds } = variableInfo(name);
  return standardSeconds === streamSeconds ? standardSeconds * 1_000 : null;
}

/** Each variable once, in the order of the table, with `prn` added where a per-satellite variable implies it (2.4 rule 3). */
export function withImpliedVariables(asked: Iterable<Variable>): Variable[] {
  const set = new Set(asked);
  if (set.has("snr") || set.has("el") || set.has("az")) set.add("prn");
  return VARIABLE_NAMES.filter((v) => set.has(v));
}
