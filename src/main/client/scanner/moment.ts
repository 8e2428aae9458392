import { HOUR_MS, MINUTE_MS, parseUtc, SECOND_MS } from "#shared/time/utc.ts";
import type { Cursor } from "./bytes.ts";

const T = 0x54;
const Z = 0x5a;
/** `00:0`, `0:00` and `.000` as little-endian words. */
const HOURS = 0x303a_3030;
const MINUTES = 0x3030_3a30;
const MILLISECONDS = 0x3030_302e;

/** Reads moments from bytes; remembers the last day, since rows of one answer are mostly of the same. */
export interface MomentReader {
  /**
   * Reads `2026-01-01T00:00:00.000Z` or `2026-01-01T00:00:00Z` at the cursor, as `parseUtc` does; every other form sets
   * the cursor to -1 (and may still be valid).
   *
   * @param view the same bytes; at least 24 may be read from the cursor on, whatever they are
   */
  read(bytes: Buffer, view: DataView, cursor: Cursor): void;
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
        if (!learnDay(bytes, view, at)) return;
      }
      // What is left of `00:00:00.000` as three words without the bits of its digits: digits, and zero for the signs.
      const first = view.getInt32(at + 11, true) ^ HOURS;
      const second = view.getInt32(at + 15, true) ^ MINUTES;
      const third = view.getInt32(at + 19, true) ^ MILLISECONDS;
      if ((notDigits(first) | (first & 0xff_0000) | notDigits(second) | (second & 0xff00)) !== 0) return;
      const hours = (first & 0xff) * 10 + ((first >>> 8) & 0xff);
      const minutes = (first >>> 24) * 10 + (second & 0xff);
      const seconds = ((second >>> 16) & 0xff) * 10 + (second >>> 24);
      // A leap second (:60) is left to parseUtc.
      if (hours > 23 || minutes > 59 || seconds > 59) return;
      const wholeMs = dayMs + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS;
      if (bytes[at + 19] === Z) {
        cursor.at = at + 20;
        cursor.value = wholeMs;
        return;
      }
      if ((notDigits(third) | (third & 0xff)) !== 0 || bytes[at + 23] !== Z) return;
      cursor.at = at + 24;
      cursor.value = wholeMs + ((third >>> 8) & 0xff) * 100 + ((third >>> 16) & 0xff) * 10 + (third >>> 24);
    },
  };
}

/** Zero where each of the four bytes is 0 to 9. */
function notDigits(word: number): number {
  return (word | (word + 0x0606_0606)) & 0xf0f0_f0f0;
}
