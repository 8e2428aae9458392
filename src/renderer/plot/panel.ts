import uPlot from "uplot";
import type { CursorPlace } from "#shared/plot/panel.ts";
import { type Drawing, type PanelState, type Point, plotOf, type Size } from "./drawing.ts";
import { pointIn } from "../ui/drag.ts";
import { followSize } from "../ui/useSize.ts";
import { paintShapes } from "./figure/paint.ts";
import { type PointerActions, type PointerPlace, PlotPointer } from "./pointers.ts";

/** State and events that a panel shares with the other panels of a stage. */
interface PanelPorts extends PanelState {
  /** The moment at which the keyboard holds the cursor; null for none. */
  readonly cursorMs: () => number | null;
  /** Draws the line of the cursor in all panels. */
  readonly showLine: (momentMs: number | null) => void;
  readonly highlighted: () => string | null;
  /** Draws a line in front of the others; null: none. */
  readonly highlight: (stationId: string | null) => void;
  readonly pointer: Omit<PointerActions, "press" | "hover" | "leave">;
  readonly onCursor: (place: CursorPlace | null) => void;
  readonly onPress: (place: CursorPlace) => void;
}

const CURSOR_DELAY_MS = 60;
/** Cached lines arrive within this time. */
const LINES_TIMEOUT_MS = 120;
/** Tolerance around narrow gaps. */
const REACH_PX = 3;

