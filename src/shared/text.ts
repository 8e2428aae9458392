/**
 * Characters that are not shown as such: control characters, which start escape sequences in a terminal, characters that
 * change the text direction, and those without width, with which two names can look the same.
 */
export const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\uffff\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

function codePoint(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
}

/** Escapes hidden characters in text from others (names, messages of the service): `‹U+001B›`. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (c) => `‹U+${codePoint(c)}›`);
}

// Number formats of the window, files and the command line.

/** Created when first needed: it takes a twentieth of the time of a command. */
let counts: Intl.NumberFormat | null = null;

/** "1,204,300" */
export function count(n: number): string {
  if (Number.isSafeInteger(n)) return String(n).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  counts ??= new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
  return counts.format(n);
}

/** "1 station", "3 stations", "1,200 oddities" */
export function many(n: number, thing: string, plural = `${thing}s`): string {
  return `${count(n)} ${n === 1 ? thing : plural}`;
}

/** "Kallio, Torsvika", "Kallio, Torsvika and 12 more". @param total number of names, if only some are given */
export function firstNames(names: readonly string[], most: number, total = names.length): string {
  const shown = names.slice(0, most);
  return shown.join(", ") + (total > shown.length ? ` and ${count(total - shown.length)} more` : "");
}

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"];

/** "412 MB": 1 kB is 1000 bytes. */
export function bytes(size: number): string {
  let value = size;
  let step = 0;
  for (; value >= 999.5 && step < BYTE_UNITS.length - 1; step++) value /= 1000;
  return `${step === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[step]}`;
}

/** Lets a sentence continue with words that begin one. */
export function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** "812", "1.2k", "98k": at most four characters. */
export function shortCount(n: number): string {
  // From 9,950 on, one decimal would round to "10.0k".
  return n < 1_000 ? count(n) : `${decimal(n / 1_000, n < 9_950 ? 1 : 0)}k`;
}

/** Stands for a value that does not exist or is unknown. */
export const NO_VALUE = "–";

/** Numbers from here on are written with an exponent: nobody reads a row of digits as a number. */
const LARGEST_IN_DIGITS = 1e12;

/** "1e300", "1.23457e−12"; a dash if not finite. @param maxDigits maximum number of decimals before the exponent */
export function exponential(value: number, maxDigits = 5): string {
  if (!Number.isFinite(value)) return NO_VALUE;
  if (value === 0) return "0";
  return value
    .toExponential(maxDigits)
    .replace(/(?:\.0+|(\.\d*[1-9])0+)e/, "$1e")
    .replace("e+", "e")
    .replaceAll("-", "−");
}

const DECIMALS = new Map<string, Intl.NumberFormat>();

/**
 * "2,411.3", "−0.25", "1e300"; a dash if not finite.
 *
 * @param digits minimum number of decimals
 * @param maxDigits maximum number of decimals
 */
export function decimal(value: number, digits: number, maxDigits = digits): string {
  if (!Number.isFinite(value)) return NO_VALUE;
  if (Math.abs(value) >= LARGEST_IN_DIGITS) return exponential(value);
  if (digits === 0 && Number.isInteger(value)) return count(value).replace("-", "−");
  const key = `${digits} ${maxDigits}`;
  let format = DECIMALS.get(key);
  if (!format) {
    // A rounded zero has no sign.
    const options = {
      minimumFractionDigits: digits,
      maximumFractionDigits: maxDigits,
      signDisplay: "negative",
    } as const;
    DECIMALS.set(key, (format = new Intl.NumberFormat("en-GB", options)));
  }
  return format.format(value).replace("-", "−");
}

/** Escapes text for content and quoted attributes of XML and HTML. */
export function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
