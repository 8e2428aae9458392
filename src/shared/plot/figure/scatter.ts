import type { ScatterValues } from "../../bridge/methods/compare.ts";
import { paddedBounds, yOf } from "../scale.ts";
import type { PlotTheme } from "../theme.ts";
import { axes, clippedTo, emptyMessage, line, rect } from "./axes.ts";
import type { VectorShape } from "./scene.ts";

const POINT_PX = 3;
const POINT_OPACITY = 0.55;
/** Opacity of a cell with a single value, so that it is visible. */
const MIN_OPACITY = 0.12;

/** Draws B over A with the line of equality, shifted by the bias; darker cells contain more epochs. */
export function drawScatter(
  result: ScatterValues | null,
  words: { readonly a: string; readonly b: string; readonly biasMm: number },
): (width: number, height: number, theme: PlotTheme) => readonly VectorShape[] {
  return (width, height, theme) => {
    if (!result || result.n === 0) return emptyMessage(width, height, "No common epochs", theme);
    const alongA = paddedBounds(...axisBounds(result, "a"));
    const alongB = paddedBounds(...axisBounds(result, "b"));
    const x = { low: alongA[0], high: alongA[1], label: words.a };
    const { box, xOf, shapes } = axes({
      width,
      height,
      x,
      y: { low: alongB[0], high: alongB[1], label: words.b },
      theme,
    });
    const ink = theme.colour("--series-1");
    const marks: VectorShape[] = [];
    if (result.kind === "points") {
      const half = POINT_PX / 2;
      for (const [i, a] of result.a.entries()) {
        const place = { x: xOf(a) - half, y: yOf(box, result.b[i]!) - half, width: POINT_PX, height: POINT_PX };
        marks.push(rect(place, ink, POINT_OPACITY));
      }
    } else {
      const { cells, counts, a, b } = result;
      const maxCount = counts.reduce((max, n) => Math.max(max, n), 1);
      const wide = (a.high - a.low) / cells;
      const tall = (b.high - b.low) / cells;
      counts.forEach((n, at) => {
        if (n === 0) return;
        // Whole pixels, or seams between the cells would show.
        const left = Math.round(xOf(a.low + (at % cells) * wide));
        const top = Math.round(yOf(box, b.low + (Math.floor(at / cells) + 1) * tall));
        const opacity = MIN_OPACITY + (1 - MIN_OPACITY) * (Math.log1p(n) / Math.log1p(maxCount));
        const right = Math.round(xOf(a.low + ((at % cells) + 1) * wide));
        const bottom = Math.round(yOf(box, b.low + Math.floor(at / cells) * tall));
        const place = { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
        marks.push(rect(place, ink, opacity));
      });
    }
    // The bias is A − B, so the line is B = A − bias.
    const ends = alongA.flatMap((value) => [xOf(value), yOf(box, value - words.biasMm)]);
    const same = Number.isNaN(words.biasMm) ? [] : [line(ends, theme.colour("--line-strong"), 1.5, [5, 4])];
    return [...shapes, clippedTo(box, [...marks, ...same])];
  };
}

function axisBounds(result: ScatterValues, of: "a" | "b"): [number, number] {
  if (result.kind === "density") return [result[of].low, result[of].high];
  return result[of].reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
}
