import uPlot from "uplot";
import type { TimeRange } from "#shared/time/range.ts";
import { laneAreaPx } from "#shared/plot/lanes.ts";
import { panelOptions } from "./options.ts";
import { Painter } from "./painter.ts";
import { PanelContent } from "./panelContent.ts";
import { allLines, type CursorPlace, type PanelModel } from "#shared/plot/panel.ts";
import { type PointerActions, PlotPointer } from "./pointers.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { followSize } from "../ui/useSize.ts";

/** State and events that a panel shares with the other panels of a stage. */
export interface PanelPorts {
  readonly syncKey: string;
  readonly view: () => TimeRange;
  readonly theme: () => PlotTheme;
  readonly highlighted: () => string | null;
  /** Draws a line in front of the others; null: none. */
  readonly highlight: (stationId: string | null) => void;
  readonly pointer: Omit<PointerActions, "press" | "hover" | "leave">;
  readonly onCursor: (place: CursorPlace | null) => void;
  readonly onPress: (place: CursorPlace) => void;
}

/** A panel on the page. */
export interface PanelView<Model> {
  update(model: Model): void;
  /** Moves the cursor to a moment, or hides it. @returns its position, vertically in the middle of the plot */
  cursorTo(momentMs: number | null): CursorPlace | null;
  /** Marks the drawn content as outdated until the next drawing. */
  markPending(): void;
  /** Draws the current view at once. */
  draw(): void;
  /** Shows the range that the user is selecting. */
  markRange(range: { readonly fromX: number; readonly toX: number } | null): void;
  updateTheme(): void;
  remove(): void;
}

const CURSOR_DELAY_MS = 60;
/** Cached lines arrive within this time. */
const LINES_TIMEOUT_MS = 120;

/** Lines on uPlot's canvas. */
export class LinePanel implements PanelView<PanelModel> {
  readonly #host: HTMLElement;
  readonly #ports: PanelPorts;
  readonly #content: PanelContent;
  readonly #painter: Painter;
  readonly #unfollow: () => void;
  #plot: uPlot;
  #detachPointer: () => void;
  /** In CSS pixels of the plot. */
  #pointer: { readonly x: number; readonly y: number } | null = null;
  #cursorTimer: ReturnType<typeof setTimeout> | undefined;
  #linesTimer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the plot has to be rebuilt, because its axes have changed. */
  #isOutdated = false;

