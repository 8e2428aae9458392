import { visible } from "./text.ts";

// East Asian characters take two columns of a terminal, combining marks none. An approximation that is correct for the
// scripts of place names.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\u200c\u200d]$/u;

/** Created when first needed, because most commands need none. */
let segmenter: Intl.Segmenter | null = null;

/** Number of terminal columns that a text takes. */
export function displayWidth(text: string): number {
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

interface TableColumn {
  readonly title: string;
  readonly isRight?: boolean;
  /** Whether it may shrink, down to 8 columns, if the table is wider than the terminal. */
  readonly canShrink?: boolean;
}

/** A column with its title; aligned to the left, and as wide as its content, unless it says otherwise. */
export type Column = string | TableColumn;

export function right(title: string): TableColumn {
  return { title, isRight: true };
}

export function shrinking(title: string): TableColumn {
  return { title, canShrink: true };
}

const GAP = "  ";
const MIN_SHRUNK_WIDTH = 8;

/**
 * Formats a table: titles, a rule, rows. Escapes control characters of all cells.
 *
 * @param width columns of the terminal; null does not truncate cells, for files and pipes
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string[] {
  const sized = columns.map((given, i) => {
    const column: TableColumn = typeof given === "string" ? { title: given } : given;
    const cells = [column.title, ...rows.map((row) => visible(row[i] ?? ""))];
    return { ...column, cells, width: cells.reduce((widest, cell) => Math.max(widest, displayWidth(cell)), 0) };
  });
  if (width !== null) shrink(sized, width);
  const lines = [columns, ...rows].map((_, row) => {
    const cells = sized.map((column) => pad(cut(column.cells[row] ?? "", column.width), column.width, column.isRight));
    return cells.join(GAP).trimEnd();
  });
  return lines.toSpliced(1, 0, sized.map((column) => "─".repeat(column.width)).join(GAP));
}

/** Shrinks the widest column repeatedly, until the table fits or no column may shrink further. */
function shrink(columns: readonly (TableColumn & { width: number })[], width: number): void {
  const shrinking = columns.filter((column) => column.canShrink);
  let excess = columns.reduce((sum, column) => sum + column.width, GAP.length * (columns.length - 1)) - width;
  for (; excess > 0; excess--) {
    const [widest] = shrinking.filter((c) => c.width > MIN_SHRUNK_WIDTH).toSorted((a, b) => b.width - a.width);
    if (!widest) return;
    widest.width--;
  }
}

function pad(text: string, width: number, isRight = false): string {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return isRight ? space + text : text + space;
}
