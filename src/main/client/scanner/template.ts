import { IDENTITY_FIELDS } from "#shared/service/stationId.ts";
import { COLON, COMMA, createEndFinder, isSpace, plainStringEnd, QUOTE } from "./bytes.ts";
import type { Block, Columns } from "./blocks.ts";
import type { Kernel } from "./kernel/kernel.ts";
import {
  IGNORED,
  LAST,
  SCALAR,
  STEP_BYTES,
  STEP_COLUMN,
  STEP_KIND,
  STEP_LITERAL,
  STEP_MASK,
  STEP_REST,
  STEP_WORDS,
  TEMPLATE_BLOCK,
  TEMPLATE_HAS_TEXTS,
  TEMPLATE_LACKING,
  TEMPLATE_LACKING_AT,
  TEMPLATE_NEXT,
  TEMPLATE_OTHER,
  TEMPLATE_STEPS,
  TEXT,
  TIME,
} from "./kernel/layout.ts";

/** A shape in the kernel's memory, for the rows of one station. */
export interface Template {
  readonly address: number;
  readonly block: Block;
  /** Text columns with a value in rows of this shape. */
  readonly texts: readonly TextColumn[];
  /** All other text columns of the block. */
  readonly missingTexts: readonly TextColumn[];
}

interface TextColumn {
  /** Its index. */
  readonly column: number;
  readonly values: (string | null)[];
}

interface Slot {
  readonly kind: typeof TIME | typeof SCALAR | typeof TEXT | typeof IGNORED;
  /** Index of the column among the scalars or texts. */
  readonly column: number;
}

/**
 * The shape of a row: its bytes without the time and the values. The rest (keys in their order, white space, the
 * station's id and name) is mostly the same in the station's next row, and comparing it eight bytes at a time is all the
 * parsing it needs: bytes equal to those of a valid row are valid.
 */
interface Shape {
  /** The literals as one text: equal for rows of the same shape and station. */
  readonly key: string;
  /** One before each slot and one after the last. */
  readonly literals: readonly Buffer[];
  readonly slots: readonly Slot[];
  /** Scalar columns that rows of this shape do not have. */
  readonly missingScalars: readonly number[];
}

const NULL_N = 0x6e;
const NAN_N = 0x4e;

/** Keys that identify the station: rows of one shape belong to one station. */
const IDENTITY_KEYS: ReadonlySet<string> = new Set(IDENTITY_FIELDS);
/** Longer shapes are not learned. */
const MAX_LITERAL_BYTES = 4_096;

/**
 * @param row exactly the bytes of one row that `JSON.parse` has accepted
 * @returns null if the next row is unlikely to be similar (a value of another type, a duplicate key, or one with escapes)
 */
export function shapeOf(row: Buffer, columns: Columns): Shape | null {
  const members = membersOf(row);
  if (members === null || new Set(members.map((m) => m.key)).size < members.length) return null;
  const slots: Slot[] = [];
  const literals: Buffer[] = [];
  let literalStart = 0;
  for (const { key, start, end } of members) {
    const first = row[start]!;
    const kind = slotOf(key, columns);
    if (kind === null || (kind.kind === IGNORED && !isSimple(first))) continue;
    if (!fits(kind, first)) return null;
    slots.push(kind);
    // The quotes of a time belong to the literals.
    const quote = kind.kind === TIME ? 1 : 0;
    literals.push(row.subarray(literalStart, start + quote));
    literalStart = end - quote;
  }
  if (slots.filter((slot) => slot.kind === TIME).length !== 1) return null;
  literals.push(row.subarray(literalStart));
  const key = literals.map((literal) => literal.toString("latin1")).join("\0");
  if (key.length > MAX_LITERAL_BYTES) return null;
  const missingScalars = [...columns.scalars.keys()].filter((column) => !hasColumn(slots, SCALAR, column));
  return { key, literals, slots, missingScalars };
}

