import { lowerBound } from "#shared/time/search.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { allLines, type PanelLine, type PanelModel } from "#shared/plot/panel.ts";
import type { Track } from "#shared/plot/track.ts";

/**
 * How the lines of many stations are told apart.
 *
 * - lines: every value where it is
 * - offsets: each line above the one before, by the same amount
 * - anomalies: each value minus the mean of its line over the range
 * - multiples: a plot for each station
 * - hovmoller: no lines, but a row of colours for each station
 */
export const ARRANGEMENTS = ["lines", "offsets", "anomalies", "multiples", "hovmoller"] as const;
export type Arrangement = (typeof ARRANGEMENTS)[number];

export function readArrangement(kept: unknown): Arrangement {
  return ARRANGEMENTS.find((one) => one === kept) ?? "lines";
}

interface Summary {
  readonly mean: number;
  /** From the smallest to the largest value. */
  readonly span: number;
}

/** Mean and span of a track within a range; null where it has no value there. */
export function summaryOf(track: Track, range: TimeRange): Summary | null {
  let [n, sum, low, high] = [0, 0, Infinity, -Infinity];
  const add = (count: number, mean: number, min: number, max: number): void => {
    n += count;
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
      // A column belongs to the range that holds its middle.
      const middleMs = track.range.startMs + (i + 0.5) * widthMs;
      if (rows === 0 || middleMs < range.startMs || middleMs >= range.endMs) return;
      add(rows, mean[i] ?? 0, min[i] ?? 0, max[i] ?? 0);
    });
  }
  return n === 0 ? null : { mean: sum / n, span: high - low };
}

function shifted(values: Float64Array, by: number): Float64Array {
  return values.map((value) => value + by);
}

/** The same track with another amount added to its values; deviations stay. */
export function shiftTrack(track: Track, by: number): Track {
  if (by === 0) return track;
  if (track.kind === "rows") return { ...track, values: shifted(track.values, by) };
  const { count, min, max, mean } = track.data;
  return { ...track, data: { count, min: shifted(min, by), max: shifted(max, by), mean: shifted(mean, by) } };
}

/** 1, 2 or 5 times a power of ten, not below the amount. */
export function roundUp(amount: number): number {
  if (!(amount > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(amount));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= amount * (1 - 1e-9)) ?? 10 * power;
}

/** A round amount by which lines have to be apart so that most of them do not cross. */
export function offsetOf(lines: readonly PanelLine[], range: TimeRange): number {
  const spans = lines
    .flatMap(({ track }) => (track ? (summaryOf(track, range)?.span ?? []) : []))
    .toSorted((a, b) => a - b);
  return roundUp(spans[spans.length >> 1] ?? 0);
}

function shift(line: PanelLine, by: number): PanelLine {
  return {
    ...line,
    track: line.track && shiftTrack(line.track, by),
    behind: line.behind && { ...line.behind, track: shiftTrack(line.behind.track, by) },
  };
}

/**
 * A panel whose lines are moved as the arrangement says. Its name says so, and its limits are kept under a name of their
 * own.
 *
 * @param limits by the keys of quantities
 */
export function arrange(
  model: PanelModel,
  arrangement: Arrangement,
  range: TimeRange,
  limits: Readonly<Record<string, readonly [number, number]>>,
): PanelModel {
  if (arrangement !== "offsets" && arrangement !== "anomalies") return model;
  const { key, short, label, unit } = model.quantity;
  const own = `${key}.${arrangement}`;
  if (arrangement === "anomalies") {
    const centred = (line: PanelLine): PanelLine =>
      shift(line, -((line.track && summaryOf(line.track, range)?.mean) ?? 0));
    const words = `${label}: anomaly from each station’s mean over the range`;
    return {
      ...model,
      quantity: { key: own, short: `${short} anomaly`, label: words, unit },
      lines: model.lines.map(centred),
      fromFiles: model.fromFiles.map(centred),
      limits: limits[own] ?? null,
    };
  }
  const step = offsetOf(allLines(model), range);
  const words = `${label}: each line is ${step} ${unit} above the one before`;
  return {
    ...model,
    quantity: { key: own, short: `${short} + offset`, label: words, unit },
    lines: model.lines.map((line, i) => shift(line, i * step)),
    fromFiles: model.fromFiles.map((line, i) => shift(line, (model.lines.length + i) * step)),
    limits: limits[own] ?? null,
  };
}
