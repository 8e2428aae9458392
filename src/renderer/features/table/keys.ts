/** The selected rows: from the anchor to the focus. */
export interface Marked {
  readonly anchor: number;
  readonly focus: number;
}

/** Returns the row that a key moves to; null for other keys. */
export function movedTo(key: string, focus: number, rows: number, pageRows: number): number | null {
  const within = (row: number): number => Math.min(rows - 1, Math.max(0, row));
  switch (key) {
    case "ArrowDown":
      return within(focus + 1);
    case "ArrowUp":
      return within(focus - 1);
    case "PageDown":
      return within(focus + pageRows);
    case "PageUp":
      return within(focus - pageRows);
    case "Home":
      return 0;
    case "End":
      return within(rows - 1);
    default:
      return null;
  }
}

/** Returns the first and the last selected row. */
export function markedRows({ anchor, focus }: Marked): { readonly from: number; readonly to: number } {
  return { from: Math.min(anchor, focus), to: Math.max(anchor, focus) };
}
