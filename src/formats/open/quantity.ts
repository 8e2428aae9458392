import type { FileQuantity } from "#shared/file/opened.ts";
import { SCALAR_VARIABLES, type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { decimal } from "#shared/text.ts";

/** A quantity as a file tells it, before anything is made of it. */
export type ToldQuantity = Pick<FileQuantity, "name" | "longName" | "standardName" | "unit">;

export interface Recognized {
  readonly quantity: FileQuantity;
  /** What values of the file are multiplied with. */
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
 * Whether a quantity is one of the service's: by its name or standard name, and only with a unit that says so. Values
 * are then given in the service's unit, and the conversion is told in words.
 */
export function recognize(told: ToldQuantity): Recognized {
  const variable = oursOf(told);
  const unit = told.unit?.trim() ?? "";
  const length = LENGTHS.find(([words]) => words.test(unit.toLowerCase()));
  if (variable !== null && length) {
    const [, factor, name] = length;
    const conversion = factor === 1 ? null : `in ${name} in the file, shown in mm (× ${decimal(factor, 0, 3)})`;
    return { quantity: { ...told, unit: "mm", variable, conversion }, factor };
  }
  if (variable === "pwv" && COLUMN_MASS.test(unit.toLowerCase())) {
    const conversion = `in ${unit} in the file, shown in mm (1 kg m-2 is 1 mm of water)`;
    return { quantity: { ...told, unit: "mm", variable, conversion }, factor: 1 };
  }
  return { quantity: { ...told, variable: null, conversion: null }, factor: 1 };
}

function oursOf({ name, standardName }: ToldQuantity): ScalarVariable | null {
  if (standardName !== null && PWV_STANDARD_NAMES.includes(standardName)) return "pwv";
  const own = name.slice(name.lastIndexOf("/") + 1).toLowerCase();
  return SCALAR_VARIABLES.find((ours) => variableInfo(ours).aliases.test(own)) ?? null;
}
