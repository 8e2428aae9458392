import { followDrag, type PointedAt, pointIn } from "../ui/drag.ts";
import { attachPinch, wheelPx } from "../ui/pinch.ts";

/** Where a pointer is on the screen, in CSS pixels: the plot may move beneath a resting one. */
export type PointerPlace = Readonly<Pick<MouseEvent, "clientX" | "clientY">>;

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
  /** @param reads whether the user looks at values, and not at the range */
  hover(pointer: PointerPlace, reads: boolean): void;
  leave(): void;
}

const WHEEL_PX_PER_STEP = 100;
const ZOOM_PER_STEP = 1.25;

/**
 * The pointer over a plot and its time axis. The wheel zooms around the cursor, and a drag selects the range to zoom to. A drag with Shift,
 * Alt or the middle button, a drag of the time axis, and the wheel with Shift or sideways pan. On a touch screen, one finger
 * reads values, and two zoom and pan.
 */
export class PlotPointer {
  readonly #root: HTMLElement;
  readonly #over: HTMLElement;
  readonly #actions: PointerActions;
  readonly #attached = new AbortController();

  /** @param root the panel @param over the plot area inside the axes */
  constructor(root: HTMLElement, over: HTMLElement, actions: PointerActions) {
    this.#root = root;
    this.#over = over;
    this.#actions = actions;
  }

  /** Starts to listen. @returns a function that stops */
  attach(): () => void {
    const { signal } = this.#attached;
    const actions = this.#actions;
    const root = this.#root;
    const isPinched = this.#attachPinch();
    root.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    root.addEventListener("pointerdown", (event) => isPinched() || this.#down(event), { signal });
    root.addEventListener("dblclick", () => actions.reset(), { signal });
    root.addEventListener(
      "pointermove",
      (event) => {
        const isTouch = event.pointerType === "touch";
        if (!isTouch || !isPinched()) actions.hover(event, isTouch || event.buttons === 0);
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
    return () => this.#attached.abort();
  }

  #positionOf(event: MouseEvent): PointedAt {
    return pointIn(this.#over, event);
  }

  #attachPinch(): () => boolean {
    const actions = this.#actions;
    const over = this.#over;
    const pinch = {
      start: () => actions.leave(),
      move(dx: number) {
        actions.panStart();
        actions.pan(dx, over.clientWidth);
      },
      zoom(scale: number, clientX: number) {
        const { left, width } = over.getBoundingClientRect();
        actions.zoom(1 / scale, clientX - left, width);
      },
    };
    return attachPinch(this.#root, pinch, this.#attached.signal);
  }

  #wheel(event: WheelEvent): void {
    const { x, width } = this.#positionOf(event);
    // Beside the plot, the wheel scrolls.
    if (x < 0 || x > width) return;
    const { dx, dy } = wheelPx(event);
    event.preventDefault();
    if (Math.abs(dx) <= Math.abs(dy) && !event.shiftKey)
      return this.#actions.zoom(ZOOM_PER_STEP ** (dy / WHEEL_PX_PER_STEP), x, width);
    this.#actions.panStart();
    this.#actions.pan(event.shiftKey && dx === 0 ? -dy : -dx, width);
  }

  #down(event: PointerEvent): void {
    if (event.button > 1) return;
    const start = this.#positionOf(event);
    if (start.x < 0) return;
    const isAxis = start.y > start.height;
    // Prevents scrolling by the middle button.
    if (event.button === 1) event.preventDefault();
    if (event.pointerType === "touch") {
      this.#actions.hover(event, true);
      this.#drag(event, {});
    } else if (event.button === 1 || event.shiftKey || event.altKey || isAxis) this.#pan(event, start.x);
    else this.#selectRange(event, start.x);
  }

  #pan(down: PointerEvent, startX: number): void {
    this.#drag(down, {
      start: () => {
        this.#actions.panStart();
        this.#root.setAttribute("data-panning", "");
      },
      move: (x, width) => this.#actions.pan(x - startX, width),
      end: () => this.#root.removeAttribute("data-panning"),
    });
  }

  #selectRange(down: PointerEvent, startX: number): void {
    this.#drag(down, {
      move: (x, width) =>
        this.#actions.markRange({
          fromX: clamp(Math.min(startX, x), width),
          toX: clamp(Math.max(startX, x), width),
        }),
      end: () => this.#actions.markRange(null),
      drop: (x, width) => this.#actions.zoomToRange(clamp(startX, width), clamp(x, width), width),
    });
  }

  /** Follows a drag that takes horizontal positions, and reports a press. */
  #drag(down: PointerEvent, actions: HorizontalDrag): void {
    followDrag(
      down,
      "x",
      {
        start: () => actions.start?.(),
        move: (event) => {
          const { x, width } = this.#positionOf(event);
          actions.move?.(x, width);
        },
        end: () => actions.end?.(),
        drop: (event) => {
          const { x, width } = this.#positionOf(event);
          actions.drop?.(x, width);
        },
        press: (event) => {
          const { x, y } = this.#positionOf(event);
          this.#actions.press(x, y);
        },
      },
      this.#attached.signal,
    );
  }
}

interface HorizontalDrag {
  start?(): void;
  move?(x: number, width: number): void;
  end?(): void;
  drop?(x: number, width: number): void;
}

function clamp(x: number, width: number): number {
  return Math.min(width, Math.max(0, x));
}
