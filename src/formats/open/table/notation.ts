import { unitNamed } from "#shared/file/units.ts";
import { isNoValueWord } from "../meaning/noValue.ts";
import type { Delimiter } from "./records.ts";

const DECIMAL_COMMA = /^[+-]?\d+([ \u00a0\u202f]\d{3})*,\d+$/;
const DECIMAL_POINT = /^[+-]?(\d{1,3}(,\d{3})+|\d*)\.\d+$/;
/** Three digits after a separator, of decimals or of thousands. */
const [COMMA_AND_THREE, POINT_AND_THREE] = [/^[+-]?[1-9]\d{0,2},\d{3}$/, /^[+-]?[1-9]\d{0,2}\.\d{3}$/];
/** A number with a code after it, in one field of a table that commas separate: `+0121,1` (ISD). */
const CODED = /^[+-]?0\d+,\d+$/;
const BLANKS = /^[+-]?\d{1,3}([ \u00a0\u202f'’]\d{3})+([.,]\d*)?$/;
/** Points between thousands before a decimal comma, and commas before a decimal point. */
const [POINTS, COMMAS] = [/^[+-]?\d{1,3}(\.\d{3})+,\d*$/, /^[+-]?\d{1,3}(,\d{3})+\.\d*$/];
/** An exponent as Fortran writes it: 0.24D+01. */
const EXPONENT = /(?<=\d\.?)d(?=[+-]?\d+$)/i;
/** With the form of numbers that may have either separator of decimals or of thousands; null: none. */
export type Notation = ReturnType<typeof notationOf>;

interface Rows {
  readonly delimiter: Delimiter | null;
  readonly rows: readonly (readonly string[])[];
}

/** If the first rows have no decimals, a decimal comma is assumed unless commas separate fields. */
export function notationOf({ delimiter, rows }: Rows) {
  const isCoded = delimiter === "," && rows.some((row) => row.some((field) => CODED.test(field)));
  if (isCoded) return { hasDecimalComma: false, ambiguous: null };
  const has = (pattern: RegExp, except: RegExp): boolean =>
    rows.some((row) => row.some((field) => pattern.test(field) && !except.test(field)));
  const [hasComma, hasPoint] = [has(DECIMAL_COMMA, COMMA_AND_THREE), has(DECIMAL_POINT, POINT_AND_THREE)];
  if (hasComma) return { hasDecimalComma: true, ambiguous: hasPoint ? null : POINT_AND_THREE };
  if (hasPoint) return { hasDecimalComma: false, ambiguous: COMMA_AND_THREE };
  const hasEither = has(DECIMAL_COMMA, /^$/) || (delimiter !== "," && !has(DECIMAL_POINT, /^$/));
  return { hasDecimalComma: hasEither, ambiguous: null };
}

/** Parses a field; “none” for no value, “ambiguous” for a number that may have decimals or thousands; NaN for other texts. */
export function numberIn(field: string, { hasDecimalComma, ambiguous }: Notation): number | "none" | "ambiguous" {
  const simple = hasDecimalComma ? Number.NaN : plainNumber(field);
  // Number("") is 0.
  if (Number.isFinite(simple) && (simple !== 0 || field.trim() !== "")) return simple;
  const text = field.trim();
  if (isNoValueWord(text)) return "none";
  if (ambiguous?.test(text)) return "ambiguous";
  const joined = BLANKS.test(text) ? text.replaceAll(/[ \u00a0\u202f'’]/g, "") : text;
  const plain = POINTS.test(joined)
    ? joined.replaceAll(".", "")
    : COMMAS.test(joined)
      ? joined.replaceAll(",", "")
      : joined;
  const value = plainNumber((hasDecimalComma ? plain.replace(",", ".") : plain).replace(EXPONENT, "e"));
  return Number.isFinite(value) ? value : Number.NaN;
}

/** 0x1F is a code, although `Number` reads it. */
function plainNumber(text: string): number {
  return /^\s*0[xob]/i.test(text) ? Number.NaN : Number(text.replace("−", "-"));
}

export function isNumeric(field: string): boolean {
  const value = numberIn(field, { hasDecimalComma: field.includes(","), ambiguous: null });
  return typeof value === "number" && !Number.isNaN(value);
}

/** The unit after the numbers in all fields of a column, as `1008.0 hPa` and `91 %`; null without one. Letters may be factors: `2.41 K`. */
export function endingOf(fields: readonly string[]): string | null {
  const found = fields
    .filter((field) => !isNoValueWord(field))
    .map((field) => /^[-+.,\d]*\d( \D.+| ?%)$/.exec(field)?.[1]);
  const [ending] = found;
  return ending && unitNamed(ending) && found.every((each) => each === ending) ? ending.trim() : null;
}

export function withoutEnding(field: string, ending: string | null | undefined): string {
  return ending && field.endsWith(ending) ? field.slice(0, -ending.length).trimEnd() : field;
}
