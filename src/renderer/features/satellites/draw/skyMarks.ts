import { constellationAt } from "../constellations.ts";
import { scaleColour, type FigureTheme } from "./theme.ts";
import { constellationIndex, entriesAt, prnAt } from "../data/sky.ts";
import { markPath } from "./marks.ts";
import { type Disc, positionIn, type SkyScene } from "./skyScene.ts";

const MARK_PX = 5;
const HIGHLIGHT_PX = 10;
/** Directions from a symbol to its label, in the order in which they are tried. */
const LABEL_DIRECTIONS: readonly (readonly [x: number, y: number])[] = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -0.8],
  [-1, -0.8],
  [1, 0.8],
  [-1, 0.8],
];

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Draws the satellites of an epoch with their names. */
interface MarkPainter {
  /** @param highlighted index of the highlighted satellite; -1: none */
  paint(
    ctx: CanvasRenderingContext2D,
    theme: FigureTheme,
    disc: Disc,
    scene: SkyScene,
    epoch: number,
    highlighted: number,
  ): void;
}

export function createMarkPainter(): MarkPainter {
  /** Areas that labels must not overlap. */
  let boxes: Box[] = [];

  function isFree({ left, top, right, bottom }: Box): boolean {
    return !boxes.some((box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top);
  }

  function drawName(ctx: CanvasRenderingContext2D, name: string, x: number, y: number): void {
    const width = 7 * name.length;
    const candidates = LABEL_DIRECTIONS.map(([dx, dy]): Box => {
      const left = x - width / 2 + dx * (width / 2 + 8);
      const top = y - 6 + dy * 14;
      return { left, top, right: left + width, bottom: top + 12 };
    });
    const box = candidates.find(isFree) ?? candidates[0];
    if (!box) return;
    boxes.push(box);
    ctx.strokeText(name, box.left, box.top + 6.5);
    ctx.fillText(name, box.left, box.top + 6.5);
  }

  return {
    paint(ctx, theme, disc, { sky, filter, band }, epoch, highlighted) {
      const cn0DbHz = sky.bands[band]?.cn0DbHz;
      const satellites = entriesAt(sky, filter, epoch)
        .map((entry) => ({ entry, ...positionIn(sky, entry, disc) }))
        .filter(({ x }) => !Number.isNaN(x));
      boxes = satellites.map(({ x, y }) => ({
        left: x - MARK_PX,
        top: y - MARK_PX,
        right: x + MARK_PX,
        bottom: y + MARK_PX,
      }));
      ctx.strokeStyle = theme.text;
      for (const { entry, x, y } of satellites) {
        if (sky.prn[entry] === highlighted) {
          ctx.lineWidth = 2;
          ctx.beginPath();
          ctx.arc(x, y, HIGHLIGHT_PX, 0, 2 * Math.PI);
          ctx.stroke();
        }
        markPath(ctx, constellationAt(constellationIndex(sky, entry)).shape, x, y, MARK_PX);
        ctx.fillStyle = scaleColour(cn0DbHz?.[entry] ?? Number.NaN, theme) ?? theme.surface;
        ctx.fill();
        ctx.lineWidth = 1.25;
        ctx.stroke();
      }
      ctx.font = theme.font;
      ctx.textBaseline = "middle";
      ctx.textAlign = "left";
      ctx.lineWidth = 3;
      ctx.strokeStyle = theme.surface;
      ctx.fillStyle = theme.text;
      ctx.lineJoin = "round";
      for (const { entry, x, y } of satellites) drawName(ctx, prnAt(sky, entry), x, y);
      ctx.textBaseline = "alphabetic";
    },
  };
}
