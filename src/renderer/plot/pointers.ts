import { attachPinch, TOUCHPAD_PINCH } from "../ui/pinch.ts";

/** Pointer actions on a plot; `x` is in CSS pixels from its left edge, `width` is the width of the plot. */
export interface PointerActions {
  zoom(factor: number, x: number, width: number): void;
  /** Moves the view by a number of pixels from where the drag started. */
  pan(dx: number, width: number): void;
  panStart(): void;
  /** Called while the user selects a range; null ends it. */
  markRange(range: { readonly fromX: number; readonly toX: number } | null): void;
  zoomToRange(fromX: number, toX: number, width: number): void;
  reset(): void;
  press(x: number, y: number): void;
  hover(x: number, y: number): void;
  leave(): void;
}

/** Movement in pixels from which a press is a drag. */
const DRAG_PX = 4;
const WHEEL_PX_PER_STEP = 100;
const ZOOM_PER_STEP = 1.25;
const LINE_PX = 33;

/**
 * Listens to the pointer. Over the plot and its time axis, the wheel zooms around the cursor, and a drag selects the range to zoom to. A drag with Shift,
 * Alt or the middle button, a drag of the time axis, and the wheel with Shift or sideways pan. On a touch screen, one finger
 * reads values, and two zoom and pan.
 *
 * @param root the panel @param over the plot area inside the axes @returns a function that stops listening
 */
export function attachPointer(root: HTMLElement, over: HTMLElement, actions: PointerActions): () => void {
  const attached = new AbortController();
  const { signal } = attached;
  const positionOf = (event: MouseEvent): { x: number; y: number; width: number; height: number } => {
    const box = over.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top, width: box.width, height: box.height };
  };

  const wheel = (event: WheelEvent): void => {
    const { x, width } = positionOf(event);
    // Beside the plot, the wheel scrolls.
    if (x < 0 || x > width) return;
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    event.preventDefault();
    if (Math.abs(sideways) > Math.abs(event.deltaY) || event.shiftKey) {
      actions.panStart();
      actions.pan(-sideways * unit, width);
      return;
    }
    const steps = (event.deltaY * unit * (event.ctrlKey ? TOUCHPAD_PINCH : 1)) / WHEEL_PX_PER_STEP;
    actions.zoom(ZOOM_PER_STEP ** steps, x, width);
  };
  const isPinched = attachPinch(
    root,
    {
      start: () => actions.leave(),
      move(dx) {
        actions.panStart();
        actions.pan(dx, over.clientWidth);
      },
      zoom(scale, clientX) {
        const { left, width } = over.getBoundingClientRect();
        actions.zoom(1 / scale, clientX - left, width);
      },
    },
    signal,
  );

  const down = (event: PointerEvent): void => {
    if (event.button > 1 || isPinched()) return;
    const start = positionOf(event);
    if (start.x < 0) return;
    const isAxis = start.y > start.height;
    const isPan = event.button === 1 || event.shiftKey || event.altKey || isAxis;
    const isTouch = event.pointerType === "touch";
    if (isTouch) actions.hover(start.x, start.y);
    // Prevents scrolling by the middle button.
    if (event.button === 1) event.preventDefault();
    drag(event.pointerId, start.x, isTouch ? "read" : isPan ? "pan" : "range");
  };

  const drag = (pointerId: number, startX: number, kind: "read" | "pan" | "range"): void => {
    const isPan = kind === "pan";
    let isDrag = false;
    const moves = new AbortController();
    const during = { signal: AbortSignal.any([signal, moves.signal]) };
    const end = (): void => {
      moves.abort();
      actions.markRange(null);
      root.removeAttribute("data-panning");
    };
    const move = (event: PointerEvent): void => {
      if (event.pointerId !== pointerId) return;
      const { x, width } = positionOf(event);
      if (!isDrag && Math.abs(x - startX) < DRAG_PX) return;
      if (!isDrag && isPan) {
        actions.panStart();
        root.setAttribute("data-panning", "");
      }
      isDrag = true;
      if (isPan) actions.pan(x - startX, width);
      else if (kind === "range")
        actions.markRange({ fromX: clamp(Math.min(startX, x), width), toX: clamp(Math.max(startX, x), width) });
    };
    const up = (event: PointerEvent): void => {
      if (event.pointerId !== pointerId) return;
      const { x, y, width } = positionOf(event);
      end();
      if (!isDrag) actions.press(x, y);
      else if (kind === "range") actions.zoomToRange(clamp(startX, width), clamp(x, width), width);
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
  root.addEventListener("dblclick", () => actions.reset(), { signal });
  root.addEventListener(
    "pointermove",
    (event) => {
      // While dragging, the user looks at the range, not at values.
      if (event.pointerType === "touch" ? isPinched() : event.buttons !== 0) return;
      const { x, y } = positionOf(event);
      actions.hover(x, y);
    },
    { signal },
  );
  root.addEventListener(
    "pointerleave",
    (event) => {
      // The values that a finger reads stay when it is lifted.
      if (event.pointerType !== "touch") actions.leave();
    },
    { signal },
  );
  return () => attached.abort();
}

function clamp(x: number, width: number): number {
  return Math.min(width, Math.max(0, x));
}
