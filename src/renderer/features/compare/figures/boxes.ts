import type { Box as Percentiles, StationShape, StationShapes } from "#shared/bridge/methods/compare.ts";
import type { VectorShape } from "#shared/plot/figure/scene.ts";
import { type Box, paddedBounds, yOf } from "#shared/plot/scale.ts";
import { type PlotTheme, seriesLook } from "#shared/plot/theme.ts";
import { axes, clippedTo, emptyMessage, line, rect } from "#shared/plot/figure/axes.ts";
import type { Picture, PlottedStation } from "./picture.ts";

/** Maximum number of stations: with more, the boxes within an hour are too narrow to read. */
export const MAX_STATIONS_PER_HOUR = 6;
const MAX_BOX_PX = 18;
const HEIGHT_BOX_PX = 12;
const BOX_OPACITY = 0.45;
const EMPTY = "No values in the range";

/** Draws deviations from each station's own mean by hour of the day, stations side by side. */
export function drawDay(
  shapesOf: readonly StationShape[],
  stations: readonly PlottedStation[],
  label: string,
): Picture["draw"] {
  const shown = shapesOf.filter((s) => s.n > 0).slice(0, MAX_STATIONS_PER_HOUR);
  return (width, height, theme) => {
    const bounds = boxBounds(shown.flatMap((s) => s.hours));
    if (!bounds) return emptyMessage(width, height, EMPTY, theme);
    const x = { low: 0, high: 24, label: "Hour of the day, UTC", step: 3 };
    const { box, xOf, shapes } = axes({ width, height, x, y: { ...bounds, label }, theme });
    const hourPx = (xOf(1) - xOf(0)) * 0.84;
    const boxPx = Math.min(MAX_BOX_PX, hourPx / shown.length);
    const boxes = shown.flatMap((shape, i) =>
      shape.hours.flatMap((percentiles, hour) => {
        const middle = xOf(hour + 0.5) + (i - (shown.length - 1) / 2) * boxPx;
        const colour = colourOf(stations, shape.stationId, theme);
        return boxShapes(percentiles, { box, middle, boxWidth: Math.max(1, boxPx - 1), colour, theme });
      }),
    );
    return [...shapes, clippedTo(box, boxes)];
  };
}

/** Draws deviations from each station's own mean over its height; the means themselves are not comparable across heights. */
export function drawHeights(
  shapesOf: readonly StationShape[],
  stations: readonly PlottedStation[],
  words: { readonly label: string; readonly reference: string },
): Picture["draw"] {
  const shown = shapesOf.filter((s): s is StationShape & { height: number } => s.height !== null && s.n > 0);
  return (width, height, theme) => {
    const bounds = boxBounds(shown.map((s) => s.anomaly));
    if (!bounds) return emptyMessage(width, height, "No heights of stations with values", theme);
    const [low, high] = paddedBounds(Math.min(...shown.map((s) => s.height)), Math.max(...shown.map((s) => s.height)));
    const x = { low, high, label: words.reference };
    const { box, xOf, shapes } = axes({ width, height, x, y: { ...bounds, label: words.label }, theme });
    const marks = shown.flatMap((s) =>
      boxShapes(s.anomaly, {
        box,
        middle: xOf(s.height),
        boxWidth: HEIGHT_BOX_PX,
        colour: colourOf(stations, s.stationId, theme),
        theme,
      }),
    );
    return [...shapes, clippedTo(box, marks)];
  };
}

interface BoxLook {
  readonly box: Box;
  /** Horizontal middle. */
  readonly middle: number;
  readonly boxWidth: number;
  readonly colour: string;
  readonly theme: PlotTheme;
}

function boxShapes({ n, p5, p25, p50, p75, p95 }: Percentiles, look: BoxLook): VectorShape[] {
  const { box, middle, boxWidth, colour, theme } = look;
  if (n === 0) return [];
  const left = middle - boxWidth / 2;
  const [top, bottom] = [yOf(box, p75), yOf(box, p25)];
  const half = { x: left, y: top, width: boxWidth, height: Math.max(1, bottom - top) };
  const median = yOf(box, p50);
  return [
    line([middle, yOf(box, p95), middle, yOf(box, p5)], colour),
    rect(half, theme.colour("--surface")),
    rect(half, colour, BOX_OPACITY),
    line([left, median, left + boxWidth, median], colour, 2),
  ];
}

function boxBounds(boxes: readonly Percentiles[]): { readonly low: number; readonly high: number } | null {
  const filled = boxes.filter((b) => b.n > 0);
  if (filled.length === 0) return null;
  const [low, high] = paddedBounds(Math.min(...filled.map((b) => b.p5)), Math.max(...filled.map((b) => b.p95)));
  return { low, high };
}

export function colourOf(stations: readonly PlottedStation[], id: string, theme: PlotTheme): string {
  return theme.colour(seriesLook(stations.find((s) => s.id === id)?.slot ?? 0).variable);
}

/** Draws a histogram of formal uncertainties as a stepped line for each station. The last bin contains all larger values. */
export function drawSigma(
  { stations: result, sigmaBinMm }: StationShapes,
  stations: readonly PlottedStation[],
): Picture["draw"] {
  const shares = result.flatMap(({ stationId, sigma }) => {
    const n = sigma.reduce((sum, count) => sum + count, 0);
    return n > 0 ? [{ stationId, shares: Array.from(sigma, (count) => (100 * count) / n) }] : [];
  });
  return (width, height, theme) => {
    if (shares.length === 0) return emptyMessage(width, height, "No uncertainty is cached for this range", theme);
    const last = Math.max(...shares.map((s) => s.shares.findLastIndex((share) => share > 0)));
    const bins = Math.max(4, last + 2);
    const maxShare = Math.max(...shares.flatMap((s) => s.shares));
    const x = { low: 0, high: bins * sigmaBinMm, label: "ZTD σ, mm" };
    const { box, xOf, shapes } = axes({
      width,
      height,
      x,
      y: { low: 0, high: maxShare * 1.08, label: "% of values" },
      theme,
    });
    const lines = shares.map(({ stationId, shares: ownShares }): VectorShape => {
      const look = seriesLook(stations.find((s) => s.id === stationId)?.slot ?? 0);
      const points = ownShares.slice(0, bins).flatMap((share, i) => {
        const y = yOf(box, share);
        return [xOf(i * sigmaBinMm), y, xOf((i + 1) * sigmaBinMm), y];
      });
      return line(points, theme.colour(look.variable), 1.5, look.dash);
    });
    return [...shapes, clippedTo(box, lines)];
  };
}
