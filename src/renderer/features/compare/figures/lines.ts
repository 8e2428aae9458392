import { NO_VALUE } from "#shared/text.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import { defined } from "#shared/defined.ts";
import { binTrack, createBins } from "#shared/plot/bins.ts";
import { lineShapes } from "#shared/plot/figure/lineShapes.ts";
import { seriesLook } from "#shared/plot/theme.ts";
import { paddedBounds, yOf } from "#shared/plot/scale.ts";
import { type Track, trackOf } from "#shared/plot/track.ts";
import { cellOfInterval } from "#shared/series/cell.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { readTrack, type ReadValue, snapToRow } from "../../../plot/readout.ts";
import { count } from "../../../ui/text.ts";
import { axes, clippedTo, emptyMessage, line, plotWidth } from "#shared/plot/figure/axes.ts";
import type { Picture, PlottedStation, Readings } from "./picture.ts";

export interface Lines {
  readonly windows: readonly SeriesWindow[];
  readonly variable: Variable;
  /** The variable with the standard uncertainty of `variable`, drawn as a band. */
  readonly sigmaOf?: Variable;
  readonly stations: readonly PlottedStation[];
  readonly range: TimeRange;
  /** Label of the vertical axis. */
  readonly label: string;
  readonly stepSeconds: ReadonlyMap<string, number>;
  /** Length of the intervals of means, which have the time of their start, by station; without: moments. */
  readonly meanSeconds?: ReadonlyMap<string, number>;
  readonly empty: string;
}

function tracksOf({ windows, variable, sigmaOf, stepSeconds, meanSeconds }: Lines) {
  return windows.flatMap((window) => {
    const { stationId } = window;
    const times = {
      stepSeconds: stepSeconds.get(stationId) ?? null,
      cell: cellOfInterval(meanSeconds?.get(stationId) ?? null),
    };
    const track = trackOf(window, variable, sigmaOf ?? null, times);
    return track ? [{ id: window.stationId, track }] : [];
  });
}

/** Draws lines over time in the colours of their stations, with a line at zero if it is in view. */
export function drawLines(given: Lines): Picture["draw"] {
  const { stations, range, label, empty } = given;
  const slots = new Map(stations.map((s) => [s.id, s.slot]));
  const tracks = tracksOf(given);
  return (width, height, theme) => {
    const drawn = tracks.flatMap(({ id, track }) => {
      const bins = createBins();
      binTrack(track, range, Math.max(1, Math.round(plotWidth(width))), bins);
      return Number.isNaN(bins.low) ? [] : [{ id, bins, stepMs: track.stepMs }];
    });
    if (drawn.length === 0) return emptyMessage(width, height, empty, theme);
    const [low, high] = paddedBounds(
      Math.min(...drawn.map((d) => d.bins.low)),
      Math.max(...drawn.map((d) => d.bins.high)),
    );
    const { box, shapes } = axes({ width, height, x: { time: range }, y: { low, high, label }, theme });
    const zero = yOf(box, 0);
    const lines = drawn.flatMap(({ id, bins, stepMs }) => {
      const look = seriesLook(slots.get(id) ?? 0);
      return lineShapes({ bins, stepMs, box }, { colour: theme.colour(look.variable), dash: look.dash });
    });
    const zeroLine =
      low < 0 && high > 0 ? [line([box.left, zero, box.left + box.width, zero], theme.colour("--line-strong"))] : [];
    return [...shapes, clippedTo(box, [...zeroLine, ...lines])];
  };
}

interface Writing {
  readonly unit: string;
  readonly write: (value: number) => string;
}

/** Reads the values of lines under the cursor: the row, or the mean of the drawn column of time. */
export function readingsOf(lines: Lines, { unit, write }: Writing): Readings {
  const tracks = tracksOf(lines);
  const byId = new Map(tracks.map(({ id, track }) => [id, track]));
  const stations = lines.stations.filter((s) => byId.has(s.id));
  return {
    range: lines.range,
    at(timeMs, withinMs) {
      const all = tracks.map(({ track }) => track);
      const snappedMs = snapToRow(all, timeMs, withinMs);
      const values = stations.map((station) => {
        const track = defined(byId.get(station.id));
        const read = readTrack(track, snappedMs);
        return { ...station, text: read ? readingText(read, sigmaAt(track, read), unit, write) : NO_VALUE };
      });
      return { timeMs: snappedMs, values };
    },
  };
}

function readingText(read: ReadValue, sigma: number, unit: string, write: Writing["write"]): string {
  const around = Number.isNaN(sigma) ? "" : ` ± ${write(sigma).replace(/^\+/, "")}`;
  if (read.kind === "row") return `${write(read.value)}${around} ${unit}`;
  const spread = read.count > 1 ? ` (mean of ${count(read.count)}, ${write(read.min)} to ${write(read.max)})` : "";
  return `${write(read.mean)}${around} ${unit}${spread}`;
}

/** Returns the standard uncertainty: of a row, or the mean of a column of time; NaN if unknown. */
function sigmaAt(track: Track, read: ReadValue): number {
  if (read.kind === "row") return read.sigma;
  if (track.kind === "rows") return Number.NaN;
  const { startMs, endMs } = track.range;
  const columnMs = (endMs - startMs) / track.data.count.length;
  return track.sigma?.[Math.round((read.range.startMs - startMs) / columnMs)] ?? Number.NaN;
}
