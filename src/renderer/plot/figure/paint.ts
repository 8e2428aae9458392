import { gapMark, type GapMark } from "#shared/plot/gapMarks.ts";
import type { HatchShape, ImageShape, LineShape, Scene, Shape } from "#shared/plot/figure/scene.ts";

/** Resizes a canvas to a scene, with `ratio` canvas pixels per scene unit, and paints it. */
export function paintScene(scene: Scene, canvas: HTMLCanvasElement, ratio: number): void {
  const [width, height] = [scene.width, scene.height].map((length) => Math.max(1, Math.round(length * ratio)));
  // A canvas that is only painted again keeps its memory.
  if (canvas.width !== width) canvas.width = width!;
  if (canvas.height !== height) canvas.height = height!;
  const ctx = canvas.getContext("2d");
  if (!ctx) return;
  ctx.fillStyle = scene.background;
  ctx.fillRect(0, 0, width!, height!);
  paintShapes(ctx, scene.shapes, scene.fontFamily, ratio);
}

/** Paints shapes, and leaves the state of the context as it was. @param ratio canvas pixels per unit of the shapes */
export function paintShapes(
  ctx: CanvasRenderingContext2D,
  shapes: readonly Shape[],
  fontFamily: string,
  ratio: number,
): void {
  const fillOf = hatchPainter(ctx, ratio);
  ctx.save();
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  for (const shape of shapes) paint(ctx, shape, fillOf, fontFamily);
  ctx.restore();
}

type ClipShape = Extract<Shape, { readonly kind: "clip" }>;
type FillOf = (shape: HatchShape) => CanvasPattern | string;

/** Fills of hatches by their look. */
const hatches = new Map<string, CanvasPattern | string>();

function hatchPainter(ctx: CanvasRenderingContext2D, ratio: number): FillOf {
  return ({ cause, colour }) => {
    const key = `${cause} ${colour} ${ratio}`;
    const fill = hatches.get(key) ?? hatchFill(ctx, gapMark(cause), colour, ratio);
    if (!hatches.has(key) && fill instanceof CanvasPattern) fill.setTransform(new DOMMatrix().scale(1 / ratio));
    hatches.set(key, fill);
    return fill;
  };
}

/** Paints a shape on a canvas whose unit is that of the shape. @param fillOf the fill of hatches */
function paint(ctx: CanvasRenderingContext2D, shape: Shape, fillOf: FillOf, fontFamily: string): void {
  ctx.save();
  switch (shape.kind) {
    case "text":
      ctx.font = `${shape.weight} ${shape.size}px ${fontFamily}`;
      ctx.textAlign = shape.anchor === "middle" ? "center" : shape.anchor;
      ctx.textBaseline = "alphabetic";
      ctx.fillStyle = shape.colour;
      ctx.fillText(shape.text, shape.x, shape.y);
      break;
    case "rect":
      ctx.globalAlpha = shape.opacity;
      ctx.fillStyle = shape.colour;
      ctx.fillRect(shape.x, shape.y, shape.width, shape.height);
      break;
    case "hatch":
      ctx.globalAlpha = shape.opacity;
      ctx.fillStyle = fillOf(shape);
      // The pattern starts at the shape; otherwise one with wide spacing could miss a low lane.
      ctx.translate(0, shape.y);
      ctx.fillRect(shape.x, 0, shape.width, shape.height);
      break;
    case "line":
      ctx.strokeStyle = shape.colour;
      ctx.lineWidth = shape.width;
      ctx.lineJoin = "round";
      ctx.setLineDash(shape.dash as number[]);
      trace(ctx, sharp(ctx, shape), false);
      ctx.stroke();
      break;
    case "area":
      ctx.globalAlpha = shape.opacity;
      ctx.fillStyle = shape.colour;
      trace(ctx, shape.points, true);
      ctx.fill();
      break;
    case "image":
      ctx.translate(shape.x, shape.y);
      shape.paint(ctx, shape.width, shape.height);
      break;
    case "clip":
      if (shape.isStill) {
        paintKept(ctx, shape, fillOf, fontFamily);
        break;
      }
      ctx.beginPath();
      ctx.rect(shape.x, shape.y, shape.width, shape.height);
      ctx.clip();
      for (const inner of shape.shapes) paint(ctx, inner, fillOf, fontFamily);
      break;
  }
  ctx.restore();
}

