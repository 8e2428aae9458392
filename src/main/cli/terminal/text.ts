export { count, many } from "#shared/text.ts";

// What a terminal would obey instead of show: control characters (escape sequences begin with them), characters that
// turn the direction of what follows, and those without any width, by which two names can look the same.
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\uffff\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

function codePoint(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
}

/** Text of strangers (names, messages of the service) with everything that a terminal would obey made visible: `‹U+001B›`. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (c) => `‹U+${codePoint(c)}›`);
}

/** The same for several lines of our own, in which only the line breaks are ours. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

/** JSON on one line or indented, with the same characters written as `\u` escapes: no value changes by it. */
export function jsonText(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, null, indent);
  return text.replaceAll(HIDDEN, (c) => (c === "\n" ? c : c.replaceAll(/[^]/g, escaped)));
}

function escaped(codeUnit: string): string {
  return `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"];

/** Decimal units: 1 kB is 1000 bytes. */
export function bytes(n: number): string {
  let value = n;
  let step = 0;
  for (; value >= 999.5 && step < BYTE_UNITS.length - 1; step++) value /= 1000;
  return `${step === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[step]}`;
}

const DURATION_UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** The two largest units: `3 d 4 h`, `2 min 5 s`, `0.4 s`. */
export function duration(seconds: number): string {
  if (seconds < 9.95 && !Number.isInteger(seconds)) return `${seconds.toFixed(1)} s`;
  const parts: string[] = [];
  let left = Math.round(seconds);
  for (const [unitName, size] of DURATION_UNITS) {
    const n = Math.floor(left / size);
    left -= n * size;
    if (n > 0) parts.push(`${n} ${unitName}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(" ") || "0 s";
}
