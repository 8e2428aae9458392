import type { TimeRange } from "#shared/time/range.ts";
import { type Bins, binTrack, createBins } from "./bins.ts";
import { type Lane, lanesOf } from "./lanes.ts";
import { allLines, type PanelModel } from "./panel.ts";
import { paddedBounds } from "./scale.ts";
import type { Track } from "./track.ts";

/** What a panel draws of its model: the lines in bins of a pixel, the ends of the value axis, and the lanes of gaps. */
export class PanelContent {
  /** Lines, and raw rows behind them, by station. */
  readonly bins = new Map<string, Bins>();
  readonly rawBins = new Map<string, Bins>();
  /** Ends of the value axis; NaN without values. */
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

  /** Bins the lines to the pixels of the view, and determines the bounds. @param widthPx of the plot */
  prepare(view: TimeRange, widthPx: number): void {
    const { model } = this;
    this.#low = Number.NaN;
    this.#high = Number.NaN;
    for (const { stationId, track, rejected } of allLines(model)) {
      if (track) this.#bin(track, view, widthPx, this.#binsOf(this.bins, stationId));
      if (rejected) this.#bin(rejected.track, view, widthPx, this.#binsOf(this.rawBins, stationId));
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
}
