/** Bytes with a meaning in JSON. */
export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
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

/**
 * Creates a finder of the end of a JSON value across any number of chunks of the body, without reading a byte twice.
 * `JSON.parse` decides whether the value is valid.
 */
export function createEndFinder() {
  let seen = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;

  return {
    /** Begins a new value at the next `start` of `find`. */
    reset(): void {
      seen = 0;
      depth = 0;
      inString = false;
      escaped = false;
    },
    /**
     * @param start index of the value's first byte, which may move from call to call as the buffer is compacted
     * @param limit index after the last available byte
     * @returns index after the value; -1 if its end has not arrived yet
     */
    find(bytes: Buffer, start: number, limit: number): number {
      for (let i = start + seen; i < limit; i++) {
        const byte = bytes[i]!;
        if (inString) {
          if (escaped) escaped = false;
          else if (byte === BACKSLASH) escaped = true;
          else if (byte === QUOTE) {
            inString = false;
            if (depth === 0) return i + 1;
          }
        } else if (byte === QUOTE) inString = true;
        else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
        else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
          // A number or word ends before the closing bracket of the object or list around it.
          if (depth === 0) return i;
          if (--depth === 0) return i + 1;
        } else if (depth === 0 && (byte === COMMA || isSpace(byte))) return i;
      }
      seen = limit - start;
      return -1;
    },
  };
}
