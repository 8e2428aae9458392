import { axes } from "#shared/plot/figure/axes.ts";
import { text } from "#shared/plot/figure/page.ts";
import type { VectorShape } from "#shared/plot/figure/scene.ts";
import type { SheetPart } from "#shared/plot/figure/sheet.ts";
import { type Box, yOf } from "#shared/plot/scale.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { constellationAt } from "../constellations.ts";
import { KINDS, type ViewColumns } from "../data/inView.ts";

/** With room for the names on the right. */
export const VIEW_ROOM = { right: 76 };
/** Distance of two names. */
const NAME_PX = 13;
const OPACITY = 0.85;

/** Draws stacked areas, one for each constellation, with gaps where nothing was observed. */
export function drawInView(
  columnsOf: (count: number) => ViewColumns,
  range: TimeRange,
): SheetPart<VectorShape>["draw"] {
  return (width, height, theme) => {
    const columns = columnsOf(Math.max(1, Math.round(width)));
    const y = { low: 0, high: Math.max(4, Math.ceil(columns.max * 1.05)), label: "Satellites" };
    const { box, shapes } = axes({ width, height, x: { time: range }, y, theme, room: VIEW_ROOM });
    const base = new Float32Array(columns.epochs.length);
    const areas = Array.from({ length: KINDS }, (_, kind): VectorShape => {
      const points = stackedOn(base, columns, kind, box);
      return { kind: "area", points, colour: theme.colour(constellationAt(kind).colour), opacity: OPACITY };
    });
    return [...shapes, ...areas, ...names(columns, box, theme)];
  };
}

/** Returns the steps of a constellation on top of those before it, and raises `base` by them. */
function stackedOn(base: Float32Array, { epochs, mean }: ViewColumns, kind: number, box: Box): number[] {
  const n = epochs.length;
  const points: number[] = [];
  const xOf = (column: number): number => box.left + (column / n) * box.width;
  for (let start = 0; start < n; start++) {
    if (!mean[kind * n + start]) continue;
    const bottom: number[] = [];
    let column = start;
    for (; column < n && mean[kind * n + column]; column++) {
      const [low, high] = [base[column]!, base[column]! + mean[kind * n + column]!];
      base[column] = high;
      points.push(xOf(column), yOf(box, high), xOf(column + 1), yOf(box, high));
      bottom.push(yOf(box, low), xOf(column), yOf(box, low), xOf(column + 1));
    }
    // Backwards along the lower edge.
    points.push(...bottom.toReversed(), Number.NaN, Number.NaN);
    start = column;
  }
  return points;
}

/** Names the constellations beside the last column, so that no legend is needed. */
function names({ epochs, mean }: ViewColumns, box: Box, theme: PlotTheme): VectorShape[] {
  const n = epochs.length;
  const last = epochs.findLastIndex((count) => count > 0);
  const x = box.left + box.width + 6;
  let bottom = 0;
  let lastY = Number.POSITIVE_INFINITY;
  return Array.from({ length: KINDS }, (_, kind) => kind).flatMap((kind): VectorShape[] => {
    const height = mean[kind * n + last] ?? 0;
    if (height === 0) return [];
    const y = Math.min(yOf(box, bottom + height / 2), lastY - NAME_PX);
    bottom += height;
    lastY = y;
    const { name, colour } = constellationAt(kind);
    return [
      { kind: "rect", x, y: y - 4, width: 6, height: 8, colour: theme.colour(colour), opacity: 1 },
      text([x + 9, y + 4], name, theme.colour("--text")),
    ];
  });
}
