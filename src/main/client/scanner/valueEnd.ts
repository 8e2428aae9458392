import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, isSpace, OPEN_BRACE, OPEN_BRACKET, QUOTE } from "./bytes.ts";

/**
 * Finds the end of a JSON value across any number of chunks of the body, without reading a byte twice. `JSON.parse`
 * decides whether the value is valid.
 */
interface EndFinder {
  /** Begins a new value at the next `start` of `find`. */
  reset(): void;
  /**
   * @param start index of the value's first byte, which may move from call to call as the buffer is compacted
   * @param limit index after the last available byte
   * @returns index after the value; -1 if its end has not arrived yet
   */
  find(bytes: Buffer, start: number, limit: number): number;
}

export function createEndFinder(): EndFinder {
  let seen = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;

  return {
    reset() {
      seen = 0;
      depth = 0;
      inString = false;
      escaped = false;
    },
    find(bytes, start, limit) {
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
