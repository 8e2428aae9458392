import { z } from "zod";
import type { ReactNode } from "react";
import { fold } from "#shared/station/search.ts";

export interface TableColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** What is shown instead of the title. */
  readonly heading?: ReactNode;
  /** Second line of the heading. */
  readonly unit?: string | undefined;
  /** First line of the heading. */
  readonly above?: string | null;
  /** Tooltip of the heading. */
  readonly meaning?: string | undefined;
  readonly align?: "end" | "center";
  /** Whether its text is a name, which is cut in the middle where there is too little room. */
  readonly isName?: boolean;
  /** Remains visible while the others scroll sideways. */
  readonly isSticky?: boolean;
  /** Whether its cells are the headings of their rows. */
  readonly isHeading?: boolean;
  /** Sort key: null and NaN sort last in both directions. A column without `key` is not sorted, unless `isSortable`. */
  readonly key?: (row: Row) => string | number | null;
  readonly isSortable?: boolean;
  /** Whether the first click sorts the largest values first. */
  readonly startsDescending?: boolean;
  /** As it is shown and copied; null if there is no value. */
  readonly text: (row: Row) => string | null;
  /** What is shown instead of the text. */
  readonly renderCell?: (row: Row, index: number) => ReactNode;
  /** What a cell is to a screen reader, if not what is shown. */
  readonly label?: (row: Row, index: number) => string;
  /** Tooltip of a cell; the text by default. */
  readonly hint?: (row: Row) => string | null | undefined;
}

export interface Column<Row> extends TableColumn<Row> {
  /** Pixels; with a share, the column takes that share of the remaining width. */
  readonly width: number;
  readonly share?: number;
  /** Columns with a rank are hidden, the lowest first, if the width does not suffice. */
  readonly hideRank?: number;
}

/** The order of the rows of a table. */
export interface Sort {
  /** Id of a column. */
  readonly column: string;
  readonly isDescending: boolean;
}

/** A stored order; `initial` if it is not one of these columns. */
export function sortSchema(columns: readonly { readonly id: string }[], initial: Sort): z.ZodType<Sort> {
  const column = z.enum(columns.map(({ id }) => id));
  return z.object({ column, isDescending: z.boolean().catch(false) }).catch(initial);
}

type Keyed<Row> = Pick<TableColumn<Row>, "id" | "key">;

/**
 * Returns the indices of the rows sorted by a column. Rows without a value come last in both directions; ties are in the
 * order of the columns `ties`, then of the rows.
 */
export function sortedIndices<Row>(
  rows: readonly Row[],
  columns: readonly Keyed<Row>[],
  { column, isDescending }: Sort,
  ties: readonly string[],
): number[] {
  const keysOf = (id: string): (string | number | null)[] => {
    const own = columns.find((c) => c.id === id)?.key;
    return rows.map((row) => comparable(own?.(row) ?? null));
  };
  const keys = keysOf(column);
  const further = ties.filter((id) => id !== column).map(keysOf);
  const sign = isDescending ? -1 : 1;
  return Array.from(rows.keys()).toSorted((a, b) => {
    const [x, y] = [keys[a]!, keys[b]!];
    const order = x === null || y === null ? compare(x, y) : sign * compare(x, y);
    return order || further.reduce((found, of) => found || compare(of[a]!, of[b]!), 0) || a - b;
  });
}

/** Returns the rows sorted by a column; see `sortedIndices`. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Keyed<Row>[],
  sort: Sort,
  ties: readonly string[] = [],
): Row[] {
  return sortedIndices(rows, columns, sort, ties).map((index) => rows[index]!);
}

/** Returns a key in which numbers count as numbers ("Mast 9" before "Mast 10") and leading symbols are ignored. */
function comparable(key: string | number | null): string | number | null {
  if (typeof key !== "string") return Number.isNaN(key) ? null : key;
  const plain = fold(key);
  const named = plain.replace(/^[^\p{L}\p{N}]+/u, "");
  return (named === "" ? plain : named).replaceAll(/\d+/g, (digits) => digits.padStart(12, "0"));
}

function compare(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the columns that fit into a width: those with a rank are hidden, the lowest first. */
export function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  widthPx: number,
  besidesPx: number,
): readonly Column<Row>[] {
  let shown = columns;
  const ranked = columns.filter((c) => c.hideRank !== undefined).toSorted((a, b) => a.hideRank! - b.hideRank!);
  for (const { id } of ranked) {
    if (minWidthPx(shown) + besidesPx <= widthPx) break;
    shown = shown.filter((c) => c.id !== id);
  }
  return shown;
}

export function minWidthPx(columns: readonly Pick<Column<never>, "width">[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}

/** The CSS tracks of columns. */
export function tracksOf(columns: readonly Pick<Column<never>, "width" | "share">[]): string {
  return columns.map(({ width, share }) => (share ? `minmax(${width}px, ${share}fr)` : `${width}px`)).join(" ");
}

/** Returns a column of numbers. @param unit second line of the heading */
export function numberColumn<Row>(
  id: string,
  [title, unit]: readonly [title: string, unit?: string],
  text: (row: Row) => string | null,
): TableColumn<Row> {
  return { id, title, unit, align: "end", text };
}

/** Formats rows for a spreadsheet: tab-separated, with a heading. */
export function rowsText<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]): string {
  const head = columns.map(({ title, unit }) => [title, unit].filter(Boolean).join(" "));
  const lines = rows.map((row) => columns.map(({ text }) => (text(row) ?? "").replaceAll(/[\t\r\n]/g, " ")));
  return [head, ...lines].map((cells) => cells.join("\t")).join("\n");
}