function hasColumn(slots: readonly Slot[], kind: Slot["kind"], column: number): boolean {
  return slots.some((slot) => slot.kind === kind && slot.column === column);
}

function slotOf(key: string, columns: Columns): Slot | null {
  if (IDENTITY_KEYS.has(key)) return null;
  if (key === "timestamp") return { kind: TIME, column: 0 };
  const scalar = columns.scalars.findIndex((v) => v === key);
  if (scalar >= 0) return { kind: SCALAR, column: scalar };
  const text = columns.texts.findIndex((v) => v === key);
  return text >= 0 ? { kind: TEXT, column: text } : { kind: IGNORED, column: 0 };
}

/** Whether a value that begins with this byte is a text, a number or null. */
function isSimple(first: number): boolean {
  return first === QUOTE || first === NULL_N || isNumeric(first);
}

function isNumeric(first: number): boolean {
  return first === 0x2d || (first >= 0x30 && first <= 0x39);
}

function fits(slot: Slot, first: number): boolean {
  if (slot.kind === TIME) return first === QUOTE;
  if (slot.kind === TEXT) return first === QUOTE || first === NULL_N;
  // A text among numbers may be the empty one, which means no value.
  return slot.kind === IGNORED || first === QUOTE || first === NULL_N || first === NAN_N || isNumeric(first);
}

interface Member {
  readonly key: string;
  /** Start of the value in the row. */
  readonly start: number;
  readonly end: number;
}

/** The members of a valid JSON object; null if a key is not plain. */
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
  while (isSpace(row[at])) at++;
  return at;
}

/** Writes a shape into the kernel's memory. */
export function placeTemplate(kernel: Kernel, shape: Shape, block: Block): Template {
  const { slots, missingScalars } = shape;
  // Copied first: an allocation may move the memory that contains the literals.
  const copies = shape.literals.map((literal) => Buffer.from(literal));
  const literals = copies.map((copy) => ({ address: placeBytes(kernel, copy), length: copy.length }));
  const lacking = kernel.allocate(4 * missingScalars.length);
  const address = kernel.allocate(TEMPLATE_STEPS + STEP_BYTES * literals.length);
  const put = (at: number, value: number): void => void kernel.bytes.writeInt32LE(value, at);
  missingScalars.forEach((column, k) => put(lacking + 4 * k, column));
  put(address + TEMPLATE_BLOCK, block.address);
  put(address + TEMPLATE_NEXT, 0);
  put(address + TEMPLATE_OTHER, 0);
  put(address + TEMPLATE_LACKING, missingScalars.length);
  put(address + TEMPLATE_LACKING_AT, lacking);
  put(address + TEMPLATE_HAS_TEXTS, block.texts.length > 0 ? 1 : 0);
  literals.forEach((literal, k) => {
    const step = address + TEMPLATE_STEPS + STEP_BYTES * k;
    const slot = slots[k];
    const rest = literal.length % 8;
    put(step + STEP_LITERAL, literal.address);
    put(step + STEP_WORDS, (literal.length - rest) / 8);
    put(step + STEP_REST, rest);
    put(step + STEP_KIND, slot?.kind ?? LAST);
    put(step + STEP_COLUMN, slot?.column ?? 0);
    kernel.bytes.writeBigUInt64LE((1n << BigInt(8 * rest)) - 1n, step + STEP_MASK);
  });
  const columns = block.texts.map((values, column) => ({ column, values }));
  return {
    address,
    block,
    texts: columns.filter(({ column }) => hasColumn(slots, TEXT, column)),
    missingTexts: columns.filter(({ column }) => !hasColumn(slots, TEXT, column)),
  };
}

/** With space after it for a word that is read across its end. */
function placeBytes(kernel: Kernel, bytes: Buffer): number {
  const address = kernel.allocate(bytes.length + 8);
  kernel.bytes.set(bytes, address);
  return address;
}
