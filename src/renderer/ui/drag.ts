/** A point of an element, from its upper left corner, with the size of the element, in CSS pixels. */
export interface PointedAt {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function pointIn(element: Element, { clientX, clientY }: Pick<MouseEvent, "clientX" | "clientY">): PointedAt {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top, width, height };
}

/** A shorter movement is a press, not a drag. */
const DRAG_PX = 4;

interface DragActions {
  /** Called once, when the pointer has moved far enough. */
  start?(): void;
  move(event: PointerEvent): void;
  /** Called when the pointer was lifted, or the drag was cancelled by Escape, and before `drop` and `press`. */
  end(): void;
  /** The pointer was lifted after a drag. */
  drop(event: PointerEvent): void;
  /** The pointer was lifted without one. */
  press(event: PointerEvent): void;
}

/**
 * Follows a pointer from its press until it is lifted, also outside the element.
 *
 * @param axis the direction in which a movement counts
 * @returns a function that cancels it
 */
export function followDrag(
  down: PointerEvent,
  axis: "x" | "both",
  actions: DragActions,
  signal: AbortSignal,
): () => void {
  const over = new AbortController();
  const during = { signal: AbortSignal.any([signal, over.signal]), capture: true };
  let isDrag = false;
  const end = (): void => {
    if (over.signal.aborted) return;
    over.abort();
    actions.end();
  };
  const isFar = ({ clientX, clientY }: PointerEvent): boolean =>
    Math.hypot(clientX - down.clientX, axis === "x" ? 0 : clientY - down.clientY) >= DRAG_PX;
  window.addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerId !== down.pointerId || !(isDrag || isFar(event))) return;
      if (!isDrag) actions.start?.();
      isDrag = true;
      actions.move(event);
    },
    during,
  );
  window.addEventListener(
    "pointerup",
    (event) => {
      if (event.pointerId !== down.pointerId) return;
      end();
      if (isDrag) actions.drop(event);
      else actions.press(event);
    },
    during,
  );
  window.addEventListener("pointercancel", end, during);
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      end();
    },
    during,
  );
  return end;
}
