import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { PanelModel } from "#shared/plot/panel.ts";
import { TIME_AXIS_HEIGHT } from "#shared/plot/figure/panelShapes.ts";
import { followSize } from "../../ui/useSize.ts";

/** Height of a heading above its plot, and of the space below the axis. */
const HEADING_PX = 32;
/** Minimum height of a plot between its heading and the time axis. */
const MIN_PLOT_PX = 124;
const MIN_PANEL_PX = HEADING_PX + MIN_PLOT_PX;

/**
 * Divides the height of the scrolling parent among its panels. Panels shrink to a minimum, then scroll: each is then
 * complete with its own time axis, and a whole number of them is visible.
 *
 * @param reservedPx height in the parent that panels cannot use
 */
export function usePanelHeights(models: readonly PanelModel[], reservedPx: number) {
  const count = models.length;
  const mark = useRef<HTMLSpanElement>(null);
  /** Height of each panel if they have to scroll, which fits a whole number of them; null if all fit. */
  const [scrolledPx, setScrolledPx] = useState<number | null>(null);
  useLayoutEffect(() => {
    const scroller = mark.current?.parentElement;
    if (!scroller) return;
    return followSize(scroller, () => {
      // In a low view, which scrolls instead, each has the minimum.
      const isScroller = getComputedStyle(scroller).overflowY !== "visible";
      setScrolledPx(scrolledHeight(count, isScroller ? scroller.clientHeight - reservedPx : 0));
    });
  }, [count, reservedPx]);
  const panels = useMemo(() => withTimeAxes(models, scrolledPx !== null), [models, scrolledPx]);
  const styleOf = (model: PanelModel): React.CSSProperties => heightStyle(model, scrolledPx);
  return { panels, styleOf, mark: <span ref={mark} hidden /> };
}

/** Returns the height of each of `count` panels that do not fit; null if they fit with one time axis. */
function scrolledHeight(count: number, availablePx: number): number | null {
  if (count * MIN_PANEL_PX + TIME_AXIS_HEIGHT <= availablePx) return null;
  const visible = Math.max(1, Math.floor(availablePx / (MIN_PANEL_PX + TIME_AXIS_HEIGHT)));
  return Math.max(MIN_PANEL_PX + TIME_AXIS_HEIGHT, Math.floor(availablePx / visible));
}

/** Gives the last panel a time axis, or every panel if they scroll. */
function withTimeAxes(models: readonly PanelModel[], isScrolled: boolean): PanelModel[] {
  return models.map((model, i) => {
    const hasTimeAxis = isScrolled || i === models.length - 1;
    return hasTimeAxis === model.hasTimeAxis ? model : { ...model, hasTimeAxis };
  });
}

/** Panels that fit share the height, with equally high plots; others have the same height. */
function heightStyle({ hasTimeAxis }: PanelModel, scrolledPx: number | null): React.CSSProperties {
  if (scrolledPx !== null) return { flex: "none", height: scrolledPx };
  return { flex: `1 0 ${MIN_PANEL_PX + (hasTimeAxis ? TIME_AXIS_HEIGHT : 0)}px` };
}
