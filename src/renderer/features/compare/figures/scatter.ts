import type { Scatter } from "#shared/bridge/methods/compare.ts";
import type { Shape } from "#shared/plot/figure/scene.ts";
import { paddedLimits, yOf } from "#shared/plot/scale.ts";
import { axes, inside, line, nothing, rect } from "./axes.ts";
import type { Picture } from "./picture.ts";

const POINT_PX = 3;
const POINT_OPACITY = 0.55;
/** A cell with a single value is still to be seen. */
const LEAST_OPACITY = 0.12;

/** B over A with the line on which both would be the same, moved by their bias; darker cells hold more epochs. */
export function drawScatter(
  found: Scatter | null,
  words: { readonly a: string; readonly b: string; readonly biasMm: number },
): Picture["draw"] {
  return (width, height, theme) => {
    if (!found || found.n === 0) return nothing(width, height, "No common epochs", theme);
    const alongA = paddedLimits(...limitsOf(found, "a"));
    const alongB = paddedLimits(...limitsOf(found, "b"));
    const x = { low: alongA[0], high: alongA[1], label: words.a };
    const { box, xOf, shapes } = axes(width, height, x, { low: alongB[0], high: alongB[1], label: words.b }, theme);
    const ink = theme.colour("--series-1");
    const marks: Shape[] = [];
    if (found.kind === "points") {
      const half = POINT_PX / 2;
      for (let i = 0; i < found.n; i++)
        marks.push(rect(xOf(found.a[i]!) - half, yOf(box, found.b[i]!) - half, POINT_PX, POINT_PX, ink, POINT_OPACITY));
    } else {
      const { cells, counts, a, b } = found;
      const most = counts.reduce((max, n) => Math.max(max, n), 1);
      const wide = (a.high - a.low) / cells;
      const tall = (b.high - b.low) / cells;
      counts.forEach((n, at) => {
        if (n === 0) return;
        // Whole pixels: between them a grid would show.
        const left = Math.round(xOf(a.low + (at % cells) * wide));
        const top = Math.round(yOf(box, b.low + (Math.floor(at / cells) + 1) * tall));
        const strength = LEAST_OPACITY + (1 - LEAST_OPACITY) * (Math.log1p(n) / Math.log1p(most));
        const right = Math.round(xOf(a.low + ((at % cells) + 1) * wide));
        const bottom = Math.round(yOf(box, b.low + Math.floor(at / cells) * tall));
        marks.push(rect(left, top, Math.max(1, right - left), Math.max(1, bottom - top), ink, strength));
      });
    }
    // A − B is the bias: so B is A less the bias.
    const ends = alongA.flatMap((value) => [xOf(value), yOf(box, value - words.biasMm)]);
    const same = Number.isNaN(words.biasMm) ? [] : [line(ends, theme.colour("--line-strong"), 1.5, [5, 4])];
    return [...shapes, inside(box, [...marks, ...same])];
  };
}

function limitsOf(found: Scatter, of: "a" | "b"): [number, number] {
  if (found.kind === "density") return [found[of].low, found[of].high];
  return found[of].reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
}
