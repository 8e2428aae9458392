/** What JSON calls a number, and nothing else. */
export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The number at `at`, of any form that JSON knows: for those that the kernel leaves to others.
 *
 * @returns its value and where it ends; NaN and 0 where there is no finite number
 */
export function readJsonNumber(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let end = at;
  while (isOfNumber(bytes[end]!)) end++;
  const text = bytes.toString("latin1", at, end);
  const value = JSON_NUMBER.test(text) ? Number(text) : Infinity;
  return Number.isFinite(value) ? { value, end } : { value: Number.NaN, end: 0 };
}

/** Digits, point, signs, and E in both sizes. */
function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2d || byte === 0x2b || (byte | 0x20) === 0x65;
}
