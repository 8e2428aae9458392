import { addIrregularity, type IrregularityCounts } from "#shared/series/rows.ts";

/** Exactly the numbers of JSON. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads the JSON number at `at`, of any form, for numbers that the kernel does not read.
 *
 * @returns its value and the index after it; NaN and 0 if there is no finite number
 */
export function readJsonNumber(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let end = at;
  while (isOfNumber(bytes[end])) end++;
  const text = bytes.toString("latin1", at, end);
  const value = JSON_NUMBER.test(text) ? Number(text) : Infinity;
  return Number.isFinite(value) ? { value, end } : { value: Number.NaN, end: 0 };
}

/** Digits, point, signs, and E in both sizes. */
function isOfNumber(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2d || byte === 0x2b || (byte | 0x20) === 0x65;
}

// How a value of a parsed row is read, whatever its type. A value never changes its meaning silently.

/** Texts by which services mark a missing value (specification 2.4 leaves it open). No measured value is infinite. */
const NO_VALUE = /^\s*(?:[+-]?(?:nan|inf(?:inity)?)|null|none|nil|undefined|[<#]?n\/?a>?|-+)?\s*$/i;

/** Reads the value of a scalar variable, or NaN. Texts that are numbers are converted and counted. */
export function scalarValue(value: unknown, irregularities: IrregularityCounts): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (value === null || (typeof value === "string" && NO_VALUE.test(value))) return Number.NaN;
  if (typeof value === "string" && JSON_NUMBER.test(value.trim())) {
    const number = Number(value);
    if (Number.isFinite(number)) {
      addIrregularity(irregularities, "convertedValue");
      return number;
    }
  }
  addIrregularity(irregularities, "unreadableValue");
  return Number.NaN;
}

/** Stands for bytes that are not UTF-8. They do no harm in names, but a value would change its meaning. */
const UNDECODABLE = "\uFFFD";

/** Reads the text of a satellite variable unchanged; null without one. Lists and numbers are converted to text. */
export function textValue(value: unknown, irregularities: IrregularityCounts): string | null {
  if (value === null || (typeof value === "string" && !value.includes(UNDECODABLE))) return value;
  if (typeof value === "string") {
    addIrregularity(irregularities, "unreadableValue");
    return null;
  }
  const list = Array.isArray(value) ? value : [value];
  if (list.every((item) => typeof item === "string" || typeof item === "number")) {
    addIrregularity(irregularities, "convertedValue");
    return list.join(",");
  }
  addIrregularity(irregularities, "unreadableValue");
  return null;
}

/** Words that some writers use for a missing number, although they are not JSON. */
const BARE_WORDS = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs;

/**
 * Parses JSON, but reads a bare `NaN` or `Infinity` as null: no value.
 *
 * @throws SyntaxError
 */
export function parseTolerantly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const repaired = text.replace(BARE_WORDS, (token) => (token.startsWith('"') ? token : "null"));
    if (repaired === text) throw error;
    return JSON.parse(repaired);
  }
}
