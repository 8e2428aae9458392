import type { CsvCell } from "#shared/file/csv.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import { count, minuteText, visible } from "./text.ts";

// East Asian characters take two columns of a terminal, combining marks none. An approximation that is correct for the
// scripts of place names.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\u200c\u200d]$/u;

/** Created when first needed, because most commands need none. */
let segmenter: Intl.Segmenter | null = null;

/** Number of terminal columns that a text takes. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** Truncates a text to a number of columns at a grapheme boundary, with `…` at the end. */
export function cut(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  let kept = "";
  let width = 1;
  for (const { segment } of segmenter.segment(text)) {
    width += displayWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return columns > 0 ? `${kept}…` : "";
}

/** A column of a table: aligned to the left, and as wide as its content, unless it says otherwise. */
export interface Column<T> {
  readonly cell: (item: T) => string;
  /** The value for programs, where it differs from the text for people: a number without marks, a time with its zone. */
  readonly value?: (item: T) => CsvCell;
  /** Unit of `value`, which ends the name of the column in CSV. */
  readonly unit?: string;
  readonly isRight?: boolean;
  /** Whether it may shrink, down to 8 columns, if the table is wider than the terminal. */
  readonly canShrink?: boolean;
  /** Whether it is left out, after the columns to its right, if the table is wider than the terminal. */
  readonly isExtra?: boolean;
}

type Cell<T> = Column<T> | ((item: T) => string);

/** Columns by their titles, each with the texts of its cells. */
export type Columns<T> = Readonly<Record<string, Cell<T>>>;

export function right<T>(cell: Cell<T>): Column<T> {
  return { ...asColumn(cell), isRight: true };
}

export function shrinking<T>(cell: Cell<T>): Column<T> {
  return { ...asColumn(cell), canShrink: true };
}

/** A column that a narrow terminal leaves out, the last one first. */
export function extra<T>(cell: Cell<T>): Column<T> {
  return { ...asColumn(cell), isExtra: true };
}

/** A column of numbers; null: unknown. @param text formats one for people */
export function amount<T>(
  of: (item: T) => number | null,
  text: (value: number) => string = count,
  unit?: string,
): Column<T> {
  const cell = (item: T): string => {
    const value = of(item);
    return value === null ? "" : text(value);
  };
  return { cell, value: of, isRight: true, ...(unit === undefined ? {} : { unit }) };
}

/** A column of times; null: unknown. @param text formats one for people */
export function moment<T>(of: (item: T) => UtcMs | null, text: (timeMs: UtcMs) => string = minuteText): Column<T> {
  const shown = (item: T, format: (timeMs: UtcMs) => string): string => {
    const timeMs = of(item);
    return timeMs === null ? "" : format(timeMs);
  };
  return { cell: (item) => shown(item, text), value: (item) => shown(item, formatUtcShort) };
}

function asColumn<T>(cell: Cell<T>): Column<T> {
  return typeof cell === "function" ? { cell } : cell;
}

/** The title of a column as `--columns` names it: without units and marks. */
export function columnWord(title: string): string {
  return title
    .replace(/ ?\(.*\)| [°m]$/g, "")
    .replaceAll(/[^\p{L}\p{N}_]+/gu, "_")
    .replace(/_$/, "")
    .toLowerCase();
}

/** The name of a column in CSV, with its unit. */
function csvName<T>(title: string, column: Cell<T>): string {
  const { unit } = asColumn(column);
  return unit === undefined ? columnWord(title) : `${columnWord(title)}_${unit}`;
}

/** Chosen columns, in the order of their names; null if there is no column of a name. */
export function chosenColumns<T>(columns: Columns<T>, names: readonly string[]): Columns<T> | null {
  const chosen = names.flatMap((name) =>
    Object.entries(columns).filter(([title, column]) =>
      [columnWord(title), csvName(title, column)].includes(name.trim().toLowerCase()),
    ),
  );
  if (chosen.length < names.length) return null;
  return Object.fromEntries(chosen.map(([title, column]) => [title, { ...asColumn(column), isExtra: false }]));
}

const GAP = "  ";
const MIN_SHRUNK_WIDTH = 8;

/** A table for programs: the names of columns, then a row for each item. */
export function csvCells<T>(items: readonly T[], columns: Columns<T>): CsvCell[][] {
  const all = Object.values(columns).map(asColumn);
  const names = Object.entries(columns).map(([title, column]) => csvName(title, column));
  return [names, ...items.map((item) => all.map(({ cell, value = cell }) => value(item)))];
}

/**
 * Formats a table: titles, a rule, rows. Escapes control characters of all cells.
 *
 * @param width columns of the terminal; null does not truncate cells, for files and pipes
 */
export function table<T>(items: readonly T[], columns: Columns<T>, width: number | null): string[] {
  const cellsOf = Object.values(columns).map((column) => asColumn(column).cell);
  const rows = [Object.keys(columns), ...items.map((item) => cellsOf.map((cell) => cell(item)))];
  const all = Object.values(columns).map((column, i): Sized => {
    const cells = rows.map((row) => visible(row[i] ?? ""));
    return {
      ...asColumn(column as Cell<never>),
      cells,
      width: cells.reduce((widest, cell) => Math.max(widest, displayWidth(cell)), 0),
    };
  });
  const sized = width === null ? all : fitting(all, width);
  if (width !== null) shrink(sized, width);
  const lines = rows.map((_, row) => {
    const cells = sized.map((column) => pad(cut(column.cells[row] ?? "", column.width), column.width, column.isRight));
    return cells.join(GAP).trimEnd();
  });
  return lines.toSpliced(1, 0, sized.map((column) => "─".repeat(column.width)).join(GAP));
}

type Sized = Column<never> & { readonly cells: readonly string[]; width: number };

function widthOf(columns: readonly Sized[]): number {
  return columns.reduce((sum, column) => sum + column.width, GAP.length * (columns.length - 1));
}

/** Leaves out extra columns until the table fits without shrinking a name in its first column. */
function fitting(columns: readonly Sized[], width: number): readonly Sized[] {
  const least = columns.map((column, i) =>
    i > 0 && column.canShrink ? { ...column, width: Math.min(column.width, MIN_SHRUNK_WIDTH) } : column,
  );
  const last = columns.findLastIndex((column) => column.isExtra);
  if (last < 0 || widthOf(least) <= width) return columns;
  return fitting(columns.toSpliced(last, 1), width);
}

/** Shrinks the widest column repeatedly, the first one last, until the table fits or no column may shrink further. */
function shrink(columns: readonly Sized[], width: number): void {
  let excess = widthOf(columns) - width;
  const [first, ...others] = columns;
  excess = shrinkAll(others, excess);
  if (first) shrinkAll([first], excess);
}

/** @returns the excess that remains */
function shrinkAll(columns: readonly Sized[], from: number): number {
  const shrinking = columns.filter((column) => column.canShrink);
  let excess = from;
  for (; excess > 0; excess--) {
    const [widest] = shrinking.filter((c) => c.width > MIN_SHRUNK_WIDTH).toSorted((a, b) => b.width - a.width);
    if (!widest) return excess;
    widest.width--;
  }
  return excess;
}

function pad(text: string, width: number, isRight = false): string {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return isRight ? space + text : text + space;
}
