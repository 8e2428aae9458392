import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";

const ZERO = 48;

/** Longest text that a `TimeText` makes: `2026-01-01T00:00:00.000Z`. */
export const MAX_TIME_BYTES = 24;

/**
 * - iso: `2026-01-01T00:00:00Z`
 * - excel: `2026-01-01 00:00:00`, the form that spreadsheets take for a time; still UTC
 */
export type TimeStyle = "iso" | "excel";

/** Digits after the decimal point of the seconds: the same for all times of a file. */
export type TimeDigits = 0 | 3;

/** Writes moments as UTC text into a byte buffer; the date of the current day is kept, as most rows share it. */
export class TimeText {
  readonly #digits: TimeDigits;
  readonly #iso: boolean;
  readonly #date = new Uint8Array(10);
  #dayStartMs = Number.NaN;

  constructor(style: TimeStyle, digits: TimeDigits) {
    this.#iso = style === "iso";
    this.#digits = digits;
  }

  /** Writes the moment at `at` and returns the position after it. Years 0001 to 9999. */
  write(out: Uint8Array, at: number, moment: UtcMs): number {
    let rest = moment - this.#dayStartMs;
    if (!(rest >= 0 && rest < DAY_MS)) {
      this.#dayStartMs = Math.floor(moment / DAY_MS) * DAY_MS;
      new TextEncoder().encodeInto(new Date(this.#dayStartMs).toISOString().slice(0, 10), this.#date);
      rest = moment - this.#dayStartMs;
    }
    for (let i = 0; i < 10; i++) out[at + i] = this.#date[i]!;
    const ms = rest | 0;
    const seconds = (ms / 1000) | 0;
    const minutes = (seconds / 60) | 0;
    const hours = (minutes / 60) | 0;
    out[at + 10] = this.#iso ? 84 : 32; // T or space
    writeTwo(out, at + 11, hours);
    out[at + 13] = 58; // :
    writeTwo(out, at + 14, minutes - hours * 60);
    out[at + 16] = 58;
    writeTwo(out, at + 17, seconds - minutes * 60);
    at += 19;
    if (this.#digits === 3) {
      const fraction = ms - seconds * 1000;
      const hundreds = (fraction / 100) | 0;
      out[at] = 46; // .
      out[at + 1] = ZERO + hundreds;
      writeTwo(out, at + 2, fraction - hundreds * 100);
      at += 4;
    }
    if (this.#iso) out[at++] = 90; // Z
    return at;
  }
}

function writeTwo(out: Uint8Array, at: number, value: number): void {
  const tens = (value / 10) | 0;
  out[at] = ZERO + tens;
  out[at + 1] = ZERO + value - tens * 10;
}
