import { writeFour, writeTwo } from "./digits.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";

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
  readonly #isIso: boolean;
  /** `2026-01-01T`, a zero at the end. */
  readonly #date = new DataView(new ArrayBuffer(12));
  #dayStartMs = Number.NaN;

  constructor(style: TimeStyle, digits: TimeDigits) {
    this.#isIso = style === "iso";
    this.#digits = digits;
  }

  /** Writes the moment at `at` and returns the position after it. Years 0001 to 9999. */
  write(out: DataView, at: number, moment: UtcMs): number {
    let rest = moment - this.#dayStartMs;
    if (!(rest >= 0 && rest < DAY_MS)) {
      this.#startDay(Math.floor(moment / DAY_MS) * DAY_MS);
      rest = moment - this.#dayStartMs;
    }
    const date = this.#date;
    out.setUint32(at, date.getUint32(0));
    out.setUint32(at + 4, date.getUint32(4));
    out.setUint32(at + 8, date.getUint32(8));
    const ms = rest | 0;
    const seconds = (ms / 1000) | 0;
    const minutes = (seconds / 60) | 0;
    const hours = (minutes / 60) | 0;
    writeTwo(out, at + 11, hours);
    out.setUint8(at + 13, 58); // :
    writeTwo(out, at + 14, minutes - hours * 60);
    out.setUint8(at + 16, 58);
    writeTwo(out, at + 17, seconds - minutes * 60);
    let end = at + 19;
    if (this.#digits === 3) {
      // One digit more than wanted: the point goes where its zero is.
      writeFour(out, end, ms - seconds * 1000);
      out.setUint8(end, 46); // .
      end += 4;
    }
    if (this.#isIso) out.setUint8(end++, 90); // Z
    return end;
  }

  #startDay(startMs: UtcMs): void {
    this.#dayStartMs = startMs;
    const text = `${new Date(startMs).toISOString().slice(0, 10)}${this.#isIso ? "T" : " "}`;
    for (let i = 0; i < text.length; i++) this.#date.setUint8(i, text.charCodeAt(i));
  }
}
