// Virtual scrolling of lists of any length. Browsers limit elements to 16 to 33 million pixels, less than a year of rows;
// beyond that, the scroll bar is proportional to the rows.

export const ROW_PX = 28;
/** Well below the limit of any browser. */
const MAX_CONTENT_PX = 8_000_000;

export interface ScrollBox {
  readonly rows: number;
  /** Height of the visible part. */
  readonly viewPx: number;
}

/** Height of the scrolled content, px. */
export function contentPx({ rows, viewPx }: ScrollBox): number {
  return Math.max(viewPx, Math.min(MAX_CONTENT_PX, rows * ROW_PX));
}

/** The largest possible first row, fractional. */
export function lastFirst({ rows, viewPx }: ScrollBox): number {
  return Math.max(0, rows - viewPx / ROW_PX);
}

/** The fractional row at the upper edge. */
export function firstRow(box: ScrollBox, scrollTop: number): number {
  const scrollPx = contentPx(box) - box.viewPx;
  return scrollPx <= 0 ? 0 : Math.min(1, Math.max(0, scrollTop / scrollPx)) * lastFirst(box);
}

/** The scroll position with this row at the upper edge, px. */
export function scrollTopOf(box: ScrollBox, first: number): number {
  const last = lastFirst(box);
  return last <= 0 ? 0 : (Math.min(last, Math.max(0, first)) / last) * (contentPx(box) - box.viewPx);
}

/** The first row after the smallest movement that makes `row` visible. */
export function revealing(box: ScrollBox, first: number, row: number): number {
  const visible = box.viewPx / ROW_PX;
  if (row < first) return row;
  return row + 1 > first + visible ? Math.min(lastFirst(box), row + 1 - visible) : first;
}
