import { COLON, COMMA, isSpace, plainStringEnd, QUOTE } from "./bytes.ts";
import type { Block, Columns } from "./blocks.ts";
import { createEndFinder } from "./ends.ts";

/**
 * The shape of a row that was seen: its bytes with the time and the values cut out. What is left (keys in their order,
 * white space, the station's id and name) is mostly the same in the station's next row, and comparing it four bytes at
 * a time is all the reading it needs: bytes equal to those of a valid row are valid.
 */
export interface Template {
  readonly block: Block;
  /** One literal before each slot and one behind the last. */
  readonly literals: readonly Literal[];
  readonly slots: readonly Slot[];
  /** Columns that rows of this shape do not have. */
  readonly missingScalars: readonly number[];
  readonly missingTexts: readonly number[];
  /** The shapes that followed this one, latest first: where the next row is guessed from. */
  next: Template | null;
  other: Template | null;
}

export interface Literal {
  readonly length: number;
  /**
   * The bytes as little-endian doubles, the last one of the last eight bytes, so that it may overlap the one before:
   * as doubles they are compared in half as many steps. Bytes of a JSON text make neither zero nor NaN, so that equal
   * doubles are equal bytes. Empty where there are fewer than eight.
   */
  readonly doubles: Float64Array;
  /** Fewer than eight bytes as two words, to be compared under their masks. */
  readonly words: readonly [number, number];
  readonly masks: readonly [number, number];
}

export const TIME = 0;
export const SCALAR = 1;
export const TEXT = 2;
export const IGNORED = 3;

export interface Slot {
  readonly kind: typeof TIME | typeof SCALAR | typeof TEXT | typeof IGNORED;
  /** Index of the column among the scalars or texts. */
  readonly column: number;
}

/** A shape without its station: what is learned from the bytes of one valid row. */
export interface Shape {
  /** The literals as one text: equal for rows of the same shape and station. */
  readonly key: string;
  readonly literals: readonly Literal[];
  readonly slots: readonly Slot[];
  readonly missingScalars: readonly number[];
  readonly missingTexts: readonly number[];
}

export function templateFor(shape: Shape, block: Block): Template {
  const { literals, slots, missingScalars, missingTexts } = shape;
  return { block, literals, slots, missingScalars, missingTexts, next: null, other: null };
}

const NULL_N = 0x6e;
const NAN_N = 0x4e;

const FOREVER_THE_SAME = new Set(["station_id", "receiver_id", "display_name"]);
/** A shape longer than this is not worth keeping. */
const MOST_LITERAL_BYTES = 4_096;

/**
 * @param row exactly the bytes of one row that `JSON.parse` has accepted
 * @returns null where the next row is not likely to look alike (a value of another type, a key twice or with escapes)
 */
export function shapeOf(row: Buffer, columns: Columns): Shape | null {
  const members = membersOf(row);
  if (members === null || new Set(members.map((m) => m.key)).size < members.length) return null;
  const slots: Slot[] = [];
  const cuts: { start: number; end: number }[] = [];
  for (const { key, start, end } of members) {
    const first = row[start]!;
    const kind = kindOf(key, columns);
    if (kind === null || (kind.kind === IGNORED && !isSimple(first))) continue;
    if (!fits(kind, first)) return null;
    slots.push(kind);
    // The quotes of a time belong to the literals.
    cuts.push(kind.kind === TIME ? { start: start + 1, end: end - 1 } : { start, end });
  }
  if (slots.filter((slot) => slot.kind === TIME).length !== 1) return null;
  const pieces = [...cuts, { start: row.length, end: row.length }].map(({ start }, k) =>
    row.subarray(k === 0 ? 0 : cuts[k - 1]!.end, start),
  );
  const key = pieces.map((piece) => piece.toString("latin1")).join("\0");
  if (key.length > MOST_LITERAL_BYTES) return null;
  const without = (kind: number, all: readonly string[]) =>
    all.map((_, k) => k).filter((k) => !slots.some((slot) => slot.kind === kind && slot.column === k));
  return {
    key,
    literals: pieces.map(literalOf),
    slots,
    missingScalars: without(SCALAR, columns.scalars),
    missingTexts: without(TEXT, columns.texts),
  };
}

function kindOf(key: string, columns: Columns): Slot | null {
  if (FOREVER_THE_SAME.has(key)) return null;
  if (key === "timestamp") return { kind: TIME, column: 0 };
  const scalar = columns.scalars.findIndex((v) => v === key);
  if (scalar >= 0) return { kind: SCALAR, column: scalar };
  const text = columns.texts.findIndex((v) => v === key);
  return text >= 0 ? { kind: TEXT, column: text } : { kind: IGNORED, column: 0 };
}

/** Whether a value beginning so is a text, a number or null. */
function isSimple(first: number): boolean {
  return first === QUOTE || first === NULL_N || isNumeric(first);
}

function isNumeric(first: number): boolean {
  return first === 0x2d || (first >= 0x30 && first <= 0x39);
}

function fits(slot: Slot, first: number): boolean {
  if (slot.kind === TIME) return first === QUOTE;
  if (slot.kind === TEXT) return first === QUOTE || first === NULL_N;
  // A text among the numbers may be the empty one, which stands for no value.
  return slot.kind === IGNORED || first === QUOTE || first === NULL_N || first === NAN_N || isNumeric(first);
}

interface Member {
  readonly key: string;
  /** Where the value stands. */
  readonly start: number;
  readonly end: number;
}

/** The members of a valid JSON object; null where a key is not plain. */
function membersOf(row: Buffer): Member[] | null {
  const members: Member[] = [];
  const finder = createEndFinder();
  let at = skipSpace(row, 1);
  while (row[at] === QUOTE) {
    const keyEnd = plainStringEnd(row, at);
    if (keyEnd < 0) return null;
    const key = row.toString("latin1", at + 1, keyEnd - 1);
    at = skipSpace(row, keyEnd);
    if (row[at] !== COLON) return null;
    at = skipSpace(row, at + 1);
    finder.reset();
    const end = finder.find(row, at, row.length);
    if (end < 0) return null;
    members.push({ key, start: at, end });
    at = skipSpace(row, end);
    if (row[at] === COMMA) at = skipSpace(row, at + 1);
  }
  return members;
}

function skipSpace(row: Buffer, from: number): number {
  let at = from;
  while (isSpace(row[at]!)) at++;
  return at;
}

function literalOf(bytes: Buffer): Literal {
  const { length } = bytes;
  const starts = Array.from({ length: length >> 3 }, (_, k) => 8 * k);
  if (length > 8 && length % 8 > 0) starts.push(length - 8);
  const padded = Buffer.concat([bytes, Buffer.alloc(8)]);
  return {
    length,
    doubles: Float64Array.from(starts, (at) => bytes.readDoubleLE(at)),
    words: [padded.readInt32LE(0), padded.readInt32LE(4)],
    masks: [maskOf(length), maskOf(length - 4)],
  };
}

function maskOf(bytes: number): number {
  return bytes >= 4 ? -1 : (1 << (8 * Math.max(0, bytes))) - 1;
}
