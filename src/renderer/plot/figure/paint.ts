import { gapMark } from "#shared/plot/gapMarks.ts";
import { hatchFill } from "../hatch.ts";
import {
  type HatchShape,
  type ImageShape,
  type LineShape,
  sections,
  type Scene,
  type Shape,
} from "#shared/plot/figure/scene.ts";

/** Resizes a canvas to a scene, with `ratio` canvas pixels per scene unit, and paints it. */
export function paintScene(scene: Scene, canvas: HTMLCanvasElement, ratio: number): void {
  const [width, height] = [scene.width, scene.height].map((length) => Math.max(1, Math.round(length * ratio)));
  // A canvas that is only painted again keeps its memory.
  if (canvas.width !== width) canvas.width = width!;
  if (canvas.height !== height) canvas.height = height!;
  const ctx = canvas.getContext("2d");
  if (!ctx) return;
  const fillOf = hatchPainter(ctx, ratio);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.fillStyle = scene.background;
  ctx.fillRect(0, 0, scene.width, scene.height);
  for (const shape of scene.shapes) paint(ctx, shape, fillOf, scene.fontFamily);
}

type ClipShape = Extract<Shape, { readonly kind: "clip" }>;
type FillOf = (shape: HatchShape) => CanvasPattern | string;

/** Returns a function that returns the fill of a hatch, made once for each look. */
function hatchPainter(ctx: CanvasRenderingContext2D, ratio: number): FillOf {
  const known = new Map<string, CanvasPattern | string>();
  return ({ cause, colour }) => {
    const key = `${cause} ${colour}`;
    const fill = known.get(key) ?? hatchFill(ctx, gapMark(cause), colour, ratio);
    if (!known.has(key) && fill instanceof CanvasPattern) fill.setTransform(new DOMMatrix().scale(1 / ratio));
    known.set(key, fill);
    return fill;
  };
}

/** Paints a shape on a canvas whose unit is that of the shape. @param fillOf the fill of hatches */
export function paint(ctx: CanvasRenderingContext2D, shape: Shape, fillOf: FillOf, fontFamily: string): void {
  ctx.save();
  switch (shape.kind) {
    case "text":
      ctx.font = `${shape.weight} ${shape.size}px ${fontFamily}`;
      ctx.textAlign = shape.anchor === "middle" ? "center" : shape.anchor;
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
      ctx.fillRect(shape.x, shape.y, shape.width, shape.height);
      break;
    case "line":
      ctx.strokeStyle = shape.colour;
      ctx.lineWidth = shape.width;
      ctx.lineJoin = "round";
      ctx.setLineDash(shape.dash as number[]);
      trace(ctx, shape.points, false);
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

function trace(ctx: CanvasRenderingContext2D, points: LineShape["points"], isClosed: boolean): void {
  ctx.beginPath();
  for (const [[firstX, firstY], ...rest] of sections(points)) {
    ctx.moveTo(firstX, firstY);
    for (const [x, y] of rest) ctx.lineTo(x, y);
    if (isClosed) ctx.closePath();
    else if (rest.length === 0) ctx.lineTo(firstX + 0.01, firstY);
  }
}
