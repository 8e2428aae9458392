import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";

/** Formats moments as `YYYY:DDD:SSSSS`: year, day of year, second of day. Caches the current day. */
export class EpochText {
  #dayStartMs = Number.NaN;
  #day = "";

  /** @param moment a whole second */
  text(moment: UtcMs): string {
    let rest = moment - this.#dayStartMs;
    if (!(rest >= 0 && rest < DAY_MS)) {
      this.#dayStartMs = Math.floor(moment / DAY_MS) * DAY_MS;
      const year = new Date(this.#dayStartMs).getUTCFullYear();
      const dayOfYear = (this.#dayStartMs - Date.UTC(year, 0, 1)) / DAY_MS + 1;
      this.#day = `${String(year).padStart(4, "0")}:${String(dayOfYear).padStart(3, "0")}:`;
      rest = moment - this.#dayStartMs;
    }
    return this.#day + String(Math.floor(rest / 1000)).padStart(5, "0");
  }
}

/** Converts text to ASCII on one line: accents are removed, other characters become question marks. */
export function asciiText(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[^\x20-\x7E]/gu, "?")
    .trim();
}

/** Cuts or pads a text to `width`. */
export function column(text: string, width: number): string {
  return asciiText(text).slice(0, width).padEnd(width);
}

/** Formats a number with fixed decimals, right-aligned; −999 if missing. */
export function numberColumn(value: number | null, width: number, decimals: number): string {
  const text = value === null || !Number.isFinite(value) ? (-999).toFixed(decimals) : value.toFixed(decimals);
  return text.slice(0, width).padStart(width);
}

/** Maximum line length of the format, including the leading blank. */
const LINE_CHARACTERS = 80;

/** Wraps a text to the line length of the format, between words if possible. */
export function wrapped(text: string): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length >= LINE_CHARACTERS) {
    const space = rest.lastIndexOf(" ", LINE_CHARACTERS - 1);
    const end = space > 0 ? space : LINE_CHARACTERS - 1;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}
