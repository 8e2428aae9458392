import { visible } from "./text.ts";
import { cut, displayWidth } from "./width.ts";

export interface TableColumn {
  readonly title: string;
  readonly align?: "left" | "right";
  /** May be made narrower, down to 8, where the table is wider than the terminal. */
  readonly canShrink?: boolean;
}

const GAP = "  ";
const NARROWEST = 8;

/**
 * Lines of a table: titles, a rule, rows. Cells are made harmless to the terminal here, so that no caller can forget it.
 *
 * @param width columns of the terminal; null leaves every cell whole, for files and pipes
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

/** Takes from the widest column that may shrink, until the table fits or none may any more. */
function shrink(columns: readonly (TableColumn & { width: number })[], width: number): void {
  const shrinking = columns.filter((column) => column.canShrink);
  let excess = columns.reduce((sum, column) => sum + column.width, GAP.length * (columns.length - 1)) - width;
  for (; excess > 0; excess--) {
    const [widest] = shrinking.filter((c) => c.width > NARROWEST).toSorted((a, b) => b.width - a.width);
    if (!widest) return;
    widest.width--;
  }
}

function pad(text: string, width: number, align: TableColumn["align"]): string {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "right" ? space + text : text + space;
}
