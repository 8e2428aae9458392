import type { FileQuantity } from "#shared/file/opened.ts";
import { SCALAR_VARIABLES, type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { decimal } from "#shared/text.ts";
import { unitNamed } from "#shared/file/units.ts";
import { plainName } from "./stations.ts";

export type RawQuantity = Pick<FileQuantity, "name" | "longName" | "standardName" | "unit">;

export interface Recognized {
  readonly quantity: FileQuantity;
  readonly factor: number;
}

const PWV_STANDARD_NAMES = [
  "lwe_thickness_of_atmosphere_mass_content_of_water_vapor",
  "atmosphere_mass_content_of_water_vapor",
  "atmosphere_water_vapor_content",
];

interface Range {
  readonly min: number;
  readonly max: number;
}

/** Other quantities of these files by their unit, with the values that occur at the Earth's surface. */
const OTHERS: readonly { readonly names: RegExp; readonly ranges: Readonly<Record<string, Range>> }[] = [
  {
    names: /^(p|ps|pres|press|pressure|baro\w*|slp|mslp|qff|qnh)(_|$)|^((?!vapou?r|partial|dew).)*(_|^)pressure(_|$)/,
    // 440 hPa is the pressure at 6,500 m; 1,085 hPa the highest that was reduced to sea level.
    ranges: Object.fromEntries(
      ["hPa", "mbar", "kPa", "Pa", "inHg", "mmHg"].map((unit) => {
        const { hPa } = unitNamed(unit) ?? {};
        return [unit, { min: 400 / (hPa ?? 1), max: 1_100 / (hPa ?? 1) }];
      }),
    ),
  },
  {
    names: /^(t|ta|tm|temp\w*|tdry|dew\w*|wmtemp)(_|$)|(_|^)temp(erature)?(_|$)/,
    ranges: { K: { min: 170, max: 340 }, degC: { min: -95, max: 65 } },
  },
  { names: /^(rh|hum\w*|humrel)(_|$)|(_|^)humidity(_|$)/, ranges: { "%": { min: 0, max: 110 } } },
  {
    names: /^(zhd|zwd|trowet|trodry|wet_?delay|dry_?delay)(_|$)/,
    ranges: { mm: { min: -20, max: 2_600 }, cm: { min: -2, max: 260 }, m: { min: -0.02, max: 2.6 } },
  },
];

/** What data loggers, spreadsheets, and merges of pandas add to names. */
const MEAN_OR_SAMPLE = /(?<=[a-z0-9])([_. ](avg|mean|smp|value)|_[xy])$/i;
/** Names of the technique, by which all quantities of this program are measured: `PWV_GNSS`, `gps_ztd`. */
const TECHNIQUE = /^(gnss|gps)_|_(gnss|gps)$/;
/** Signs of a difference, a ratio or a residual, which is another quantity. */
const OTHER_QUANTITY = /[^\w\s.,:()[\]-]|\s-|-\s|^-/;

/** Words for other quantities that are made of one. */
export const STATISTICS =
  "anomal\\w*|bias|change|deviation|differences?|errors?|gradients?|max\\w*|min\\w*|rate|residuals?|rmse?|sigma|std\\w*|trend|uncertainty|variance";
const OF_STATISTIC = new RegExp(String.raw`\b(${STATISTICS})\b(?=\W+(of|in|for)\b|\W*$)`, "i");

/** Parts of the total delay in a long name, unless it names the total. */
const OF_PART = /^(?!.*total).*\b(wet|dry|hydrostatic|slant|a[ -]?priori)\b/i;
const OF_CHANGE = /^(change_over_time_in|tendency_of)_|\S\s+\S/;

export function variableOf({ name, standardName, longName }: RawQuantity): ScalarVariable | null {
  const isPwv = standardName !== null && PWV_STANDARD_NAMES.includes(standardName);
  const variable = isPwv ? "pwv" : (variableNamed(name) ?? (longName === null ? null : variableNamed(longName)));
  if (variable === null || variableInfo(variable).uncertaintyOf !== undefined) return variable;
  if (variable === "ztd" && OF_PART.test(longName ?? "")) return null;
  return OF_STATISTIC.test(longName ?? "") || OF_CHANGE.test(standardName ?? "") ? null : variable;
}

/** What is in brackets without making a quantity another one, beside units and its other names. */
const NO_OTHER = /^(gnss|gps|total|all|mean|avg|average|smp|value|\W*|.*\d.*)$/i;

function variableNamed(text: string): ScalarVariable | null {
  if (OTHER_QUANTITY.test(text)) return null;
  const [, inside = ""] = /[([{]([^)\]}]*)/.exec(text) ?? [];
  const [whole, outside] = [aliasOf(text.replaceAll(/[()[\]{}]+/g, " ")), aliasOf(text)];
  const isSame = NO_OTHER.test(inside) || unitNamed(inside) !== null || aliasOf(inside) === outside;
  return whole ?? (isSame ? outside : null);
}

function aliasOf(text: string): ScalarVariable | null {
  const name = plainName(text.replace(MEAN_OR_SAMPLE, "")).replace(TECHNIQUE, "");
  return SCALAR_VARIABLES.find((variable) => variableInfo(variable).aliases.test(name)) ?? null;
}

/**
 * Recognizes a variable of the service by name, long name or standard name, if the unit is compatible. Its values are then
 * converted to the service's unit, and the conversion is described.
 */
export function recognize(raw: RawQuantity): Recognized {
  const variable = variableOf(raw);
  const unit = unitNamed(raw.unit ?? "");
  const isMass = unit !== null && /g/.test(unit.name);
  if (variable === null || unit === null || unit.mm === null || (isMass && variable !== "pwv")) return asItIs(raw);
  const factor = unit.mm;
  const spelled = isMass ? (raw.unit ?? "").trim() : unit.name;
  const how = isMass && factor === 1 ? "1 kg m-2 is 1 mm of water" : `× ${decimal(factor, 0, 3)}`;
  const conversion = unit.name === "mm" ? null : `in ${spelled} in the file, shown in mm (${how})`;
  return { quantity: { ...raw, unit: "mm", variable, conversion }, factor };
}

/** A quantity that is not a variable of the service, or of which the unit is not known. */
export function asItIs(raw: RawQuantity): Recognized {
  return { quantity: { ...raw, variable: null, conversion: null }, factor: 1 };
}

export function isOtherQuantity(name: string): boolean {
  return OTHERS.some(({ names }) => names.test(plainName(name)));
}

export function plausibleRange({ quantity, factor }: Recognized): Range | null {
  if (quantity.variable !== null) {
    const { min, max } = variableInfo(quantity.variable).plausible;
    return { min: min / factor, max: max / factor };
  }
  const unit = unitNamed(quantity.unit ?? "");
  const name = plainName(quantity.name);
  const other = OTHERS.find(({ names }) => names.test(name));
  if (!other) return null;
  const ranges = Object.values(other.ranges);
  if (unit) return other.ranges[unit.name] ?? null;
  // Without a unit, what is plausible in one of its units.
  return { min: Math.min(...ranges.map(({ min }) => min)), max: Math.max(...ranges.map(({ max }) => max)) };
}
