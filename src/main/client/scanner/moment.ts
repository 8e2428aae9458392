import { HOUR_MS, MINUTE_MS, parseUtc, SECOND_MS } from "#shared/time/utc.ts";
import type { Cursor } from "./bytes.ts";

const T = 0x54;
const Z = 0x5a;
const COLON = 0x3a;
const DOT = 0x2e;

/** Reads moments from bytes; remembers the last day, since rows of one answer are mostly of the same. */
export interface MomentReader {
  /**
   * Reads `2026-01-01T00:00:00.000Z` or `2026-01-01T00:00:00Z` at the cursor, as `parseUtc` does; every other form sets
   * the cursor to -1 (and may still be valid).
   *
   * @param view the same bytes; at least 12 may be read from the cursor on, whatever they are
   */
  read(bytes: Buffer, view: DataView, cursor: Cursor): number;
}

export function createMomentReader(): MomentReader {
  // The first eleven bytes of a moment, `2026-01-01T`, as three words.
  let word0 = 0;
  let word1 = 0;
  let word2 = 0;
  let dayMs = 0;

  function learnDay(bytes: Buffer, view: DataView, at: number): boolean {
    const day = bytes[at + 10] === T ? parseUtc(bytes.toString("latin1", at, at + 10)) : null;
    if (day === null) return false;
    dayMs = day;
    word0 = view.getInt32(at, true);
    word1 = view.getInt32(at + 4, true);
    word2 = view.getInt32(at + 8, true) & 0xffffff;
    return true;
  }

  return {
    read(bytes, view, cursor) {
      const at = cursor.at;
      cursor.at = -1;
      if (
        view.getInt32(at, true) !== word0 ||
        view.getInt32(at + 4, true) !== word1 ||
        (view.getInt32(at + 8, true) & 0xffffff) !== word2
      ) {
        if (!learnDay(bytes, view, at)) return Number.NaN;
      }
      const hour = two(bytes, at + 11);
      const minute = two(bytes, at + 14);
      const second = two(bytes, at + 17);
      // A leap second (:60) is left to parseUtc.
      if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
      if (bytes[at + 13] !== COLON || bytes[at + 16] !== COLON) return Number.NaN;
      let ms = 0;
      let end = at + 19;
      if (bytes[end] === DOT) {
        const tens = two(bytes, at + 20);
        const ones = (bytes[at + 22]! - 0x30) >>> 0;
        if (tens > 99 || ones > 9) return Number.NaN;
        ms = tens * 10 + ones;
        end = at + 23;
      }
      if (bytes[end] !== Z) return Number.NaN;
      cursor.at = end + 1;
      return dayMs + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + ms;
    },
  };
}

/** The number that two digits write; 100 or more where one of them is no digit. */
function two(bytes: Buffer, at: number): number {
  const tens = (bytes[at]! - 0x30) >>> 0;
  const ones = (bytes[at + 1]! - 0x30) >>> 0;
  return tens > 9 || ones > 9 ? 100 : tens * 10 + ones;
}