/** Pictures of shapes that stay the same, with their scale: copying one takes a fraction of the time of its strokes. */
const kept = new WeakMap<readonly Shape[], { readonly ratio: number; readonly picture: HTMLCanvasElement }>();

function paintKept(ctx: CanvasRenderingContext2D, clip: ClipShape, fillOf: FillOf, fontFamily: string): void {
  const { a: ratio, e, f } = ctx.getTransform();
  const [left, top] = [Math.floor(clip.x * ratio), Math.floor(clip.y * ratio)];
  const known = kept.get(clip.shapes);
  const picture = known?.ratio === ratio ? known.picture : document.createElement("canvas");
  if (picture !== known?.picture) {
    picture.width = Math.ceil(clip.width * ratio) + 1;
    picture.height = Math.ceil(clip.height * ratio) + 1;
    const own = picture.getContext("2d");
    own?.setTransform(ratio, 0, 0, ratio, -left, -top);
    if (own) for (const inner of clip.shapes) paint(own, inner, fillOf, fontFamily);
    kept.set(clip.shapes, { ratio, picture });
  }
  ctx.setTransform(1, 0, 0, 1, e, f);
  ctx.drawImage(picture, left, top);
}

/** Renders an image of a scene to a new canvas with a transparent background. */
export function imageCanvas(shape: ImageShape, ratio: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(shape.width * ratio));
  canvas.height = Math.max(1, Math.round(shape.height * ratio));
  const ctx = canvas.getContext("2d");
  ctx?.scale(ratio, ratio);
  if (ctx) shape.paint(ctx, shape.width, shape.height);
  return canvas;
}

/** Returns the points of a line. A horizontal or vertical one is moved to whole pixels, or it would cover two, and pale. */
function sharp(ctx: CanvasRenderingContext2D, { points, width }: LineShape): LineShape["points"] {
  const [x1, y1, x2, y2] = points;
  if (points.length !== 4 || (x1 !== x2 && y1 !== y2)) return points;
  const { a: ratio, e, f } = ctx.getTransform();
  const half = Math.max(1, Math.round(width * ratio)) / 2;
  const moved = (at: number, shift: number): number => (Math.round(at * ratio + shift - half) + half - shift) / ratio;
  return x1 === x2 ? [moved(x1!, e), y1!, moved(x1!, e), y2!] : [x1!, moved(y1!, f), x2!, moved(y1!, f)];
}

/** Traces the sections of a polyline, which NaN separates; without allocations, because lines are traced in every frame. */
function trace(ctx: CanvasRenderingContext2D, points: LineShape["points"], isClosed: boolean): void {
  ctx.beginPath();
  let isStart = true;
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x, y] = [points[i]!, points[i + 1]!];
    if (Number.isNaN(x) || Number.isNaN(y)) {
      if (isClosed && !isStart) ctx.closePath();
      isStart = true;
      continue;
    }
    if (isStart) ctx.moveTo(x, y);
    // A line of one point is a dot.
    ctx.lineTo(isStart ? x + 0.01 : x, y);
    isStart = false;
  }
  if (isClosed && !isStart) ctx.closePath();
}

/** Creates the fill style of a cause. @param ratio device pixels per CSS pixel */
function hatchFill(
  ctx: CanvasRenderingContext2D,
  mark: GapMark,
  colour: string,
  ratio: number,
): CanvasPattern | string {
  const { hatch } = mark;
  const tile = document.createElement("canvas");
  // A preview of a very tall figure may be scaled to less than a pixel per tile.
  tile.width = tile.height = Math.max(1, Math.round(hatch.size * ratio));
  const pattern = tile.getContext("2d");
  if (!pattern) return colour;
  const scale = tile.width / hatch.size;
  pattern.scale(scale, scale);
  pattern.fillStyle = pattern.strokeStyle = colour;
  pattern.globalAlpha = mark.ground;
  pattern.fillRect(0, 0, hatch.size, hatch.size);
  pattern.globalAlpha = 0.75;
  pattern.lineWidth = hatch.width;
  pattern.beginPath();
  for (const [x1, y1, x2, y2] of hatch.strokes) {
    pattern.moveTo(x1, y1);
    pattern.lineTo(x2, y2);
  }
  pattern.stroke();
  for (const [x, y] of hatch.dots) {
    pattern.beginPath();
    pattern.arc(x, y, hatch.width, 0, 2 * Math.PI);
    pattern.fill();
  }
  return ctx.createPattern(tile, "repeat") ?? colour;
}
