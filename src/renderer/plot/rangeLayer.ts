import { type Bins, isBroken } from "#shared/plot/bins.ts";
import { RAW_OPACITY, rawMarks } from "#shared/plot/rawMarks.ts";
import { type Box, yOf } from "#shared/plot/scale.ts";

/**
 * The areas of a panel, bands of deviations, ranges of pixel columns and raw rows, as pixels of our own. A canvas without a
 * graphics processor needs 10 ms for ten such areas as paths, and 5 as rectangles; this takes half a millisecond.
 */
export interface RangeLayer {
  /** Empties it; sizes in device pixels. */
  begin(width: number, height: number): void;
  /** Adds the areas of a series over what is there. @param box whose left and top are the layer's own 0 */
  add(bins: Bins, stepMs: number, box: Box, colour: string, alpha: number): void;
  /** Puts raw rows in the place of what is there, as dim where they are dense as where they are alone. */
  addRaw(bins: Bins, box: Box, colour: string, alpha: number, sizePx: number): void;
  paint(ctx: CanvasRenderingContext2D, left: number, top: number): void;
}

const RANGE_ALPHA = 0.38;
const SIGMA_ALPHA = 0.16;

export function createRangeLayer(): RangeLayer {
  const canvas = document.createElement("canvas");
  const ctx = canvas.getContext("2d");
  let image = new ImageData(1, 1);
  let pixels = new Uint32Array(image.data.buffer);
  let isEmpty = true;

  return {
    begin(width, height) {
      if (image.width !== width || image.height !== height) {
        canvas.width = width;
        canvas.height = height;
        image = new ImageData(width, height);
        pixels = new Uint32Array(image.data.buffer);
      } else if (!isEmpty) pixels.fill(0);
      isEmpty = true;
    },
    add(bins, stepMs, box, colour, alpha) {
      addSigma(targetOf(pixels, image, colour, alpha * SIGMA_ALPHA), bins, stepMs, box);
      if (!bins.isExact) addRanges(targetOf(pixels, image, colour, alpha * RANGE_ALPHA), bins, box);
      isEmpty = false;
    },
    addRaw(bins, box, colour, alpha, sizePx) {
      const { width, height, alone } = targetOf(pixels, image, colour, alpha * RAW_OPACITY);
      rawMarks(bins, box, sizePx, (left, top, right, foot) => {
        const toX = Math.min(width, Math.round(right));
        const toY = Math.min(height, Math.round(foot));
        const fromY = Math.max(0, Math.round(top));
        for (let x = Math.max(0, Math.round(left)); x < toX; x++)
          for (let at = fromY * width + x, end = toY * width + x; at < end; at += width) pixels[at] = alone;
      });
      isEmpty = false;
    },
    paint(onto, left, top) {
      if (isEmpty || !ctx) return;
      ctx.putImageData(image, 0, 0);
      onto.drawImage(canvas, left, top);
    },
  };
}

/** Pixels as bytes of red, green, blue and alpha, the first in the lowest bits; and what is laid over them. */
interface Target {
  readonly pixels: Uint32Array;
  readonly width: number;
  readonly height: number;
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  /** The pixel where nothing lies below. */
  readonly alone: number;
  readonly blend: Blend;
}

/** @param colour `#rrggbb`, as the style sheet writes colours of series @param share of opacity, 0 to 1 */
function targetOf(pixels: Uint32Array, image: ImageData, colour: string, share: number): Target {
  const alpha = Math.round(255 * share);
  const hex = Number.parseInt(colour.slice(1, 7), 16);
  const [red, green, blue] = [hex >>> 16, (hex >>> 8) & 255, hex & 255];
  const alone = ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  return { pixels, width: image.width, height: image.height, red, green, blue, alone, blend: knownBlend(alpha) };
}

function addRanges(target: Target, bins: Bins, box: Box): void {
  for (let i = 0; i < bins.n; i++) {
    if (bins.max[i]! <= bins.min[i]!) continue;
    const left = Math.round(bins.x[i]! - bins.half[i]!);
    const right = Math.max(left + 1, Math.round(bins.x[i]! + bins.half[i]!));
    const top = yOf(box, bins.max[i]!);
    const foot = yOf(box, bins.min[i]!);
    for (let x = Math.max(0, left); x < Math.min(target.width, right); x++) addRun(target, x, top, foot);
  }
}

function addSigma(target: Target, bins: Bins, stepMs: number, box: Box): void {
  for (let i = 1; i < bins.n; i++) {
    const before = bins.sigma[i - 1]!;
    const sigma = bins.sigma[i]!;
    if (Number.isNaN(before) || Number.isNaN(sigma) || isBroken(bins, i, stepMs)) continue;
    const fromX = bins.x[i - 1]!;
    const toX = bins.x[i]!;
    const topFrom = yOf(box, bins.mean[i - 1]! + before);
    const topTo = yOf(box, bins.mean[i]! + sigma);
    const footFrom = yOf(box, bins.mean[i - 1]! - before);
    const footTo = yOf(box, bins.mean[i]! - sigma);
    // Pixels whose middle lies between the two: each belongs to one piece of the band.
    const last = Math.min(target.width, Math.ceil(toX - 0.5));
    for (let x = Math.max(0, Math.ceil(fromX - 0.5)); x < last; x++) {
      const share = (x + 0.5 - fromX) / (toX - fromX);
      addRun(target, x, topFrom + (topTo - topFrom) * share, footFrom + (footTo - footFrom) * share);
    }
  }
}

/** Lays the colour over a piece of a pixel column, at least one pixel of it. */
function addRun(target: Target, x: number, topY: number, footY: number): void {
  const { pixels, width, height, alone, red, green, blue } = target;
  const { all, share } = target.blend;
  const top = topY > 0 ? Math.round(topY) : 0;
  const foot = Math.min(height, Math.max(top + 1, Math.round(footY)));
  for (let at = top * width + x, end = foot * width; at < end; at += width) {
    const under = pixels[at]!;
    if (under === 0) {
      pixels[at] = alone;
      continue;
    }
    const below = under >>> 24;
    const part = share[below]!;
    const r = under & 255;
    const g = (under >>> 8) & 255;
    const b = (under >>> 16) & 255;
    pixels[at] =
      (all[below]! << 24) |
      ((b + (((blue - b) * part) >> 8)) << 16) |
      ((g + (((green - g) * part) >> 8)) << 8) |
      (r + (((red - r) * part) >> 8));
  }
}

/** Source over destination, neither premultiplied, for one alpha of the source: by the alpha of what lies below. */
interface Blend {
  readonly all: Uint8Array;
  /** Share of the source in the colour, of 256. */
  readonly share: Uint16Array;
}

function blendOf(alpha: number): Blend {
  const below = Array.from({ length: 256 }, (_, under) => (under * (255 - alpha)) / 255);
  return {
    all: Uint8Array.from(below, (rest) => Math.round(alpha + rest)),
    share: Uint16Array.from(below, (rest) => Math.round((256 * alpha) / (alpha + rest || 1))),
  };
}

const BLENDS = new Map<number, Blend>();

function knownBlend(alpha: number): Blend {
  const blend = BLENDS.get(alpha) ?? blendOf(alpha);
  BLENDS.set(alpha, blend);
  return blend;
}
