/** Browsers report a pinch on a touchpad as a wheel with Ctrl, in much smaller steps. */
const TOUCHPAD_PINCH = 6;
const LINE_PX = 33;

/** Returns the movement of a wheel in CSS pixels. */
export function wheelPx({ deltaX, deltaY, deltaMode, ctrlKey }: WheelEvent): {
  readonly dx: number;
  readonly dy: number;
} {
  const unit = (deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1) * (ctrlKey ? TOUCHPAD_PINCH : 1);
  return { dx: deltaX * unit, dy: deltaY * unit };
}

interface PinchActions {
  /** Two fingers are down. */
  start(): void;
  /** Their middle moved, in CSS pixels. */
  move(dx: number, dy: number): void;
  /** Their distance changed: `scale` above 1 enlarges what is at this point of the window. */
  zoom(scale: number, clientX: number, clientY: number): void;
}

/**
 * Two fingers move and zoom what is on an element, whose `touch-action` must leave that to the page.
 *
 * @returns whether two fingers are down, which is not a drag
 */
export function attachPinch(element: HTMLElement, actions: PinchActions, signal: AbortSignal): () => boolean {
  const fingers = new Map<number, PointerEvent>();
  const isActive = (): boolean => fingers.size === 2;
  const shape = (): { readonly x: number; readonly y: number; readonly distance: number } => {
    const [a, b] = [...fingers.values()];
    if (!a || !b) return { x: 0, y: 0, distance: 1 };
    const distance = Math.max(1, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY));
    return { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2, distance };
  };
  const lift = ({ pointerId }: PointerEvent): void => void fingers.delete(pointerId);
  // Before other listeners of the element, which ask whether a pinch is under way.
  const options = { signal, capture: true };
  element.addEventListener(
    "pointerdown",
    (event) => {
      if (event.pointerType !== "touch") return;
      fingers.set(event.pointerId, event);
      if (isActive()) actions.start();
    },
    options,
  );
  window.addEventListener(
    "pointermove",
    (event) => {
      if (!fingers.has(event.pointerId)) return;
      const before = shape();
      fingers.set(event.pointerId, event);
      if (!isActive()) return;
      const now = shape();
      actions.move(now.x - before.x, now.y - before.y);
      actions.zoom(now.distance / before.distance, now.x, now.y);
    },
    options,
  );
  window.addEventListener("pointerup", lift, options);
  window.addEventListener("pointercancel", lift, options);
  return isActive;
}
