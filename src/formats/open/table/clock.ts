import { plainName } from "./names.ts";

/** Digits of a clock time without separators: hours, minutes, and seconds if there are six. */
interface Digits {
  readonly width: 4 | 6;
  /** Whether leading zeros may be absent, so that 5 is five minutes past midnight. */
  readonly isNumber: boolean;
}

const BARE = /^\d+(\.0+)?$/;

/**
 * Creates a reader of clock times such as `6:30`, `06:30:00` and `0630` that returns `HH:MM:SS`, or another text as it is.
 * Bare digits without a fixed width are read only if the heading names their format, because 5 and 1230 of another column may
 * be hours, hours with minutes, or minutes with seconds.
 *
 * @param fields the fields of the first rows in this column
 */
export function clockText(heading: string, fields: readonly string[]): (field: string) => string {
  const digits = digitsOf(heading, fields);
  return (field) => {
    const text = field.trim();
    if (BARE.test(text)) return digits === null ? text : separated(text.replace(/\..*/, ""), digits);
    const [hour = "", ...rest] = text.split(":");
    return rest.length === 0 ? text : [hour.padStart(2, "0"), ...rest.map((part) => part.padStart(2, "0"))].join(":");
  };
}

function digitsOf(heading: string, fields: readonly string[]): Digits | null {
  const format = /^hh_?mm(_?ss)?$/.exec(plainName(heading));
  if (format) return { width: format[1] === undefined ? 4 : 6, isNumber: true };
  const texts = fields.map((field) => field.trim()).filter((text) => /^\d+$/.test(text) && isTimeOfDay(Number(text)));
  const widths = new Set(texts.map((text) => text.length));
  const [width] = widths;
  return widths.size === 1 && (width === 4 || width === 6) ? { width, isNumber: false } : null;
}

/** Whether digits may be hours and minutes, or these with seconds. */
function isTimeOfDay(digits: number): boolean {
  const [first, second, third] = [Math.floor(digits / 10_000), Math.floor(digits / 100) % 100, digits % 100];
  return first <= 24 && second < 60 && third < 60;
}

function separated(text: string, { width, isNumber }: Digits): string {
  if (text.length !== width && (!isNumber || text.length > width)) return text;
  return text.padStart(width, "0").replaceAll(/(\d\d)(?=\d)/g, "$1:");
}
