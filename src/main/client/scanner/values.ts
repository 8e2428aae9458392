import { addAnomaly, type AnomalyCounts } from "#shared/series/rows.ts";
import { JSON_NUMBER } from "./number.ts";

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
