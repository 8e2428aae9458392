/** A circle of a station's mark. */
export interface Disc {
  readonly radius: number;
  readonly fill: string | undefined;
  readonly line: string | undefined;
  readonly width: number;
}

const pictures = new Map<string, HTMLCanvasElement>();
/** More than all looks of two themes: 8 series colours around 33 of a scale each. */
const MOST_PICTURES = 800;

/** How far a mark reaches from its middle. */
export function reachOf(discs: readonly Disc[]): number {
  return discs.reduce((reach, { radius, width }) => Math.max(reach, radius + width), 0);
}

/**
 * Circles around one middle, the first one below, as a small picture to be copied: thousands of circles that are filled
 * one by one, or as one path, take several frames.
 *
 * @param ratio pixels of the canvas for one of the screen
 */
export function pictureOf(discs: readonly Disc[], ratio: number): HTMLCanvasElement {
  let key = `${ratio}`;
  for (const { radius, fill, line, width } of discs) key += ` ${radius} ${fill} ${line} ${width}`;
  const known = pictures.get(key);
  if (known) return known;
  if (pictures.size >= MOST_PICTURES) pictures.clear();
  const picture = document.createElement("canvas");
  const reach = reachOf(discs);
  picture.width = picture.height = Math.ceil(2 * reach * ratio);
  const ctx = picture.getContext("2d");
  if (ctx) {
    ctx.scale(picture.width / (2 * reach), picture.width / (2 * reach));
    for (const { radius, fill, line, width } of discs) {
      ctx.beginPath();
      ctx.arc(reach, reach, radius, 0, 2 * Math.PI);
      ctx.fillStyle = fill ?? "transparent";
      ctx.fill();
      ctx.lineWidth = width;
      ctx.strokeStyle = line ?? "transparent";
      ctx.stroke();
    }
  }
  pictures.set(key, picture);
  return picture;
}
