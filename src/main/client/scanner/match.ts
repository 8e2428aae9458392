import { addAnomaly, type AnomalyCounts } from "#shared/series/rows.ts";
import type { Blocks } from "./blocks.ts";
import { cursorOf, plainStringEnd } from "./bytes.ts";
import { createMomentReader } from "./moment.ts";
import { readNumber } from "./number.ts";
import { type Literal, SCALAR, type Template, TEXT, TIME } from "./template.ts";

/**
 * Bytes that must stand behind the data. The first of them is zero, which no row holds: it stops every reader and equals
 * no literal, so that none needs to ask where the data ends. The others are for words that are read across that end.
 */
export const SLACK = 64;

/** `null`, and the `NaN` or `""` that some writers put where a number is missing, as little-endian words. */
const NULL_WORD = 0x6c6c_756e;
const NAN_WORD = 0x4e_614e;
const EMPTY_WORD = 0x2222;

/** Reads rows of known shape straight from their bytes. */
export interface Matcher {
  /**
   * Reads the row at `at` into the template's block, if it has exactly that shape.
   *
   * @returns index behind the row; -1 where it has another shape or is not whole, and nothing was added then
   */
  match(template: Template, at: number): number;
}

/** @param bytes the buffer that all rows will be read from, with SLACK behind the data */
export function createMatcher(bytes: Buffer, blocks: Blocks, anomalies: AnomalyCounts): Matcher {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const moments = createMomentReader();
  const cursor = cursorOf();

  function isLiteral({ length, doubles, words, masks }: Literal, at: number): boolean {
    const last = doubles.length - 1;
    if (last < 0)
      return (view.getInt32(at, true) & masks[0]) === words[0] && (view.getInt32(at + 4, true) & masks[1]) === words[1];
    for (let k = 0; k < last; k++) if (view.getFloat64(at + 8 * k, true) !== doubles[k]) return false;
    return view.getFloat64(at + length - 8, true) === doubles[last];
  }

  /** Moves the cursor behind a word, if it stands there. */
  function passWord(word: number, mask: number, length: number): boolean {
    if ((view.getInt32(cursor.at, true) & mask) !== word) return false;
    cursor.at += length;
    return true;
  }

  function passNull(): boolean {
    return passWord(NULL_WORD, -1, 4);
  }

  /** The text at the cursor, or null for `null`; sets the cursor to -1 where neither is plain to read. */
  function readText(): string | null {
    if (passNull()) return null;
    const start = cursor.at;
    cursor.at = plainStringEnd(bytes, start);
    return cursor.at < 0 ? null : bytes.toString("latin1", start + 1, cursor.at - 1);
  }

  return {
    match(template, start) {
      const { block, literals, slots } = template;
      const row = block.rows;
      let textLength = 0;
      let empty = true;
      let unreadable = 0;
      cursor.at = start;
      for (let k = 0; k < slots.length; k++) {
        const literal = literals[k]!;
        if (!isLiteral(literal, cursor.at)) return -1;
        cursor.at += literal.length;
        const { kind, column } = slots[k]!;
        if (kind === SCALAR) {
          let value = Number.NaN;
          if (passWord(NAN_WORD, 0xff_ffff, 3) || passWord(EMPTY_WORD, 0xffff, 2)) unreadable++;
          else if (!passNull()) {
            readNumber(bytes, view, cursor);
            if (cursor.at < 0) return -1;
            value = cursor.value;
            empty = false;
          }
          block.scalars[column]![row] = value;
        } else if (kind === TIME) {
          moments.read(bytes, view, cursor);
          if (cursor.at < 0) return -1;
          block.timesMs[row] = cursor.value;
        } else if (kind === TEXT) {
          const text = readText();
          if (cursor.at < 0) return -1;
          block.texts[column]![row] = text;
          if (text !== null) textLength += text.length;
        } else if (!passNull()) {
          if (bytes[cursor.at] === 0x22) cursor.at = plainStringEnd(bytes, cursor.at);
          else readNumber(bytes, view, cursor);
          if (cursor.at < 0) return -1;
        }
      }
      const last = literals[slots.length]!;
      if (!isLiteral(last, cursor.at)) return -1;
      const end = cursor.at + last.length;

      const { missingScalars, missingTexts } = template;
      if (missingScalars.length + missingTexts.length > 0) {
        for (const column of missingScalars) block.scalars[column]![row] = Number.NaN;
        for (const column of missingTexts) block.texts[column]![row] = null;
        addAnomaly(anomalies, "missingVariable");
      }
      addAnomaly(anomalies, "unreadableValue", unreadable);
      if (empty && textLength === 0) addAnomaly(anomalies, "emptyRow");
      blocks.commit(block, textLength);
      return end;
    },
  };
}
