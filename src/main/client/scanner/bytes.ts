/** Bytes with a meaning in JSON. */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;

/** Whether it is white space in JSON: space, tab, line feed or carriage return; false past the end of the bytes. */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** 1 for bytes of a JSON string that need no decoding: ASCII without control characters, `"` and `\`. */
const PLAIN: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);

/**
 * Returns the index after the closing quote of the plain string that begins at `at`; -1 if none begins there, or if it
 * contains an escape or a byte outside ASCII, or has no end (a zero byte follows the data).
 */
export function plainStringEnd(bytes: Buffer, at: number): number {
  if (bytes[at] !== QUOTE) return -1;
  let i = at + 1;
  while (PLAIN[bytes[i]!] === 1) i++;
  return bytes[i] === QUOTE ? i + 1 : -1;
}
