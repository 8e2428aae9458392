import { SPARE_BYTES, writeFour, writeWhole } from "./digits.ts";
import { PRECISE_MAX, PRECISE_MIN, writePrecise } from "./precise.ts";

/** Below this a value times 10,000 fits 31 bits. */
const FAST_LIMIT = 200_000;

/** Room that `writeNumber` needs: `-1.2345678901234567e-300` and what may be written beyond it. */
export const MAX_NUMBER_BYTES = 25 + SPARE_BYTES;

/**
 * Writes the shortest text that reads back as the same double, identical to `String(value)`, and returns the position
 * after it. `value` must be finite.
 *
 * Where value × 10^4 rounded and divided by 10^4 again is the value itself, that decimal reads back as the
 * value; and since no two decimals of at most 15 digits are the same double, it is the shortest one, too.
 */
export function writeNumber(out: DataView, at: number, value: number): number {
  const magnitude = Math.abs(value);
  const start = value < 0 ? at + 1 : at;
  let end = -1;
  if (magnitude < FAST_LIMIT) {
    const scaled = Math.round(magnitude * 10_000);
    if (scaled / 10_000 === magnitude) end = writeDecimal(out, start, scaled);
  }
  if (end < 0 && magnitude >= PRECISE_MIN && magnitude < PRECISE_MAX) end = writePrecise(out, start, magnitude);
  if (end < 0) return writeText(out, at, String(value));
  if (value < 0) out.setUint8(at, 45); // -
  return end;
}

/** Ten-thousandths as a decimal without trailing zeros. */
function writeDecimal(out: DataView, at: number, scaled: number): number {
  const tenThousandths = scaled | 0;
  const whole = (tenThousandths / 10_000) | 0;
  const fraction = tenThousandths - whole * 10_000;
  const end = writeWhole(out, at, whole);
  if (fraction === 0) return end;
  out.setUint8(end, 46); // .
  writeFour(out, end + 1, fraction);
  if (fraction === ((fraction / 1_000) | 0) * 1_000) return end + 2;
  if (fraction === ((fraction / 100) | 0) * 100) return end + 3;
  return fraction === ((fraction / 10) | 0) * 10 ? end + 4 : end + 5;
}

function writeText(out: DataView, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) out.setUint8(at + i, text.charCodeAt(i));
  return at + text.length;
}
