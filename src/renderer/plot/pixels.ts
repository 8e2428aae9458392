// Every frame blends some hundred thousand pixels: 32-bit integers, two channels in one multiplication.

/** An image in which a colour is blended over pixels: red in the lowest byte, then green, blue and alpha. */
export interface Target {
  readonly pixels: Int32Array;
  readonly width: number;
  readonly height: number;
  /** Red, green and blue. */
  readonly colour: number;
  readonly alpha: number;
}

/** @param colour `#rrggbb`, or with its opacity `#rrggbbaa` @param share opacity, 0 to 1 */
export function targetOf(
  pixels: Int32Array,
  { width, height }: Pick<ImageData, "width" | "height">,
  colour: string,
  share: number,
): Target {
  const alpha = Math.round(share * Number.parseInt(colour.slice(7) || "ff", 16));
  const hex = Number.parseInt(colour.slice(1, 7), 16);
  const channels = ((hex & 255) << 16) | (hex & 0xff00) | (hex >>> 16);
  return { pixels, width, height, colour: channels, alpha };
}

/** Blends the colour over part of a pixel column, at least one pixel. */
export function addRun(target: Target, x: number, topY: number, footY: number): void {
  const top = Math.round(topY);
  const foot = Math.max(top + 1, Math.round(footY));
  blend(target, indexOf(target, x, top), indexOf(target, x, foot), target.alpha);
}

/** Blends the colour over part of a pixel column; pixels at its ends are as opaque as they are covered. */
export function addSmoothRun(target: Target, x: number, topY: number, footY: number): void {
  const { alpha } = target;
  const inner = Math.ceil(topY);
  const end = Math.floor(footY);
  const at = indexOf(target, x, inner);
  const before = indexOf(target, x, inner - 1);
  const last = indexOf(target, x, end);
  if (inner > end) return blend(target, last, at, Math.round(alpha * (footY - topY)));
  blend(target, before, at, Math.round(alpha * (inner - topY)));
  blend(target, at, last, alpha);
  blend(target, last, indexOf(target, x, end + 1), Math.round(alpha * (footY - end)));
}

/** The index of a pixel; of one above the image, of its first row, and of one below, of the row after its last. */
function indexOf({ width, height }: Target, x: number, y: number): number {
  return Math.min(height, Math.max(0, y)) * width + x;
}

/** Blends the colour over the pixels of a column from one index to before another. */
function blend({ pixels, width, colour }: Target, from: number, end: number, alpha: number): void {
  const redBlue = colour & 0xff00ff;
  const green = colour & 0xff00;
  const over = blendOf(alpha);
  for (let at = from; at < end; at += width) {
    const under = pixels[at]!;
    const entry = over[under >>> 24]!;
    const part = entry & 0x1ff;
    const rb = under & 0xff00ff;
    const g = under & 0xff00;
    pixels[at] =
      (entry & 0xff000000) |
      ((rb + (Math.imul(redBlue - rb, part) >> 8)) & 0xff00ff) |
      ((g + (Math.imul(green - g, part) >> 8)) & 0xff00);
  }
}

/**
 * "Source over" without premultiplied alpha, for one source alpha, by the alpha of the pixel below: the resulting alpha in
 * the highest byte, and the weight of the source colour, of 256, in the lowest bits.
 */
type Blend = Int32Array;

const blends: (Blend | undefined)[] = [];

function blendOf(alpha: number): Blend {
  return (blends[alpha] ??= Int32Array.from({ length: 256 }, (_, under) => {
    const rest = (under * (255 - alpha)) / 255;
    return (Math.round(alpha + rest) << 24) | Math.round((256 * alpha) / (alpha + rest || 1));
  }));
}
