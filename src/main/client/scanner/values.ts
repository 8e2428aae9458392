import { addAnomaly, type AnomalyCounts } from "#shared/series/rows.ts";

/** What JSON calls a number, and nothing else. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The number at `at`, of any form that JSON knows: for those that the kernel leaves to others.
 *
 * @returns its value and where it ends; NaN and 0 where there is no finite number
 */
export function readJsonNumber(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let end = at;
  while (isOfNumber(bytes[end]!)) end++;
  const text = bytes.toString("latin1", at, end);
  const value = JSON_NUMBER.test(text) ? Number(text) : Infinity;
  return Number.isFinite(value) ? { value, end } : { value: Number.NaN, end: 0 };
}

/** Digits, point, signs, and E in both sizes. */
function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2d || byte === 0x2b || (byte | 0x20) === 0x65;
}

// How a value of a parsed row is read, whatever it turns out to be. A value never changes its meaning silently.

/** How services write that there is no value (specification 2.4 leaves it open). Nothing that is measured is infinite. */
const NO_VALUE = /^\s*(?:[+-]?(?:nan|inf(?:inity)?)|null|none|nil|undefined|[<#]?n\/?a>?|-+)?\s*$/i;

/** A scalar variable's value; NaN where there is none. Texts that are numbers are converted and counted. */
export function scalarValue(value: unknown, anomalies: AnomalyCounts): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (value === null || (typeof value === "string" && NO_VALUE.test(value))) return Number.NaN;
  if (typeof value === "string" && JSON_NUMBER.test(value.trim())) {
    const number = Number(value);
    if (Number.isFinite(number)) {
      addAnomaly(anomalies, "convertedValue");
      return number;
    }
  }
  addAnomaly(anomalies, "unreadableValue");
  return Number.NaN;
}

/** A per-satellite variable's text, to the character; null where there is none. Lists and numbers become texts. */
export function textValue(value: unknown, anomalies: AnomalyCounts): string | null {
  if (typeof value === "string" || value === null) return value;
  const list = Array.isArray(value) ? value : [value];
  if (list.every((item) => typeof item === "string" || typeof item === "number")) {
    addAnomaly(anomalies, "convertedValue");
    return list.join(",");
  }
  addAnomaly(anomalies, "unreadableValue");
  return null;
}

/** Words that some JSON writers put where a number is missing, though JSON has no such words. */
const BARE_WORDS = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs;

/**
 * Like `JSON.parse`, but a bare `NaN` or `Infinity` is read as null: there is no value.
 *
 * @throws SyntaxError
 */
export function parseTolerantly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const mended = text.replace(BARE_WORDS, (token) => (token.startsWith('"') ? token : "null"));
    if (mended === text) throw error;
    return JSON.parse(mended);
  }
}
