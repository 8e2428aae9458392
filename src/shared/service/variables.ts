import { defined } from "../defined.ts";

/**
 * The measurement variables of the service (specification 2.4). Requests, storage, formats, plots, map, command line and
 * the reference service read this table. CONTRIBUTING.md says what else a new scalar needs.
 */

/** Range in which the user can fix an axis, and its minimum span, in the unit of the variable. */
export interface AxisBounds {
  readonly min: number;
  readonly max: number;
  readonly minSpan: number;
}

/** Properties of every variable. */
interface Described {
  /** Name of the variable at the service. */
  readonly name: string;
  readonly label: string;
  /** For axes, column headers and buttons. */
  readonly short: string;
  /** In the spelling of UDUNITS; "" for texts. */
  readonly unit: string;
  /** Seconds between values of 30 s stations, and of 1 s streams. */
  readonly standardSeconds: number;
  readonly streamSeconds: number;
  /** A sentence. */
  readonly meaning: string;
  /** Column name in tables, with the unit. */
  readonly column: string;
  /** CF standard name, if there is one. */
  readonly standardName?: string;
  /** Bytes of name and value in a JSON row of the service. */
  readonly wireBytes: number;
}

/** Comma-separated texts with one value per satellite; `wireBytes` is for 40 satellites on two bands. */
interface DescribedSatellites extends Described {
  readonly kind: "satellite";
}

interface DescribedScalar extends Described {
  readonly kind: "scalar";
  /** For `long_name` attributes: a phrase in lower case. */
  readonly longName: string;
  /** The variable that this is the standard deviation of. */
  readonly uncertaintyOf?: string;
  /** Parameter of SINEX_TRO 2.00; values are in the unit of the format times `factor`. */
  readonly sinex: { readonly parameter: string; readonly factor: string };
  /** Column of COST-716 after the flags, from 0, in mm or kg m-2. */
  readonly cost: number;
  /** Names in files of other programs, in lower case. */
  readonly aliases: RegExp;
  readonly axis: AxisBounds;
  /** Decimals in text tables for reading: a hundredth of usual uncertainties. Files have all digits. */
  readonly decimals: number;
  /**
   * Values at the Earth's surface, in the unit of the variable. Values outside are marked as implausible, unless the user
   * sets other bounds, and tell the units and the signs for "no value" in files of others. `peak`: the largest value of any
   * series is not below it.
   */
  readonly plausible: { readonly min: number; readonly max: number; readonly peak: number };
  /** Colour scale of the map, with bounds that are multiples of `roundTo`; absent if the map does not show it. */
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
    // CF has no standard name for the delay, so the long name defines it.
    longName: "zenith total delay of the GNSS signal",
    sinex: { parameter: "TROTOT", factor: "1e+03" },
    cost: 0,
    aliases:
      /^(ztd(_?tot(al)?)?|tztd|tzd|total_?delay|total_?zenith_?delay|zenith_?total_?delay|zenith_?tropospher(e|ic)_?delay|zenith_?path_?delay|zpd|trotot)$/,
    axis: { min: -1_000, max: 10_000, minSpan: 0.01 },
    decimals: 2,
    // Saastamoinen (1972): 2.277 mm per hPa, from 440 hPa at 6,500 m without vapour to 1,050 hPa and 0.5 m of wet delay.
    plausible: { min: 1_000, max: 3_000, peak: 1_000 },
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
    cost: 1,
    aliases:
      /^(sigma_?ztd|ztd_?(sigma|sig|std|stdev|stddev|err|error|uncertainty|formal_?error)|zenith_?total_?delay_(sigma|std|standard_deviation|error|(random_)?uncertainty)|stddev_?ztd|trotot_?std(dev)?|stdtrotot)$/,
    axis: { min: -10, max: 1_000, minSpan: 0.01 },
    decimals: 3,
    // Formal errors are some millimetres; E-GVAP rejects estimates beyond some tens of them.
    plausible: { min: 0, max: 100, peak: 0.05 },
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
    // 1 mm of water is 1 kg m-2, the unit of both formats.
    sinex: { parameter: "IWV", factor: "1" },
    cost: 3,
    aliases:
      /^((total_?column_?|total_?|best_?estimate_?|be_?)?(pwv|precip(itable)?_?water(_?vapou?r|_entire_atmosphere(_single_layer)?)?)|ipwv|ipw|pw|pr_?wtr|pwat|prw|tpw|tcwv|iwv|precipitable_?water_?column|integrated_?water_?vapou?r|total_?column_?(vertically_?integrated_?)?water_?vapou?r)$/,
    axis: { min: -100, max: 500, minSpan: 0.01 },
    decimals: 2,
    // The largest hourly values of ERA5 and of radiosondes in the tropics are between 80 and 90 mm; the smallest in the winter
    // of the Antarctic plateau, some tenths.
    plausible: { min: 0, max: 100, peak: 0.15 },
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

interface ScalarInfo extends DescribedScalar {
  readonly name: ScalarVariable;
  readonly uncertaintyOf?: ScalarVariable;
}
interface SatelliteInfo extends DescribedSatellites {
  readonly name: SatelliteVariable;
}
type VariableInfo = ScalarInfo | SatelliteInfo;

export const VARIABLES: readonly VariableInfo[] = TABLE;
const SCALARS: readonly ScalarInfo[] = VARIABLES.filter((v) => v.kind === "scalar");

export const VARIABLE_NAMES: readonly Variable[] = VARIABLES.map((v) => v.name);
export const SCALAR_VARIABLES: readonly ScalarVariable[] = SCALARS.map((v) => v.name);
export const SATELLITE_VARIABLES: readonly SatelliteVariable[] = VARIABLES.flatMap((v) =>
  v.kind === "satellite" ? v.name : [],
);
/** Scalars without uncertainties. */
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

/** Returns the variable that is the standard deviation of this one, or null. */
export function uncertaintyOf(name: Variable): ScalarVariable | null {
  return UNCERTAINTIES.get(name as ScalarVariable) ?? null;
}

/** Returns the variable and its standard deviation, if there is one. */
export function withUncertainty(name: Variable): Variable[] {
  const uncertainty = uncertaintyOf(name);
  return uncertainty === null ? [name] : [name, uncertainty];
}

/** Returns the interval of a variable whose cadence is independent of the station, such as PWV; null if every observation has a value. */
export function ownIntervalMs(name: Variable): number | null {
  const { standardSeconds, streamSeconds } = variableInfo(name);
  return standardSeconds === streamSeconds ? standardSeconds * 1_000 : null;
}

/** Returns distinct variables in the order of the table, with `prn` added if a per-satellite variable implies it (2.4 rule 3). */
export function withImpliedVariables(requested: Iterable<Variable>): Variable[] {
  const set = new Set(requested);
  if (set.has("snr") || set.has("el") || set.has("az")) set.add("prn");
  return VARIABLE_NAMES.filter((v) => set.has(v));
}
