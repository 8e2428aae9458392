/** What a hand does over a plot; x in CSS pixels from the left edge of the plot, `width` that of the plot. */
export interface Hand {
  zoom(factor: number, x: number, width: number): void;
  /** Moves what was under the hand at the start by so many pixels. */
  pan(dx: number, width: number): void;
  panStart(): void;
  /** While a range is being marked; null ends it. */
  mark(range: { readonly fromX: number; readonly toX: number } | null): void;
  choose(fromX: number, toX: number, width: number): void;
  reset(): void;
  press(x: number, y: number): void;
  hover(x: number, y: number): void;
  leave(): void;
}

/** Pixels from which on a press is a drag. */
const DRAG_PX = 4;
const WHEEL_PX_PER_STEP = 100;
const ZOOM_PER_STEP = 1.25;
const LINE_PX = 33;

/**
 * Wheel zooms around the cursor, a drag marks the range to zoom to; Shift or Alt with a drag, the middle button, a drag
 * of the time axis, and the wheel with Shift or sideways pan.
 *
 * @param root of the panel @param over the plot itself, inside the axes @returns ends it
 */
export function followPointer(root: HTMLElement, over: HTMLElement, hand: Hand): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const place = (event: MouseEvent): { x: number; y: number; width: number; height: number } => {
    const box = over.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top, width: box.width, height: box.height };
  };

  const wheel = (event: WheelEvent): void => {
    const { x, width } = place(event);
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    event.preventDefault();
    if (Math.abs(sideways) > Math.abs(event.deltaY) || event.shiftKey) {
      hand.panStart();
      hand.pan(-sideways * unit, width);
      return;
    }
    hand.zoom(ZOOM_PER_STEP ** ((event.deltaY * unit) / WHEEL_PX_PER_STEP), clamp(x, width), width);
  };

  const down = (event: PointerEvent): void => {
    if (event.button > 1) return;
    const start = place(event);
    if (start.x < 0) return;
    const isAxis = start.y > start.height;
    const isPan = event.button === 1 || event.shiftKey || event.altKey || isAxis;
    // The middle button would scroll, and a drag would mark text.
    if (event.button === 1) event.preventDefault();
    drag(event.pointerId, start.x, isPan);
  };

  const drag = (pointerId: number, startX: number, isPan: boolean): void => {
    let isDrag = false;
    const moves = new AbortController();
    const during = { signal: AbortSignal.any([signal, moves.signal]) };
    const end = (): void => {
      moves.abort();
      hand.mark(null);
      root.removeAttribute("data-panning");
    };
    const move = (event: PointerEvent): void => {
      if (event.pointerId !== pointerId) return;
      const { x, width } = place(event);
      if (!isDrag && Math.abs(x - startX) < DRAG_PX) return;
      if (!isDrag && isPan) {
        hand.panStart();
        root.setAttribute("data-panning", "");
      }
      isDrag = true;
      if (isPan) hand.pan(x - startX, width);
      else hand.mark({ fromX: clamp(Math.min(startX, x), width), toX: clamp(Math.max(startX, x), width) });
    };
    const up = (event: PointerEvent): void => {
      if (event.pointerId !== pointerId) return;
      const { x, y, width } = place(event);
      end();
      if (!isDrag) hand.press(x, y);
      else if (!isPan) hand.choose(clamp(startX, width), clamp(x, width), width);
    };
    window.addEventListener("pointermove", move, during);
    window.addEventListener("pointerup", up, during);
    window.addEventListener("pointercancel", end, during);
    window.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        end();
      },
      { ...during, capture: true },
    );
  };

  root.addEventListener("wheel", wheel, { signal, passive: false });
  root.addEventListener("pointerdown", down, { signal });
  root.addEventListener("dblclick", () => hand.reset(), { signal });
  root.addEventListener(
    "pointermove",
    (event) => {
      // A hand that drags looks at the range, not at values.
      if (event.buttons !== 0) return;
      const { x, y } = place(event);
      hand.hover(x, y);
    },
    { signal },
  );
  root.addEventListener("pointerleave", () => hand.leave(), { signal });
  return () => ending.abort();
}

function clamp(x: number, width: number): number {
  return Math.min(width, Math.max(0, x));
}