  constructor(host: HTMLElement, model: PanelModel, ports: PanelPorts) {
    this.#host = host;
    this.#ports = ports;
    this.#content = new PanelContent(model);
    this.#painter = new Painter(ports, this.#content);
    this.#plot = this.#create();
    this.#detachPointer = this.#listen();
    this.#unfollow = followSize(host, () => {
      const size = sizeOf(host);
      if (size.width !== this.#plot.width || size.height !== this.#plot.height) this.draw(size);
    });
    this.#onDrawn();
  }

  update(next: PanelModel): void {
    const { model } = this.#content;
    this.#isOutdated ||=
      laneAreaPx(next.lines.length) !== laneAreaPx(model.lines.length) || next.hasTimeAxis !== model.hasTimeAxis;
    this.#content.setModel(next);
    if (allLines(next).every((line) => line.track !== null)) return this.draw();
    // Waits for lines that are being loaded, because drawing without them would take time and flicker.
    this.markPending();
    this.#linesTimer ??= setTimeout(() => this.draw(), LINES_TIMEOUT_MS);
  }

  cursorTo(momentMs: number | null): CursorPlace | null {
    if (momentMs === null) {
      this.#plot.setCursor({ left: -10, top: -10 });
      return null;
    }
    const { startMs, endMs } = this.#ports.view();
    const { clientWidth: width, clientHeight: height } = this.#plot.over;
    const x = ((momentMs - startMs) / (endMs - startMs)) * width;
    this.#plot.setCursor({ left: x, top: height / 2 });
    const at = this.#placeOf(x, height / 2);
    return at && { ...at, momentMs };
  }

  markPending(): void {
    delete this.#host.dataset["drawn"];
  }

  /** @param size the new size of the host, if it has changed */
  draw(size: Size | null = null): void {
    clearTimeout(this.#linesTimer);
    this.#linesTimer = undefined;
    if (this.#isOutdated) this.#rebuild();
    else this.#atOnce(this.#plot, () => size && this.#plot.setSize(size));
    this.#onDrawn();
  }

  markRange(range: { readonly fromX: number; readonly toX: number } | null): void {
    const width = range ? range.toX - range.fromX : 0;
    this.#plot.setSelect({ left: range?.fromX ?? 0, top: 0, width, height: this.#plot.over.clientHeight }, false);
  }

  updateTheme(): void {
    this.#painter.updateTheme();
  }

  remove(): void {
    this.#unfollow();
    clearTimeout(this.#cursorTimer);
    clearTimeout(this.#linesTimer);
    this.#detachPointer();
    this.#plot.destroy();
  }

  #create(): uPlot {
    const { view, theme, syncKey } = this.#ports;
    const painter = this.#painter;
    const options = panelOptions(
      { view, bounds: () => this.#content.bounds, theme },
      {
        ...sizeOf(this.#host),
        lanesPx: laneAreaPx(this.#content.model.lines.length),
        hasTimeAxis: this.#content.model.hasTimeAxis,
        syncKey,
        hooks: { drawClear: [(u) => painter.drawBehind(u)], draw: [(u) => painter.drawFront(u)] },
      },
    );
    return new uPlot(options, [[]], (u, init) =>
      this.#atOnce(u, () => {
        this.#host.append(u.root);
        init();
      }),
    );
  }

  #rebuild(): void {
    this.#detachPointer();
    this.#plot.destroy();
    this.#plot = this.#create();
    this.#detachPointer = this.#listen();
    this.#isOutdated = false;
  }

  /** Changes the plot and draws the view at once; by itself, uPlot would wait for the end of the task and draw again. */
  #atOnce(u: uPlot, change: () => void): void {
    u.batch(() => {
      change();
      const view = this.#ports.view();
      this.#content.prepare(view, Math.max(1, Math.round(u.bbox.width)));
      u.setScale("x", { min: view.startMs, max: view.endMs });
    });
  }

  #onDrawn(): void {
    if (this.#pointer) this.#reportCursorSoon();
    const drawn = allLines(this.#content.model).filter((line) => line.track !== null);
    this.#host.dataset["drawn"] = String(drawn.length);
  }

  #listen(): () => void {
    return new PlotPointer(this.#plot.root, this.#plot.over, {
      ...this.#ports.pointer,
      press: (x, y) => {
        const at = this.#placeOf(x, y);
        if (at) this.#ports.onPress(at);
      },
      hover: (x, y) => {
        this.#pointer = { x, y };
        this.#pointAt();
      },
      leave: () => {
        this.#pointer = null;
        this.#ports.highlight(null);
        this.#ports.onCursor(null);
      },
    }).attach();
  }

  /** Reports the content under a resting pointer, which changes with the view and the data, once a movement pauses. */
  #reportCursorSoon(): void {
    clearTimeout(this.#cursorTimer);
    this.#cursorTimer = setTimeout(() => this.#pointAt(), CURSOR_DELAY_MS);
  }

  /** Reports what is under the pointer, and draws the line that is pointed at in front of the others. */
  #pointAt(): void {
    if (!this.#pointer) return;
    const { x, y } = this.#pointer;
    const ratio = uPlot.pxRatio;
    const place = this.#placeOf(x, y);
    const stationId = place && this.#content.lineAt(x * ratio, y * ratio, this.#plot.bbox, ratio);
    this.#ports.highlight(stationId);
    this.#ports.onCursor(place && { ...place, stationId });
  }

  #placeOf(x: number, y: number): CursorPlace | null {
    const box = this.#plot.over.getBoundingClientRect();
    if (x < 0 || x > box.width || y < 0) return null;
    const { startMs, endMs } = this.#ports.view();
    const perPx = (endMs - startMs) / box.width;
    const momentMs = startMs + x * perPx;
    const gap = this.#content.gapAt(momentMs, y - box.height, perPx);
    return { momentMs, gap, clientX: box.left + x, clientY: box.top + y };
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function sizeOf(host: HTMLElement): Size {
  return { width: Math.max(100, host.clientWidth), height: Math.max(60, host.clientHeight) };
}
