// A list of any length in a box that scrolls. Browsers end elements at 16 to 33 million pixels, which is less than a
// year of rows: beyond, the scroll bar stands for the rows in proportion.

export const ROW_PX = 28;
/** Well below what any browser can do. */
const MOST_PX = 8_000_000;

export interface ScrollBox {
  readonly rows: number;
  /** Height of the part in sight. */
  readonly viewPx: number;
}

/** Height of what is scrolled. */
export function contentPx({ rows, viewPx }: ScrollBox): number {
  return Math.max(viewPx, Math.min(MOST_PX, rows * ROW_PX));
}

/** The largest first row, as a fraction of rows. */
export function lastFirst({ rows, viewPx }: ScrollBox): number {
  return Math.max(0, rows - viewPx / ROW_PX);
}

/** The row at the upper edge, with its fraction above it. */
export function firstRow(box: ScrollBox, scrollTop: number): number {
  const room = contentPx(box) - box.viewPx;
  return room <= 0 ? 0 : Math.min(1, Math.max(0, scrollTop / room)) * lastFirst(box);
}

/** Where the scroll bar stands for that row at the upper edge. */
export function scrollTopOf(box: ScrollBox, first: number): number {
  const last = lastFirst(box);
  return last <= 0 ? 0 : (Math.min(last, Math.max(0, first)) / last) * (contentPx(box) - box.viewPx);
}

/** The first row to show so that `row` is in sight, moved as little as can be. */
export function revealing(box: ScrollBox, first: number, row: number): number {
  const visible = box.viewPx / ROW_PX;
  if (row < first) return row;
  return row + 1 > first + visible ? Math.min(lastFirst(box), row + 1 - visible) : first;
}
