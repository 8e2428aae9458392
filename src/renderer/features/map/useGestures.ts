import { type RefObject, useEffect, useRef, useState } from "react";
import type { Hit, SelectionArea } from "../../map/picking.ts";
import type { MapStage } from "../../map/stage.ts";
import { attachPinch, TOUCHPAD_PINCH } from "../../ui/pinch.ts";

export interface ModifierKeys {
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

interface GestureHandlers {
  /** `hit` is null if nothing was pressed. */
  onPress(hit: Hit | null, keys: ModifierKeys): void;
  /** Called with the stations inside a box or lasso. */
  onArea(indices: readonly number[], keys: ModifierKeys): void;
}

/** A shorter movement is a press, not a drag. */
const DRAG_PX = 4;
const WHEEL_FACTOR = 0.0016;

/**
 * Handles the pointer: a drag pans, with Shift it draws a box, with the lasso tool a lasso; the wheel zooms at the
 * pointer. Two fingers pan and zoom.
 */
export function useGestures(
  box: RefObject<HTMLElement | null>,
  stage: MapStage | null,
  isLasso: boolean,
  handlers: GestureHandlers,
): { readonly hovered: number | null; readonly isDragging: boolean } {
  const [hovered, setHovered] = useState<number | null>(null);
  const [isDragging, setDragging] = useState(false);
  const latest = useRef({ handlers, isLasso });
  latest.current = { handlers, isLasso };

  useEffect(() => {
    const element = box.current;
    if (!element || !stage) return;
    let drag: {
      readonly kind: "pan" | "box" | "lasso";
      moved: boolean;
      readonly start: readonly [number, number];
      last: readonly [number, number];
      area: SelectionArea | null;
    } | null = null;

    const positionOf = (event: MouseEvent): [number, number] => {
      const { left, top } = element.getBoundingClientRect();
      return [event.clientX - left, event.clientY - top];
    };
    const hover = (index: number | null): void => {
      stage.setHovered(index);
      setHovered(index);
    };
    const stop = new AbortController();
    const isPinched = attachPinch(
      element,
      {
        start: () => end(),
        move: (dx, dy) => stage.panBy(dx, dy),
        zoom(scale, clientX, clientY) {
          const { left, top } = element.getBoundingClientRect();
          stage.zoomBy(scale, clientX - left, clientY - top);
        },
      },
      stop.signal,
    );
    const onDown = (event: PointerEvent): void => {
      if (isPinched()) return;
      if (event.button !== 0 || event.target !== element.querySelector("canvas")) return;
      const at = positionOf(event);
      const kind = latest.current.isLasso ? "lasso" : event.shiftKey ? "box" : "pan";
      drag = { kind, moved: false, start: at, last: at, area: null };
      element.setPointerCapture(event.pointerId);
    };
    const onMove = (event: PointerEvent): void => {
      if (isPinched()) return;
      const at = positionOf(event);
      if (!drag) {
        const hit = event.target instanceof HTMLCanvasElement ? stage.hitAt(...at) : null;
        return hover(hit?.kind === "station" ? hit.index : null);
      }
      if (!drag.moved && Math.hypot(at[0] - drag.start[0], at[1] - drag.start[1]) < DRAG_PX) return;
      if (!drag.moved) {
        drag.moved = true;
        setDragging(true);
        hover(null);
      }
      if (drag.kind === "pan") stage.panBy(at[0] - drag.last[0], at[1] - drag.last[1]);
      else if (drag.kind === "box")
        drag.area = { kind: "box", box: { x0: drag.start[0], y0: drag.start[1], x1: at[0], y1: at[1] } };
      else {
        const line = drag.area?.kind === "lasso" ? drag.area.line : [drag.start];
        drag.area = { kind: "lasso", line: [...line, at] };
      }
      if (drag.area) stage.setSelectionArea(drag.area);
      drag.last = at;
    };
    const end = (): void => {
      drag = null;
      stage.setSelectionArea(null);
      setDragging(false);
    };
    const onUp = (event: PointerEvent): void => {
      if (!drag) return;
      const { moved, area, start } = drag;
      const { ctrlKey, metaKey, shiftKey } = event;
      end();
      if (!moved) latest.current.handlers.onPress(stage.hitAt(...start), { ctrlKey, metaKey, shiftKey });
      else if (area) latest.current.handlers.onArea(stage.stationsWithin(area), { ctrlKey, metaKey, shiftKey });
    };
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
      const factor = Math.exp(-event.deltaY * lines * WHEEL_FACTOR * (event.ctrlKey ? TOUCHPAD_PINCH : 1));
      stage.zoomBy(factor, ...positionOf(event));
    };
    const onDouble = (event: MouseEvent): void => {
      if (event.target instanceof HTMLCanvasElement) stage.zoomBy(event.shiftKey ? 0.5 : 2, ...positionOf(event));
    };
    const onEscape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || !drag) return;
      event.preventDefault();
      end();
    };
    const onLeave = (): void => {
      if (!drag) hover(null);
    };
    element.addEventListener("pointerdown", onDown, stop);
    element.addEventListener("pointermove", onMove, stop);
    element.addEventListener("pointerup", onUp, stop);
    element.addEventListener("pointercancel", end, stop);
    element.addEventListener("pointerleave", onLeave, stop);
    element.addEventListener("wheel", onWheel, { passive: false, signal: stop.signal });
    element.addEventListener("dblclick", onDouble, stop);
    addEventListener("keydown", onEscape, stop);
    return () => stop.abort();
  }, [box, stage]);
  return { hovered, isDragging };
}
