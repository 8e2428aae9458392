import { binTrack, createBins } from "#shared/plot/bins.ts";
import { allLines, type PanelLine, type PanelModel } from "#shared/plot/panel.ts";
import { paddedBounds, roundUp } from "#shared/plot/scale.ts";
import { drawnAfterMs, type Track } from "#shared/plot/track.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lowerBound } from "#shared/arrays.ts";

/**
 * Ways to tell the lines of many stations apart.
 *
 * - lines: unchanged values
 * - offsets: each line is shifted above the previous one by a constant amount
 * - anomalies: each value minus the mean of its line over the range
 * - multiples: a plot for each station
 * - hovmoller: a row of colours for each station instead of lines
 */
export const ARRANGEMENTS = ["lines", "offsets", "anomalies", "multiples", "hovmoller"] as const;
export type Arrangement = (typeof ARRANGEMENTS)[number];

interface Summary {
  readonly mean: number;
  /** Difference between the largest and the smallest value. */
  readonly span: number;
}

/** Returns the mean and span of a track within a range; null if it has no value there. */
export function summaryOf(track: Track, shown: TimeRange): Summary | null {
  const laterMs = drawnAfterMs(track);
  const range = { startMs: shown.startMs - laterMs, endMs: shown.endMs - laterMs };
  let [total, sum, low, high] = [0, 0, Infinity, -Infinity];
  const add = (count: number, mean: number, min: number, max: number): void => {
    total += count;
    sum += count * mean;
    low = Math.min(low, min);
    high = Math.max(high, max);
  };
  if (track.kind === "rows") {
    const { timesMs, values } = track;
    for (let i = lowerBound(timesMs, range.startMs); i < timesMs.length; i++) {
      if ((timesMs[i] ?? Infinity) >= range.endMs) break;
      const value = values[i] ?? Number.NaN;
      if (!Number.isNaN(value)) add(1, value, value, value);
    }
  } else {
    const { count, mean, min, max } = track.data;
    const widthMs = (track.range.endMs - track.range.startMs) / count.length;
    count.forEach((rows, i) => {
      // A column belongs to the range that contains its middle.
      const middleMs = track.range.startMs + (i + 0.5) * widthMs;
      if (rows === 0 || middleMs < range.startMs || middleMs >= range.endMs) return;
      add(rows, mean[i] ?? 0, min[i] ?? 0, max[i] ?? 0);
    });
  }
  return total === 0 ? null : { mean: sum / total, span: high - low };
}

function shifted(values: Float64Array, by: number): Float64Array {
  return values.map((value) => value + by);
}

/** Returns a track with an amount added to its values; standard deviations are unchanged. */
export function shiftTrack(track: Track, by: number): Track {
  if (by === 0) return track;
  if (track.kind === "rows") return { ...track, values: shifted(track.values, by) };
  const { count, min, max, mean } = track.data;
  return { ...track, data: { count, min: shifted(min, by), max: shifted(max, by), mean: shifted(mean, by) } };
}

/** Returns a round distance between lines at which most of them do not cross: the median of their spans. */
export function offsetOf(lines: readonly PanelLine[], range: TimeRange): number {
  const spans = lines
    .flatMap(({ track }) => (track ? (summaryOf(track, range)?.span ?? []) : []))
    .toSorted((a, b) => a - b);
  return roundUp(spans[spans.length >> 1] || 1);
}

function shift(line: PanelLine, by: number): PanelLine {
  return {
    ...line,
    track: line.track && shiftTrack(line.track, by),
    rejected: line.rejected && { ...line.rejected, track: shiftTrack(line.rejected.track, by) },
  };
}

/**
 * Shifts the lines of a panel according to the arrangement. The panel gets another title, a key of its own for bounds, and no
 * thresholds, which are values that its axis no longer shows.
 *
 * @param bounds fixed bounds of axes, by quantity key
 */
export function arrange(
  model: PanelModel,
  arrangement: Arrangement,
  range: TimeRange,
  bounds: Readonly<Record<string, readonly [number, number]>>,
): PanelModel {
  if (arrangement !== "offsets" && arrangement !== "anomalies") return model;
  const { key, short, label, unit } = model.quantity;
  const own = `${key}.${arrangement}`;
  const { annotations } = model;
  const moved = { ...model, ...(annotations && { annotations: { ...annotations, thresholds: [] } }) };
  if (arrangement === "anomalies") {
    const centred = (line: PanelLine): PanelLine =>
      shift(line, -((line.track && summaryOf(line.track, range)?.mean) ?? 0));
    const words = `${label}: anomaly from each station’s mean over the range`;
    return {
      ...moved,
      quantity: { key: own, short: `${short} anomaly`, label: words, unit },
      lines: model.lines.map(centred),
      fromFiles: model.fromFiles.map(centred),
      bounds: bounds[own] ?? null,
    };
  }
  const step = offsetOf(allLines(model), range);
  const words = `${label}: each line is ${step} ${unit} above the one before`;
  return {
    ...moved,
    quantity: { key: own, short: `${short} + offset`, label: words, unit },
    lines: model.lines.map((line, i) => shift(line, i * step)),
    fromFiles: model.fromFiles.map((line, i) => shift(line, (model.lines.length + i) * step)),
    bounds: bounds[own] ?? null,
  };
}

/** Time resolution at which the range of values is determined. */
const COLUMNS = 1_000;

/**
 * Splits panels into one for each station or file series and quantity, grouped by station, without time axes.
 *
 * @param isOwnScale whether each axis fits its own line; otherwise panels of a quantity share their bounds
 */
export function splitPanels(models: readonly PanelModel[], view: TimeRange, isOwnScale: boolean): PanelModel[] {
  const bounds = new Map(
    models.map((model) => [model, isOwnScale ? null : (model.bounds ?? panelBounds(model, view))] as const),
  );
  const ids = new Set(models.flatMap(allLines).map((line) => line.stationId));
  return [...ids].flatMap((id) =>
    models.flatMap((model): PanelModel[] => {
      const line = allLines(model).find((each) => each.stationId === id);
      if (!line) return [];
      return [
        {
          ...model,
          heading: line.name,
          lines: model.lines.filter((each) => each === line),
          fromFiles: model.fromFiles.filter((each) => each === line),
          gaps: model.gaps.filter((each) => each.stationId === id),
          bounds: bounds.get(model) ?? null,
          hasTimeAxis: false,
        },
      ];
    }),
  );
}

/** Returns bounds that fit all lines and thresholds; null without values. */
function panelBounds(model: PanelModel, view: TimeRange): readonly [number, number] | null {
  const bins = createBins();
  const thresholds = model.annotations?.thresholds.map(({ value }) => value) ?? [];
  let [low, high] = [Math.min(...thresholds), Math.max(...thresholds)];
  for (const { track, rejected } of allLines(model)) {
    for (const each of [track, rejected?.track]) {
      if (!each) continue;
      binTrack(each, view, COLUMNS, bins);
      if (bins.low < low) low = bins.low;
      if (bins.high > high) high = bins.high;
    }
  }
  return low <= high ? paddedBounds(low, high) : null;
}
