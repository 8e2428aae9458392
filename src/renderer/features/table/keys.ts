/** The selected rows: from the anchor to the focus. */
export interface Marked {
  readonly anchor: number;
  readonly focus: number;
}

/** Returns the first and the last selected row. */
export function markedRows({ anchor, focus }: Marked): { readonly from: number; readonly to: number } {
  return { from: Math.min(anchor, focus), to: Math.max(anchor, focus) };
}
