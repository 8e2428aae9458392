import { visible } from "./text.ts";
import { cut, displayWidth } from "./width.ts";

export interface TableColumn {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Whether it may shrink, down to 8 columns, if the table is wider than the terminal. */
  readonly canShrink?: boolean;
}

const GAP = "  ";
const MIN_SHRUNK_WIDTH = 8;

/**
 * Formats a table: titles, a rule, rows. Escapes control characters of all cells.
 *
 * @param width columns of the terminal; null does not truncate cells, for files and pipes
 */
export function table(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string[] {
  const sized = columns.map((column, i) => {
    const cells = [column.title, ...rows.map((row) => visible(row[i] ?? ""))];
    return { ...column, cells, width: cells.reduce((widest, cell) => Math.max(widest, displayWidth(cell)), 0) };
  });
  if (width !== null) shrink(sized, width);
  const lines = [columns, ...rows].map((_, row) => {
    const cells = sized.map((column) => pad(cut(column.cells[row] ?? "", column.width), column.width, column.align));
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

function pad(text: string, width: number, align: TableColumn["align"]): string {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "right" ? space + text : text + space;
}
