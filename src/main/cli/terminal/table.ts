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
  const cells = rows.map((row) => columns.map((_, i) => visible(row[i] ?? "")));
  const widths = columns.map((column, i) =>
    cells.reduce((widest, row) => Math.max(widest, displayWidth(row[i]!)), displayWidth(column.title)),
  );
  if (width !== null) shrink(columns, widths, width);
  const line = (row: readonly string[]): string =>
    columns
      .map((column, i) => pad(cut(row[i]!, widths[i]!), widths[i]!, column.align))
      .join(GAP)
      .trimEnd();
  return [line(columns.map((c) => c.title)), widths.map((w) => "─".repeat(w)).join(GAP), ...cells.map(line)];
}

/** Takes from the widest column that may shrink, until the table fits or none may any more. */
function shrink(columns: readonly TableColumn[], widths: number[], width: number): void {
  let excess = widths.reduce((sum, w) => sum + w, GAP.length * (widths.length - 1)) - width;
  while (excess > 0) {
    let widest = -1;
    columns.forEach((column, i) => {
      if (column.canShrink && widths[i]! > NARROWEST && (widest < 0 || widths[i]! > widths[widest]!)) widest = i;
    });
    if (widest < 0) return;
    widths[widest]!--;
    excess--;
  }
}

function pad(text: string, width: number, align: TableColumn["align"]): string {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "right" ? space + text : text + space;
}
