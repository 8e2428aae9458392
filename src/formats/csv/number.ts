const TENS = [1, 10, 100, 1_000, 10_000];
/** Below this the integer part fits 32 bits and a scaled value stays far below 15 digits. */
const FAST_LIMIT = 1e9;
const ZERO = 48;

/** Longest text that `writeNumber` makes: `-1.2345678901234567e-300` and one to spare. */
export const MAX_NUMBER_BYTES = 25;

/**
 * Writes the shortest text that reads back as the same double, identical to `String(value)`, and returns the position
 * after it. `value` must be finite.
 *
 * Where value × 10^d rounded and divided by 10^d again is the value itself, the decimal with d digits reads back as the
 * value; and since no two decimals of at most 15 digits are the same double, it is the shortest one, too.
 */
export function writeNumber(out: Uint8Array, at: number, value: number): number {
  const magnitude = Math.abs(value);
  if (magnitude < FAST_LIMIT) {
    for (let decimals = 0; decimals < TENS.length; decimals++) {
      const ten = TENS[decimals]!;
      const scaled = Math.round(magnitude * ten);
      if (scaled / ten === magnitude) {
        if (value < 0) out[at++] = 45; // -
        const whole = Math.floor(magnitude);
        at = writeDigits(out, at, whole);
        return decimals === 0 ? at : writeFraction(out, at, scaled - whole * ten, decimals);
      }
    }
  }
  const text = String(value);
  for (let i = 0; i < text.length; i++) out[at++] = text.charCodeAt(i);
  return at;
}

/** A whole number below 2^31. */
function writeDigits(out: Uint8Array, at: number, whole: number): number {
  let rest = whole | 0;
  let end = at + 1;
  for (let bound = 10; rest >= bound; bound *= 10) end++;
  for (let i = end - 1; i >= at; i--) {
    const next = (rest / 10) | 0;
    out[i] = ZERO + rest - next * 10;
    rest = next;
  }
  return end;
}

function writeFraction(out: Uint8Array, at: number, fraction: number, decimals: number): number {
  out[at++] = 46; // .
  let rest = fraction | 0;
  for (let i = at + decimals - 1; i >= at; i--) {
    const next = (rest / 10) | 0;
    out[i] = ZERO + rest - next * 10;
    rest = next;
  }
  return at + decimals;
}
