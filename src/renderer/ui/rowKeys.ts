/** Returns the row that a key moves the focus to; null for other keys. @param focus -1 if no row has the focus */
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
