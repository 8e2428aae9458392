import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useId } from "react";

/** Height of the heading and of each row of a grid. */
export const ROW_PX = 28;

/** A row of a grid near the visible part. */
interface GridRow {
  readonly index: number;
  /** For `aria-activedescendant`. */
  readonly id: string;
  /** Distance from the top of the body. */
  readonly topPx: number;
}

/** The rows of a grid below its sticky heading, of which only those near the visible part are rendered. */
export interface GridRows {
  readonly rendered: readonly GridRow[];
  readonly bodyPx: number;
  /** Returns the id of a row; undefined if it is not rendered. */
  idOf(index: number): string | undefined;
  /** Returns the number of rows that a page key moves by. */
  pageRows(): number;
  /** Scrolls until a row is visible. */
  show(index: number): void;
}

/** @param grid the element that scrolls */
export function useGridRows(grid: RefObject<HTMLElement | null>, count: number): GridRows {
  const gridId = useId();
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => grid.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    // Keeps rows that are scrolled to below the sticky heading.
    scrollPaddingStart: ROW_PX,
    scrollMargin: ROW_PX,
    useFlushSync: false,
  });
  const rendered = virtual
    .getVirtualItems()
    .map(({ index, start }) => ({ index, id: `${gridId}-${index}`, topPx: start - ROW_PX }));
  return {
    rendered,
    bodyPx: virtual.getTotalSize(),
    idOf: (index) => rendered.find((row) => row.index === index)?.id,
    pageRows: () => Math.max(1, Math.floor((grid.current?.clientHeight ?? 0) / ROW_PX) - 2),
    show: (index) => virtual.scrollToIndex(index),
  };
}

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