/** A plot over time in an element of the page: a stage of uPlot's, on which the shapes of a drawing are painted. */
export class Panel<Model> {
  readonly #host: HTMLElement;
  readonly #drawing: Drawing<Model>;
  readonly #ports: PanelPorts;
  readonly #plot: uPlot;
  readonly #row = document.createElement("div");
  readonly #detachPointer: () => void;
  readonly #unfollow: () => void;
  #pointer: PointerPlace | null = null;
  #cursorTimer: ReturnType<typeof setTimeout> | undefined;
  #linesTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: HTMLElement, drawing: Drawing<Model>, ports: PanelPorts) {
    this.#host = host;
    this.#drawing = drawing;
    this.#ports = ports;
    // Without data: each series has times of its own, whereas uPlot requires common ones.
    this.#plot = new uPlot(this.#options(), [[]], (u, init) =>
      this.#atOnce(u, () => {
        host.append(u.root);
        init();
      }),
    );
    this.#row.dataset["part"] = "row";
    this.#plot.over.append(this.#row);
    this.#detachPointer = this.#listen();
    this.#unfollow = followSize(host, () => {
      const size = elementSize(host);
      if (size.width !== this.#plot.width || size.height !== this.#plot.height) this.draw(size);
    });
    this.#onDrawn();
  }

  update(next: Model): void {
    this.#drawing.setModel(next);
    this.markPending();
    if (this.#drawing.isComplete()) return this.draw();
    // Waits for lines that are being loaded, because drawing without them would take time and flicker.
    this.#linesTimer ??= setTimeout(() => this.draw(), LINES_TIMEOUT_MS);
  }

  /** Marks the drawn content as outdated until the next drawing. */
  markPending(): void {
    delete this.#host.dataset["drawn"];
  }

  /** Draws the current view at once. @param size the new size of the host, if it has changed */
  draw(size: Size | null = null): void {
    clearTimeout(this.#linesTimer);
    this.#linesTimer = undefined;
    this.#atOnce(this.#plot, () => size && this.#plot.setSize(size));
    this.#onDrawn();
  }

  /** Shows the range that the user is selecting. */
  markRange(range: { readonly fromX: number; readonly toX: number } | null): void {
    const width = range ? range.toX - range.fromX : 0;
    this.#plot.setSelect({ left: range?.fromX ?? 0, top: 0, width, height: plotOf(this.#plot).height }, false);
  }

  /**
   * Takes the cursor from the pointer, until that moves again, or hides it. @returns what is at a moment, in the middle of
   * the plot, or of the row of the highlighted station
   */
  cursorTo(momentMs: number | null): CursorPlace | null {
    this.showLine(momentMs);
    const x = this.#xOf(momentMs);
    if (momentMs === null || x === null) return null;
    this.#pointer = null;
    const plot = plotOf(this.#plot);
    const { top, height } = this.#drawing.rowOf(this.#ports.highlighted(), plot) ?? { ...plot, top: 0 };
    const point = { x, y: top + height / 2 };
    this.#showRow();
    const at = this.#placeOf(point);
    const stationId = this.#drawing.stationAt(point, plot);
    const isRow = this.#drawing.rowOf(stationId, plot) !== null;
    return at && { ...at, momentMs, stationId: isRow ? stationId : null };
  }

  /** Draws the line of the cursor at a moment of the view; null: none. */
  showLine(momentMs: number | null): void {
    const x = this.#xOf(momentMs);
    this.#plot.setCursor(x === null ? { left: -10, top: -10 } : { left: x, top: 0 });
  }

  /** The place of a moment in the plot, in CSS pixels; null outside of the view. */
  #xOf(momentMs: number | null): number | null {
    const { startMs, endMs } = this.#ports.view();
    if (momentMs === null || momentMs < startMs || momentMs > endMs) return null;
    return ((momentMs - startMs) / (endMs - startMs)) * plotOf(this.#plot).width;
  }

  remove(): void {
    this.#unfollow();
    clearTimeout(this.#cursorTimer);
    clearTimeout(this.#linesTimer);
    this.#detachPointer();
    this.#plot.destroy();
  }

  #options(): uPlot.Options {
    const drawing = this.#drawing;
    const { view, theme, highlighted } = this.#ports;
    const paint = (u: uPlot): void => {
      const ratio = uPlot.pxRatio;
      const look = { size: u, plot: plotOf(u), view: view(), theme: theme(), highlighted: highlighted(), ratio };
      paintShapes(u.ctx, drawing.shapes(look), theme().fontFamily, ratio);
    };
    return {
      ...elementSize(this.#host),
      pxAlign: 1,
      padding: drawing.padding,
      series: [{}],
      legend: { show: false },
      select: { show: true, left: 0, top: 0, width: 0, height: 0 },
      scales: {
        x: { time: false, range: () => [view().startMs, view().endMs] },
        y: { range: () => (Number.isNaN(drawing.bounds[0]) ? [0, 1] : [...drawing.bounds]) },
      },
      axes: drawing.axes(this.#ports),
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: false, y: false, setScale: false },
        bind: NO_LISTENERS,
      },
      hooks: { draw: [paint] },
    };
  }

  /** Changes the plot and draws the view at once; by itself, uPlot would wait for the end of the task and draw again. */
  #atOnce(u: uPlot, change: () => void): void {
    u.batch(() => {
      change();
      const view = this.#ports.view();
      this.#drawing.prepare(view, Math.max(1, Math.round(u.bbox.width)));
      // The model may need other axes.
      u.redraw(false, true);
      u.setScale("x", { min: view.startMs, max: view.endMs });
    });
  }

  #onDrawn(): void {
    this.#showRow();
    clearTimeout(this.#cursorTimer);
    if (this.#pointer || this.#ports.cursorMs() !== null)
      this.#cursorTimer = setTimeout(() => this.#follow(), CURSOR_DELAY_MS);
    this.#host.dataset["drawn"] = String(this.#drawing.drawnLines());
  }

  /** Marks the row of the highlighted station, or under the pointer. */
  #showRow(): void {
    const plot = plotOf(this.#plot);
    const point = this.#pointed();
    const own = point && this.#drawing.stationAt(point, plot);
    const row = this.#drawing.rowOf(this.#ports.highlighted() ?? own, plot);
    this.#row.hidden = row === null;
    if (!row) return;
    const { left, top, width, height } = row;
    Object.assign(this.#row.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  }

  #listen(): () => void {
    const { over, root } = this.#plot;
    return new PlotPointer(root, over, {
      ...this.#ports.pointer,
      press: (x, y) => {
        const at = this.#placeOf({ x, y });
        if (at) this.#ports.onPress(at);
      },
      hover: ({ clientX, clientY }, reads) => {
        this.#pointer = { clientX, clientY };
        if (reads) this.#point();
        else this.#lineAtPointer();
      },
      leave: () => this.#leave(),
    }).attach();
  }

  #leave(): void {
    this.#pointer = null;
    this.#ports.showLine(null);
    this.#showRow();
    this.#ports.highlight(null);
    this.#ports.onCursor(null);
  }

  /** Keeps the cursor at its moment, or at a resting pointer: what is there changes with the view, the data and the size. */
  #follow(): void {
    const cursorMs = this.#ports.cursorMs();
    if (cursorMs !== null) this.cursorTo(cursorMs);
    const point = this.#pointed();
    if (!this.#pointer || !point) return;
    const { left, right, top, bottom } = this.#plot.root.getBoundingClientRect();
    const { clientX, clientY } = this.#pointer;
    const isOver = clientX >= left && clientX < right && clientY >= top && clientY < bottom;
    if (isOver) this.#point();
    else this.#leave();
  }

  #pointed(): Point | null {
    return this.#pointer && pointIn(this.#plot.over, this.#pointer);
  }

  /** Draws the line of the cursor of all panels at the pointer. @returns the place there */
  #lineAtPointer(): CursorPlace | null {
    const point = this.#pointed();
    const at = point && this.#placeOf(point);
    this.#ports.showLine(at?.momentMs ?? null);
    return at;
  }

  /** Reports what is under the pointer, and draws the line that is pointed at in front of the others. */
  #point(): void {
    const point = this.#pointed();
    if (!point) return;
    const plot = plotOf(this.#plot);
    const at = this.#lineAtPointer();
    const stationId = at && this.#drawing.stationAt(point, plot);
    // Rows do not cover each other.
    if (this.#drawing.rowOf(stationId, plot) === null) this.#ports.highlight(stationId);
    this.#showRow();
    this.#ports.onCursor(at && { ...at, stationId });
  }

  #placeOf(point: Point): CursorPlace | null {
    const plot = plotOf(this.#plot);
    if (point.x < 0 || point.x > plot.width || point.y < 0) return null;
    const { startMs, endMs } = this.#ports.view();
    const perPx = (endMs - startMs) / plot.width;
    const momentMs = startMs + point.x * perPx;
    const { left, top } = this.#plot.over.getBoundingClientRect();
    const gap = this.#drawing.gapAt(momentMs, perPx * REACH_PX, point, plot);
    return { momentMs, gap, clientX: left + point.x, clientY: top + point.y };
  }
}

/** The panels follow the pointer themselves, also beside the plot area; uPlot's own listeners are off. */
const noListener = (): null => null;
const NO_LISTENERS = {
  mousedown: noListener,
  mouseup: noListener,
  click: noListener,
  dblclick: noListener,
  mousemove: noListener,
  mouseleave: noListener,
  mouseenter: noListener,
};

function elementSize({ clientWidth, clientHeight }: HTMLElement): Size {
  return { width: Math.max(100, clientWidth), height: Math.max(60, clientHeight) };
}
