import uPlot from "uplot";
import type { TimeRange } from "#shared/time/range.ts";
import { type Bins, binTrack, createBins } from "#shared/plot/bins.ts";
import { type Lane, laneAreaPx, laneBox, lanesOf, segmentAt } from "#shared/plot/lanes.ts";
import { nearestLine } from "./nearest.ts";
import { panelOptions } from "./options.ts";
import { createPainter } from "./painter.ts";
import { allLines, type CursorPlace, type GapUnder, type PanelModel } from "#shared/plot/panel.ts";
import { attachPointer, type PointerActions } from "./pointers.ts";
import { paddedLimits } from "#shared/plot/scale.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { Track } from "#shared/plot/track.ts";

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
/** Tolerance around narrow gaps. */
const REACH_PX = 3;
/** Distance from the pointer within which a line is pointed at. */
const LINE_REACH_PX = 16;

export function createPanelView(host: HTMLElement, first: PanelModel, ports: PanelPorts): PanelView<PanelModel> {
  let model = first;
  const bins = new Map<string, Bins>();
  const rawBins = new Map<string, Bins>();
  /** Bins of removed lines, for reuse. */
  const spare: Bins[] = [];
  const painter = createPainter(ports, () => ({ model, limits, lanes, bins, rawBins }));
  let limits: readonly [number, number] = [0, 1];
  let lanes: readonly Lane[] = [];
  let pointer: { readonly x: number; readonly y: number } | null = null;
  let cursorTimer: ReturnType<typeof setTimeout> | undefined;
  let linesTimer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the plot has to be rebuilt, because its axes have changed. */
  let isOutdated = false;
  let plot = create();
  let detachPointer = listen();
  const sizes = new ResizeObserver(() => {
    const size = sizeOf(host);
    if (size.width !== plot.width || size.height !== plot.height) draw(size);
  });
  sizes.observe(host);

  function create(): uPlot {
    const options = panelOptions(
      { view: ports.view, limits: () => limits, theme: ports.theme },
      {
        ...sizeOf(host),
        lanesPx: laneAreaPx(model.lines.length),
        hasTimeAxis: model.hasTimeAxis,
        syncKey: ports.syncKey,
        hooks: { drawClear: [painter.behind], draw: [painter.front] },
      },
    );
    return new uPlot(options, [[]], (u, init) =>
      atOnce(u, () => {
        host.append(u.root);
        init();
      }),
    );
  }

  /** Changes the plot and draws the view at once; by itself, uPlot would wait for the end of the task and draw again. */
  function atOnce(u: uPlot, change: () => void): void {
    u.batch(() => {
      change();
      prepare(u);
      const { startMs, endMs } = ports.view();
      u.setScale("x", { min: startMs, max: endMs });
    });
  }

  /** Bins the lines to the pixels of the view and determines the limits. */
  function prepare(u: uPlot): void {
    const widthPx = Math.max(1, Math.round(u.bbox.width));
    let low = Number.NaN;
    let high = Number.NaN;
    const bin = (all: Map<string, Bins>, stationId: string, track: Track): void => {
      const into = all.get(stationId) ?? spare.pop() ?? createBins();
      all.set(stationId, into);
      binTrack(track, ports.view(), widthPx, into);
      if (!(into.low > low)) low = Number.isNaN(into.low) ? low : into.low;
      if (!(into.high < high)) high = Number.isNaN(into.high) ? high : into.high;
    };
    for (const { stationId, track, behind } of allLines(model)) {
      if (track) bin(bins, stationId, track);
      if (behind) bin(rawBins, stationId, behind.track);
    }
    for (const { value } of model.annotations?.thresholds ?? []) {
      if (!(value > low)) low = value;
      if (!(value < high)) high = value;
    }
    limits = model.limits ?? paddedLimits(low, high);
    lanes = lanesOf(model.gaps, ports.view(), widthPx);
  }

  /** @param size the new size of the host, if it has changed */
  function draw(size: Size | null = null): void {
    clearTimeout(linesTimer);
    linesTimer = undefined;
    if (isOutdated) rebuild();
    else atOnce(plot, () => size && plot.setSize(size));
    onDrawn();
  }

  function onDrawn(): void {
    if (pointer) reportCursorSoon();
    host.dataset["drawn"] = String(allLines(model).filter((line) => line.track !== null).length);
  }

  /** Waits for lines that are being loaded, because drawing without them would take time and flicker. */
  function waitForLines(): void {
    markPending();
    linesTimer ??= setTimeout(() => draw(), LINES_TIMEOUT_MS);
  }

  function markPending(): void {
    delete host.dataset["drawn"];
  }

  function listen(): () => void {
    return attachPointer(plot.root, plot.over, {
      ...ports.pointer,
      press(x, y) {
        const at = placeOf(x, y);
        if (at) ports.onPress(at);
      },
      hover(x, y) {
        pointer = { x, y };
        pointAt();
      },
      leave() {
        pointer = null;
        ports.highlight(null);
        ports.onCursor(null);
      },
    });
  }

  /** Reports the content under a resting pointer, which changes with the view and the data, once a movement pauses. */
  function reportCursorSoon(): void {
    clearTimeout(cursorTimer);
    cursorTimer = setTimeout(pointAt, CURSOR_DELAY_MS);
  }

  /** Reports what is under the pointer, and draws the line that is pointed at in front of the others. */
  function pointAt(): void {
    if (!pointer) return;
    const place = placeOf(pointer.x, pointer.y);
    const stationId = place && lineAt(pointer.x, pointer.y);
    ports.highlight(stationId);
    ports.onCursor(place && { ...place, stationId });
  }

  /** The id of the line at a point of the plot; null for a panel of one line, which needs no name. */
  function lineAt(x: number, y: number): string | null {
    if (allLines(model).length < 2 || Number.isNaN(limits[0])) return null;
    const ratio = uPlot.pxRatio;
    const [low, high] = limits;
    const box = { left: 0, top: 0, width: plot.bbox.width, height: plot.bbox.height, low, high };
    return nearestLine(bins, { x: x * ratio, y: y * ratio }, box, LINE_REACH_PX * ratio);
  }

  function placeOf(x: number, y: number): CursorPlace | null {
    const box = plot.over.getBoundingClientRect();
    if (x < 0 || x > box.width || y < 0) return null;
    const { startMs, endMs } = ports.view();
    const perPx = (endMs - startMs) / box.width;
    const momentMs = startMs + x * perPx;
    const gap = gapAt(momentMs, y - box.height, perPx * REACH_PX);
    return { momentMs, gap, clientX: box.left + x, clientY: box.top + y };
  }

  /** @param below CSS pixels below the plot; negative inside */
  function gapAt(momentMs: number, below: number, withinMs: number): GapUnder | null {
    const lineCount = model.lines.length;
    const lane = lanes.find((each) => {
      if (lineCount <= 1) return below <= 0;
      const index = each.stationId === null ? 0 : model.lines.findIndex((l) => l.stationId === each.stationId);
      const { topPx, heightPx } = laneBox(index, lineCount);
      return below >= topPx - 1 && below < topPx + heightPx + 1;
    });
    const piece = lane && segmentAt(lane.segments, momentMs, withinMs);
    return piece ? { ...piece, stationId: lane.stationId } : null;
  }

  onDrawn();
  return {
    update(next) {
      isOutdated ||=
        laneAreaPx(next.lines.length) !== laneAreaPx(model.lines.length) || next.hasTimeAxis !== model.hasTimeAxis;
      model = next;
      const ids = new Set(allLines(model).map((line) => line.stationId));
      for (const all of [bins, rawBins]) {
        for (const [id, own] of all) {
          if (ids.has(id)) continue;
          spare.push(own);
          all.delete(id);
        }
      }
      if (allLines(model).some((line) => line.track === null)) waitForLines();
      else draw();
    },
    cursorTo(momentMs) {
      if (momentMs === null) {
        plot.setCursor({ left: -10, top: -10 });
        return null;
      }
      const { startMs, endMs } = ports.view();
      const { clientWidth: width, clientHeight: height } = plot.over;
      const x = ((momentMs - startMs) / (endMs - startMs)) * width;
      plot.setCursor({ left: x, top: height / 2 });
      const at = placeOf(x, height / 2);
      return at && { ...at, momentMs };
    },
    markPending,
    draw: () => draw(),
    markRange(range) {
      const width = range ? range.toX - range.fromX : 0;
      plot.setSelect({ left: range?.fromX ?? 0, top: 0, width, height: plot.over.clientHeight }, false);
    },
    updateTheme: painter.updateTheme,
    remove() {
      sizes.disconnect();
      clearTimeout(cursorTimer);
      clearTimeout(linesTimer);
      detachPointer();
      plot.destroy();
    },
  };

  function rebuild(): void {
    detachPointer();
    plot.destroy();
    plot = create();
    detachPointer = listen();
    isOutdated = false;
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function sizeOf(host: HTMLElement): Size {
  return { width: Math.max(100, host.clientWidth), height: Math.max(60, host.clientHeight) };
}
