import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { followSize } from "../useSize.ts";

/** Height of a row of a grid, and of each line of its heading. */
export const ROW_PX = 28;

// Virtual scrolling of lists of any length. Browsers limit elements to 16 to 33 million pixels, less than a year of rows;
// beyond that, the scroll bar is proportional to the rows.

/** Well below the limit of any browser. */
const MAX_CONTENT_PX = 8_000_000;

interface ScrollBox {
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

/** Rows rendered beyond the visible ones, so that scrolling does not show blanks. */
const OVERSCAN = 8;

/**
 * Tracks the visible rows of an element that scrolls. As long as every row has its own place in the scrolled content, the
 * browser scrolls; beyond that, the wheel scrolls by pixels, no matter how many rows a pixel of the scroll bar represents.
 */
export function useScroll(ref: RefObject<HTMLElement | null>, rows: number, headPx: number) {
  const [first, setFirst] = useState(0);
  const [viewPx, setViewPx] = useState(0);
  const box = { rows, viewPx };
  const isHuge = rows * ROW_PX > MAX_CONTENT_PX;
  const now = useRef({ box, first });
  now.current = { box, first: Math.min(first, lastFirst(box)) };

  const show = useCallback(
    (next: number): void => {
      const { box } = now.current;
      const clamped = Math.min(lastFirst(box), Math.max(0, next));
      now.current = { box, first: clamped };
      setFirst(clamped);
      if (ref.current) ref.current.scrollTop = scrollTopOf(box, clamped);
    },
    [ref],
  );

  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    return followSize(element, () => setViewPx(Math.max(0, element.clientHeight - headPx)));
  }, [ref, headPx]);

  useEffect(() => {
    const element = ref.current;
    if (!element || !isHuge) return;
    const wheel = (event: WheelEvent): void => {
      if (event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
      event.preventDefault();
      const px = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * ROW_PX : event.deltaY;
      show(now.current.first + px / ROW_PX);
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [ref, show, isHuge]);

  const shown = now.current.first;
  const top = scrollTopOf(box, shown);
  return {
    /** Rows to render: the visible ones and a few around them; `to` is exclusive. */
    from: Math.max(0, Math.floor(shown) - OVERSCAN),
    to: Math.min(rows, Math.ceil(shown + viewPx / ROW_PX) + OVERSCAN),
    /** Whether the height of the visible part is known. */
    isMeasured: viewPx > 0,
    heightPx: Math.min(contentPx(box), rows * ROW_PX),
    /** Number of rows that a page key moves by. */
    pageRows: Math.max(1, Math.floor(viewPx / ROW_PX) - 1),
    /** Distance of a row from the top of the content. */
    topPx: (row: number): number => (isHuge ? top + (row - shown) * ROW_PX : row * ROW_PX),
    onScroll(): void {
      const top = ref.current?.scrollTop ?? 0;
      const { box, first } = now.current;
      // The event of our own assignment, rounded to device pixels.
      if (Math.abs(top - scrollTopOf(box, first)) < 1.5) return;
      const next = firstRow(box, top);
      // Where the browser scrolls, only other rows are a change.
      setFirst(isHuge ? next : Math.floor(next));
    },
    /** Scrolls until a row is visible. */
    reveal: (row: number): void => {
      const { box } = now.current;
      if (box.viewPx === 0) return;
      // The position of the browser is more exact than the row at the edge.
      const first = isHuge ? now.current.first : firstRow(box, ref.current?.scrollTop ?? 0);
      const next = revealing(box, first, row);
      if (next !== first) show(next);
    },
  };
}
