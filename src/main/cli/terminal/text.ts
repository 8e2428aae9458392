import type { Variable } from "#shared/service/variables.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";

import { HIDDEN, visible } from "#shared/text.ts";

export { bytes, count, many, visible } from "#shared/text.ts";

/** Escapes hidden characters, except line breaks. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

/** JSON, indented or on one line, with the same characters as `\u` escapes, which leaves values unchanged. */
export function jsonText(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, null, indent);
  return text.replaceAll(HIDDEN, (c) => (c === "\n" ? c : c.replaceAll(/[^]/g, escaped)));
}

function escaped(codeUnit: string): string {
  return `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const DURATION_UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** Formats a duration in its two largest units: `3 d 4 h`, `2 min 5 s`, `0.4 s`. */
export function duration(seconds: number): string {
  if (seconds < 9.95 && !Number.isInteger(seconds)) return `${seconds.toFixed(1)} s`;
  const parts: string[] = [];
  let left = Math.round(seconds);
  for (const [unitName, size] of DURATION_UNITS) {
    const amount = Math.floor(left / size);
    left -= amount * size;
    if (amount > 0) parts.push(`${amount} ${unitName}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(" ") || "0 s";
}

/** `2026-11-24 06:30` */
export function minuteText(timeMs: UtcMs): string {
  return formatUtcShort(timeMs).slice(0, 16).replace("T", " ");
}

interface SeriesKind {
  readonly variables: readonly Variable[];
  readonly intervalSeconds: number | null;
  readonly raw: boolean;
}

/** `ztd,pwv 900 s raw` */
export function seriesText({ variables, intervalSeconds, raw }: SeriesKind): string {
  return `${variables.join(",")}${intervalSeconds === null ? "" : ` ${intervalSeconds} s`}${raw ? " raw" : ""}`;
}

/** `display_name` for `displayName`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
