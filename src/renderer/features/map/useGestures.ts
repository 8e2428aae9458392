import { type RefObject, useEffect, useRef, useState } from "react";
import type { Hit, SelectionArea } from "../../map/picking.ts";
import type { MapStage } from "../../map/stage.ts";
import { followDrag, pointIn } from "../../ui/drag.ts";
import { attachPinch, wheelPx } from "../../ui/pinch.ts";

export type ModifierKeys = Pick<MouseEvent, "ctrlKey" | "metaKey" | "shiftKey">;

interface GestureHandlers {
  /** `hit` is null if nothing was pressed. */
  onPress(hit: Hit | null, keys: ModifierKeys): void;
  /** Called with the stations inside a box or lasso. */
  onArea(indices: readonly number[], keys: ModifierKeys): void;
}

const WHEEL_FACTOR = 0.0016;

interface GestureState {
  /** The station under the pointer. */
  readonly hovered: number | null;
  readonly isDragging: boolean;
}

/** @returns the station under the pointer, and whether the map is being dragged */
export function useGestures(
  box: RefObject<HTMLElement | null>,
  stage: MapStage | null,
  isLasso: boolean,
  handlers: GestureHandlers,
): GestureState {
  const [state, setState] = useState<GestureState>({ hovered: null, isDragging: false });
  const latest = useRef({ handlers, isLasso });
  latest.current = { handlers, isLasso };
  useEffect(() => {
    if (!box.current || !stage) return undefined;
    return new Gestures(box.current, stage, latest, setState).attach();
  }, [box, stage]);
  return state;
}

type Latest = RefObject<{ readonly handlers: GestureHandlers; readonly isLasso: boolean }>;
type Point = readonly [number, number];

/**
 * The pointer on the map: a drag pans, with Shift it draws a box, with the lasso tool a lasso; the wheel zooms at the
 * pointer. Two fingers pan and zoom.
 */
class Gestures {
  readonly #box: HTMLElement;
  readonly #stage: MapStage;
  readonly #latest: Latest;
  readonly #onState: (change: (now: GestureState) => GestureState) => void;
  readonly #attached = new AbortController();
  /** Cancels the drag; null without one. */
  #cancel: (() => void) | null = null;

  constructor(
    box: HTMLElement,
    stage: MapStage,
    latest: Latest,
    onState: (change: (now: GestureState) => GestureState) => void,
  ) {
    this.#box = box;
    this.#stage = stage;
    this.#latest = latest;
    this.#onState = onState;
  }

  /** Starts to listen. @returns a function that stops */
  attach(): () => void {
    const { signal } = this.#attached;
    const box = this.#box;
    const pinch = {
      start: () => this.#cancel?.(),
      move: (dx: number, dy: number) => this.#stage.panBy(dx, dy),
      zoom: (scale: number, clientX: number, clientY: number) =>
        this.#stage.zoomBy(scale, ...this.#positionOf({ clientX, clientY })),
    };
    const isPinched = attachPinch(box, pinch, signal);
    box.addEventListener("pointerdown", (event) => isPinched() || this.#down(event), { signal });
    box.addEventListener("pointermove", (event) => isPinched() || this.#hoverAt(event), { signal });
    box.addEventListener("pointerleave", () => this.#hover(null), { signal });
    box.addEventListener("wheel", (event) => this.#wheel(event), { passive: false, signal });
    box.addEventListener("dblclick", (event) => this.#zoomStep(event), { signal });
    return () => this.#attached.abort();
  }

  #positionOf(place: Pick<MouseEvent, "clientX" | "clientY">): Point {
    const { x, y } = pointIn(this.#box, place);
    return [x, y];
  }

  #hover(hovered: number | null): void {
    this.#stage.setHovered(hovered);
    this.#onState((now) => (now.hovered === hovered ? now : { ...now, hovered }));
  }

  #hoverAt(event: PointerEvent): void {
    if (this.#cancel) return;
    const hit = event.target instanceof HTMLCanvasElement ? this.#stage.hitAt(...this.#positionOf(event)) : null;
    this.#hover(hit?.kind === "station" ? hit.index : null);
  }

  #down(down: PointerEvent): void {
    if (down.button !== 0 || !(down.target instanceof HTMLCanvasElement)) return;
    this.#box.setPointerCapture(down.pointerId);
    const start = this.#positionOf(down);
    const area = this.#latest.current.isLasso ? lassoFrom(start) : down.shiftKey ? boxFrom(start) : null;
    let last = start;
    const actions = {
      start: () => {
        this.#onState((now) => ({ ...now, isDragging: true }));
        this.#hover(null);
      },
      move: (event: PointerEvent) => {
        const at = this.#positionOf(event);
        if (area) this.#stage.setSelectionArea(area(at));
        else this.#stage.panBy(at[0] - last[0], at[1] - last[1]);
        last = at;
      },
      end: () => {
        this.#cancel = null;
        this.#stage.setSelectionArea(null);
        this.#onState((now) => (now.isDragging ? { ...now, isDragging: false } : now));
      },
      drop: (event: PointerEvent) => {
        if (area) this.#latest.current.handlers.onArea(this.#stage.stationsWithin(area(last)), event);
      },
      press: (event: PointerEvent) => this.#latest.current.handlers.onPress(this.#stage.hitAt(...start), event),
    };
    this.#cancel = followDrag(down, "both", actions, this.#attached.signal);
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    this.#stage.zoomBy(Math.exp(-wheelPx(event).dy * WHEEL_FACTOR), ...this.#positionOf(event));
  }

  #zoomStep(event: MouseEvent): void {
    if (event.target instanceof HTMLCanvasElement)
      this.#stage.zoomBy(event.shiftKey ? 0.5 : 2, ...this.#positionOf(event));
  }
}

function boxFrom([x0, y0]: Point) {
  return ([x1, y1]: Point): SelectionArea => ({ kind: "box", box: { x0, y0, x1, y1 } });
}

/** Returns the line that the pointer has drawn since a point. */
function lassoFrom(start: Point) {
  let line = [start];
  return (at: Point): SelectionArea => {
    line = [...line, at];
    return { kind: "lasso", line };
  };
}
