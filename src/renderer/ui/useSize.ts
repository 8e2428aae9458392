import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from "react";

/** Whether a media query of CSS matches the window, now and after each change. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
}

/** Calls `measure` now and whenever the element is resized. @returns a function that stops it */
export function followSize(element: Element, measure: () => void): () => void {
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  return () => observer.disconnect();
}

/** Returns the inner width of an element in pixels, and follows its changes. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    return followSize(element, () => setWidthPx(element.clientWidth));
  }, [ref]);
  return widthPx;
}
