import { type Bins, binTrack, createBins } from "#shared/plot/bins.ts";
import { type Lane, laneBox, lanesOf, segmentAt } from "#shared/plot/lanes.ts";
import { allLines, type GapUnder, type PanelModel } from "#shared/plot/panel.ts";
import { paddedBounds } from "#shared/plot/scale.ts";
import type { Track } from "#shared/plot/track.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { nearestLine } from "./nearest.ts";

/** Tolerance around narrow gaps. */
const REACH_PX = 3;
/** Distance from the pointer within which a line is pointed at. */
const LINE_REACH_PX = 16;

/** Size of the plot area, in device pixels. */
interface PlotSize {
  readonly width: number;
  readonly height: number;
}

/** What a panel draws of its model: the lines in bins of a pixel, the ends of the value axis, and the lanes of gaps. */
export class PanelContent {
  /** Lines, and raw rows behind them, by station. */
  readonly bins = new Map<string, Bins>();
  readonly rawBins = new Map<string, Bins>();
  /** Ends of the value axis. */
  bounds: readonly [number, number] = [0, 1];
  lanes: readonly Lane[] = [];
  model: PanelModel;
  /** Bins of removed lines, for reuse. */
  readonly #spare: Bins[] = [];
  #low = Number.NaN;
  #high = Number.NaN;

  constructor(model: PanelModel) {
    this.model = model;
  }

  setModel(model: PanelModel): void {
    this.model = model;
    const ids = new Set(allLines(model).map((line) => line.stationId));
    for (const all of [this.bins, this.rawBins]) {
      for (const [id, own] of all) {
        if (ids.has(id)) continue;
        this.#spare.push(own);
        all.delete(id);
      }
    }
  }

  /** Bins the lines to the pixels of the view, and determines the bounds. */
  prepare(view: TimeRange, widthPx: number): void {
    const { model } = this;
    this.#low = Number.NaN;
    this.#high = Number.NaN;
    for (const { stationId, track, behind } of allLines(model)) {
      if (track) this.#bin(track, view, widthPx, this.#binsOf(this.bins, stationId));
      if (behind) this.#bin(behind.track, view, widthPx, this.#binsOf(this.rawBins, stationId));
    }
    for (const { value } of model.annotations?.thresholds ?? []) this.#include(value, value);
    this.bounds = model.bounds ?? paddedBounds(this.#low, this.#high);
    this.lanes = lanesOf(model.gaps, view, widthPx);
  }

  #bin(track: Track, view: TimeRange, widthPx: number, into: Bins): void {
    binTrack(track, view, widthPx, into);
    this.#include(into.low, into.high);
  }

  #binsOf(all: Map<string, Bins>, stationId: string): Bins {
    const own = all.get(stationId) ?? this.#spare.pop() ?? createBins();
    all.set(stationId, own);
    return own;
  }

  /** Bins without values are NaN. */
  #include(low: number, high: number): void {
    if (!(low > this.#low) && !Number.isNaN(low)) this.#low = low;
    if (!(high < this.#high) && !Number.isNaN(high)) this.#high = high;
  }

  /** The id of the line at a point in device pixels; null for a panel of one line, which needs no name. */
  lineAt(x: number, y: number, { width, height }: PlotSize, ratio: number): string | null {
    const [low, high] = this.bounds;
    if (allLines(this.model).length < 2 || Number.isNaN(low)) return null;
    return nearestLine(this.bins, { x, y }, { left: 0, top: 0, width, height, low, high }, LINE_REACH_PX * ratio);
  }

  /** @param below CSS pixels below the plot; negative inside */
  gapAt(momentMs: number, below: number, perPx: number): GapUnder | null {
    const { lines } = this.model;
    const lane = this.lanes.find(({ stationId }) => {
      if (lines.length <= 1) return below <= 0;
      const index = stationId === null ? 0 : lines.findIndex((line) => line.stationId === stationId);
      const { topPx, heightPx } = laneBox(index, lines.length);
      return below >= topPx - 1 && below < topPx + heightPx + 1;
    });
    const piece = lane && segmentAt(lane.segments, momentMs, perPx * REACH_PX);
    return piece ? { ...piece, stationId: lane.stationId } : null;
  }
}
