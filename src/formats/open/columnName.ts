import type { FileQuantity } from "#shared/file/opened.ts";
import { SCALAR_VARIABLES, type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { decimal } from "#shared/text.ts";

/** A quantity as described in a file. */
export type RawQuantity = Pick<FileQuantity, "name" | "longName" | "standardName" | "unit">;

export interface Recognized {
  readonly quantity: FileQuantity;
  /** Factor for the values in the file. */
  readonly factor: number;
}

const PWV_STANDARD_NAMES = [
  "lwe_thickness_of_atmosphere_mass_content_of_water_vapor",
  "atmosphere_mass_content_of_water_vapor",
  "atmosphere_water_vapor_content",
];

const LENGTHS: readonly (readonly [RegExp, number, string])[] = [
  [/^(mm|milli(metre|meter)s?)$/, 1, "mm"],
  [/^(cm|centi(metre|meter)s?)$/, 10, "cm"],
  [/^(m|(metre|meter)s?)$/, 1_000, "m"],
];
const COLUMN_MASS = /^kg\s*(m\s*\^?\s*(\*\*)?\s*-\s*2|\/\s*m\s*(\^|\*\*)?\s*2|\.\s*m-2)$/;

/**
 * Recognizes a variable of the service by name or standard name, if the unit is compatible. Its values are then converted
 * to the service's unit, and the conversion is described.
 */
export function recognize(raw: RawQuantity): Recognized {
  const variable = variableOf(raw);
  const unit = raw.unit?.trim() ?? "";
  const length = LENGTHS.find(([words]) => words.test(unit.toLowerCase()));
  if (variable !== null && length) {
    const [, factor, name] = length;
    const conversion = factor === 1 ? null : `in ${name} in the file, shown in mm (× ${decimal(factor, 0, 3)})`;
    return { quantity: { ...raw, unit: "mm", variable, conversion }, factor };
  }
  if (variable === "pwv" && COLUMN_MASS.test(unit.toLowerCase())) {
    const conversion = `in ${unit} in the file, shown in mm (1 kg m-2 is 1 mm of water)`;
    return { quantity: { ...raw, unit: "mm", variable, conversion }, factor: 1 };
  }
  return { quantity: { ...raw, variable: null, conversion: null }, factor: 1 };
}

function variableOf({ name, standardName }: RawQuantity): ScalarVariable | null {
  if (standardName !== null && PWV_STANDARD_NAMES.includes(standardName)) return "pwv";
  const own = name.slice(name.lastIndexOf("/") + 1).toLowerCase();
  return SCALAR_VARIABLES.find((variable) => variableInfo(variable).aliases.test(own)) ?? null;
}

const BRACKETED = /\s*[([]\s*([^)\]]*?)\s*[)\]]\s*$/;
const SUFFIX = /_([a-z]+)$/i;
/** Units at the end of names, after an underscore and in any letter case. */
const SUFFIXES: Partial<Record<string, string>> = {
  mm: "mm",
  cm: "cm",
  m: "m",
  hpa: "hPa",
  deg: "degree",
  dbhz: "dB-Hz",
};

/** Separates name and unit of a column of a table: `ZTD (mm)`, `ztd [m]`, `ztd_m`. The unit is null if it has none. */
export function namedQuantity(head: string): RawQuantity {
  const [bracket, bracketed] = BRACKETED.exec(head) ?? [];
  const [suffix, word = ""] = SUFFIX.exec(head) ?? [];
  const unit = bracketed ?? SUFFIXES[word.toLowerCase()] ?? null;
  const ending = unit === null ? "" : (bracket ?? suffix ?? "");
  const name = head.slice(0, head.length - ending.length).trim() || head;
  return { name, unit, longName: null, standardName: null };
}

/**
 * Recognizes the quantity of a column. A variable of the service without a unit is taken as metres or millimetres by its
 * first value, with a remark.
 *
 * @param firstValue first value of the column; NaN if it has no value
 */
export function recognizeColumn(raw: RawQuantity, firstValue: number, remark: (sentence: string) => void): Recognized {
  const { variable } = recognize({ ...raw, unit: "mm" }).quantity;
  if (variable === null || raw.unit !== null) return recognize(raw);
  const { min, max } = variableInfo(variable).metres;
  const unit = firstValue >= min && firstValue <= max ? "m" : "mm";
  remark(`${raw.name} has no unit: its values are taken as ${unit}.`);
  return recognize({ ...raw, unit });
}
