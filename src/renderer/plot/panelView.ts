import uPlot from "uplot";
import type { TimeRange } from "#shared/time/range.ts";
import { type Bins, binTrack, createBins } from "#shared/plot/bins.ts";
import { type Lane, laneAreaPx, laneBox, lanesOf, pieceAt } from "#shared/plot/lanes.ts";
import { panelOptions } from "./options.ts";
import { createPainter } from "./painter.ts";
import { allLines, type CursorPlace, type GapUnder, type PanelModel } from "#shared/plot/panel.ts";
import { followPointer, type Hand } from "./pointers.ts";
import { paddedLimits } from "#shared/plot/scale.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { Track } from "#shared/plot/track.ts";

/** What a panel shares with the others. */
export interface PanelPorts {
  readonly syncKey: string;
  readonly view: () => TimeRange;
  readonly theme: () => PlotTheme;
  readonly highlighted: () => string | null;
  readonly hand: Omit<Hand, "press" | "hover" | "leave">;
  readonly onCursor: (place: CursorPlace | null) => void;
  readonly onPress: (place: CursorPlace) => void;
}

/** A panel on the screen, and what it shows. */
export interface PanelView<Model> {
  update(model: Model): void;
  /** Puts the cursor at a moment; null takes it away. @returns the place in the middle of the plot */
  cursorTo(momentMs: number | null): CursorPlace | null;
  /** Says that what is drawn is not what was chosen last. */
  expect(): void;
  /** Shows the view of now, at once. */
  draw(): void;
  /** Shows the range that is being marked. */
  mark(range: { readonly fromX: number; readonly toX: number } | null): void;
  retheme(): void;
  remove(): void;
}

const HAND_MS = 60;
/** Lines that are in the cache are here before this is over. */
const PATIENCE_MS = 120;
/** A gap may be narrower than a hand can point. */
const REACH_PX = 3;

export function createPanelView(host: HTMLElement, first: PanelModel, ports: PanelPorts): PanelView<PanelModel> {
  let model = first;
  const bins = new Map<string, Bins>();
  const rawBins = new Map<string, Bins>();
  /** Of lines that went: the next ones need as much. */
  const spare: Bins[] = [];
  const painter = createPainter(ports, () => ({ model, limits, lanes, bins, rawBins }));
  let limits: readonly [number, number] = [0, 1];
  let lanes: readonly Lane[] = [];
  let hand: { readonly x: number; readonly y: number } | null = null;
  let handTimer: ReturnType<typeof setTimeout> | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  /** Whether the axes are other ones by now. */
  let isOutdated = false;
  let plot = create();
  let endPointer = follow();
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

  /** Changes the plot and shows the view: uPlot's own way waits for the end of the task, and then draws once more. */
  function atOnce(u: uPlot, change: () => void): void {
    u.batch(() => {
      change();
      prepare(u);
      const { startMs, endMs } = ports.view();
      u.setScale("x", { min: startMs, max: endMs });
    });
  }

  /** What the view shows of each line, and the limits of all. */
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
    limits = model.limits ?? paddedLimits(low, high);
    lanes = lanesOf(model.gaps, ports.view(), widthPx);
  }

  /** @param size that the host has now, where it is another one */
  function draw(size: Size | null = null): void {
    clearTimeout(waiting);
    waiting = undefined;
    if (isOutdated) rebuild();
    else atOnce(plot, () => size && plot.setSize(size));
    tellDrawn();
  }

  function tellDrawn(): void {
    if (hand) tellHandSoon();
    host.dataset["drawn"] = String(allLines(model).filter((line) => line.track !== null).length);
  }

  /** A picture without the lines that are on their way would only cost time, and flicker. */
  function waitForLines(): void {
    expect();
    waiting ??= setTimeout(() => draw(), PATIENCE_MS);
  }

  function expect(): void {
    delete host.dataset["drawn"];
  }

  function follow(): () => void {
    return followPointer(plot.root, plot.over, {
      ...ports.hand,
      press(x, y) {
        const at = placeOf(x, y);
        if (at) ports.onPress(at);
      },
      hover(x, y) {
        hand = { x, y };
        ports.onCursor(placeOf(x, y));
      },
      leave() {
        hand = null;
        ports.onCursor(null);
      },
    });
  }

  /** What is under a hand that rests has changed with the view or the data: told once a movement pauses. */
  function tellHandSoon(): void {
    clearTimeout(handTimer);
    handTimer = setTimeout(() => {
      if (hand) ports.onCursor(placeOf(hand.x, hand.y));
    }, HAND_MS);
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

  /** @param below CSS pixels below the foot of the plot: negative inside */
  function gapAt(momentMs: number, below: number, withinMs: number): GapUnder | null {
    const n = model.lines.length;
    const lane = lanes.find((each) => {
      if (n <= 1) return below <= 0;
      const index = each.stationId === null ? 0 : model.lines.findIndex((l) => l.stationId === each.stationId);
      const { topPx, heightPx } = laneBox(index, n);
      return below >= topPx - 1 && below < topPx + heightPx + 1;
    });
    const piece = lane && pieceAt(lane.pieces, momentMs, withinMs);
    return piece ? { ...piece, stationId: lane.stationId } : null;
  }

  tellDrawn();
  return {
    update(next) {
      isOutdated ||=
        laneAreaPx(next.lines.length) !== laneAreaPx(model.lines.length) || next.hasTimeAxis !== model.hasTimeAxis;
      model = next;
      const kept = new Set(allLines(model).map((line) => line.stationId));
      for (const all of [bins, rawBins]) {
        for (const [id, of] of all) {
          if (kept.has(id)) continue;
          spare.push(of);
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
    expect,
    draw: () => draw(),
    mark(range) {
      const width = range ? range.toX - range.fromX : 0;
      plot.setSelect({ left: range?.fromX ?? 0, top: 0, width, height: plot.over.clientHeight }, false);
    },
    retheme: painter.retheme,
    remove() {
      sizes.disconnect();
      clearTimeout(handTimer);
      clearTimeout(waiting);
      endPointer();
      plot.destroy();
    },
  };

  function rebuild(): void {
    endPointer();
    plot.destroy();
    plot = create();
    endPointer = follow();
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
