/**
 * Decimal digits four at a time: a store of 32 bits is as quick as one of 8, and a table is quicker than divisions.
 * Everything here writes big-endian, so that the first digit comes first. What goes beyond the digits that count is
 * overwritten by whatever comes next, or lies beyond the end of the text: there must be room for it.
 */

const ZERO = 48;

/** `0000` to `9999` as four characters. */
const FOUR = Uint32Array.from({ length: 10_000 }, (_, n) => characters(String(n).padStart(4, "0")));
/** The same without leading zeros; what is behind the digits does not count. */
const SHORT = Uint32Array.from({ length: 10_000 }, (_, n) => characters(String(n).padEnd(4, "0")));

/** Bytes that may be written beyond the digits. */
export const SPARE_BYTES = 8;

/** Exactly two digits, leading zero included. */
export function writeTwo(out: DataView, at: number, value: number): void {
  out.setUint16(at, FOUR[value]!);
}

/** Exactly four digits, leading zeros included. */
export function writeFour(out: DataView, at: number, value: number): void {
  out.setUint32(at, FOUR[value]!);
}

/** Exactly eight digits, leading zeros included. */
export function writeEight(out: DataView, at: number, value: number): void {
  const high = (value / 10_000) | 0;
  out.setUint32(at, FOUR[high]!);
  out.setUint32(at + 4, FOUR[(value | 0) - high * 10_000]!);
}

/** A whole number from 0 to 2^31 - 1 without leading zeros; returns the position after it. */
export function writeWhole(out: DataView, at: number, value: number): number {
  if (value < 10_000) {
    out.setUint32(at, SHORT[value]!);
    return at + (value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : 4);
  }
  const high = (value / 10_000) | 0;
  const end = writeWhole(out, at, high);
  out.setUint32(end, FOUR[value - high * 10_000]!);
  return end + 4;
}

function characters(text: string): number {
  return [...text].reduce((word, digit) => word * 256 + ZERO + Number(digit), 0);
}
