import { escapeXml } from "#shared/text.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import {
  type AreaShape,
  type FileShape,
  type HatchShape,
  type LineShape,
  type RectShape,
  type Scene,
  sections,
  type TextShape,
} from "#shared/plot/figure/scene.ts";

/** Size and resources of a file. */
interface SvgFile {
  readonly widthMm: number;
  /** CSS rules that embed the fonts; empty to use the reader's fonts. */
  readonly fontFaces: string;
}

/** Writes a scene as an SVG document. Texts are escaped. */
export function sceneToSvg(scene: Scene<FileShape>, { widthMm, fontFaces }: SvgFile): string {
  const [width, height] = [`${n(widthMm)}mm`, `${n((scene.height * widthMm) / scene.width)}mm`];
  const style = fontFaces === "" ? "" : `<style>${fontFaces}</style>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${svgElement(scene, { width, height, style })}\n`;
}

/** Writes a scene as an element of a page, by default one pixel for each unit. */
export function svgElement(
  scene: Scene<FileShape>,
  size: { readonly width: string; readonly height: string; readonly style: string } | null = null,
): string {
  let clips = 0;
  const draw = (shapes: readonly FileShape[]): string =>
    merged(shapes)
      .map((shape) => {
        if (shape.kind === "bitmap") {
          const source = `data:image/png;base64,${Buffer.from(shape.png).toString("base64")}`;
          return `<image ${boxOf(shape)} preserveAspectRatio="none" href="${source}"/>`;
        }
        if (shape.kind !== "clip") return leaf(shape);
        const id = `clip-${++clips}`;
        const box = boxOf(shape);
        return `<clipPath id="${id}"><rect ${box}/></clipPath><g clip-path="url(#${id})">${draw(shape.shapes)}</g>`;
      })
      .join("");
  const [width, height] = [n(scene.width), n(scene.height)];
  return [
    `<svg${size ? ` xmlns="http://www.w3.org/2000/svg"` : ""} width="${size?.width ?? width}" height="${size?.height ?? height}"`,
    ` viewBox="0 0 ${width} ${height}" font-family="${svgText(scene.fontFamily)}" role="img">`,
    `<title>${svgText(scene.title)}</title>`,
    `<defs>${size?.style ?? ""}${[...hatches(scene.shapes)].map(([, shape]) => pattern(shape)).join("")}</defs>`,
    `<rect width="100%" height="100%" fill="${svgText(scene.background)}"/>`,
    draw(scene.shapes),
    `</svg>`,
  ].join("");
}

/** Returns a shape for each hatch that is used. */
function hatches(shapes: readonly FileShape[]): Map<string, HatchShape> {
  const found = new Map<string, HatchShape>();
  for (const shape of shapes) {
    if (shape.kind === "hatch") found.set(shape.cause, shape);
    if (shape.kind === "clip") for (const [cause, inner] of hatches(shape.shapes)) found.set(cause, inner);
  }
  return found;
}

type Drawable = Exclude<FileShape, RectShape | HatchShape>;

/** Merges consecutive shapes of the same style into one path, such as a grid or the gaps of a year. */
function merged(shapes: readonly FileShape[]): Drawable[] {
  const found: Drawable[] = [];
  let look = "";
  let points: number[] = [];
  for (const shape of shapes) {
    const next = asArea(shape);
    if (next.kind !== "line" && next.kind !== "area") {
      found.push(next);
      look = "";
      continue;
    }
    const { points: own, ...rest } = next;
    const itsLook = JSON.stringify(rest);
    if (itsLook === look) points.push(Number.NaN, Number.NaN);
    else found.push({ ...next, points: (points = []) });
    look = itsLook;
    for (const value of own) points.push(value);
  }
  return found;
}

function asArea(shape: FileShape): Drawable {
  if (shape.kind !== "rect" && shape.kind !== "hatch") return shape;
  const { x, y, width, height, opacity: share } = shape;
  const points = [x, y, x + width, y, x + width, y + height, x, y + height];
  return {
    kind: "area",
    points,
    colour: shape.kind === "hatch" ? `url(#gap-${shape.cause})` : shape.colour,
    opacity: share,
  };
}

/**
 * Escapes text for XML. Characters that XML does not allow (controls, lone surrogates) become U+FFFD, and so do
 * bidirectional control characters.
 */
function svgText(text: string): string {
  return escapeXml(text.toWellFormed().replaceAll(/[\p{Cc}\uFFFE\uFFFF\u202A-\u202E\u2066-\u2069]/gu, "\uFFFD"));
}

function leaf(shape: TextShape | LineShape | AreaShape): string {
  switch (shape.kind) {
    case "text":
      return (
        `<text x="${n(shape.x)}" y="${n(shape.y)}" font-size="${shape.size}" font-weight="${shape.weight}"` +
        ` text-anchor="${shape.anchor}" fill="${svgText(shape.colour)}">${svgText(shape.text)}</text>`
      );
    case "line": {
      const dash = shape.dash.length > 0 ? ` stroke-dasharray="${shape.dash.join(" ")}"` : "";
      return `<path d="${path(shape.points, false)}" fill="none" stroke="${svgText(shape.colour)}" stroke-width="${shape.width}" stroke-linejoin="round"${dash}/>`;
    }
    case "area":
      return `<path d="${path(shape.points, true)}" fill="${svgText(shape.colour)}"${opacity(shape.opacity)}/>`;
  }
}

/** Writes path data with relative steps in tenths of a unit, about 0.03 mm in print: finer than any line. */
function path(points: LineShape["points"], isClosed: boolean): string {
  let d = "";
  let [lastX, lastY] = [0, 0];
  for (const section of sections(points)) {
    let steps = "";
    for (const [i, point] of section.entries()) {
      const [x, y] = [tenths(point[0]), tenths(point[1])];
      if (i === 0) steps += `M${x / 10} ${y / 10}`;
      else if (x !== lastX || y !== lastY) steps += `l${(x - lastX) / 10} ${(y - lastY) / 10}`;
      [lastX, lastY] = [x, y];
    }
    // A path of a single point is invisible.
    d += isClosed ? `${steps}Z` : steps.includes("l") ? steps : `${steps}h.01`;
  }
  return d;
}

function tenths(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 10) : 0;
}

function pattern({ cause, colour }: HatchShape): string {
  const { hatch, ground } = gapMark(cause);
  const { size, strokes, dots, width } = hatch;
  const lines = strokes.map(([x1, y1, x2, y2]) => `M${x1} ${y1}L${x2} ${y2}`).join("");
  const fill = svgText(colour);
  return [
    `<pattern id="gap-${cause}" width="${size}" height="${size}" patternUnits="userSpaceOnUse">`,
    `<rect width="${size}" height="${size}" fill="${fill}" fill-opacity="${ground}"/>`,
    lines === "" ? "" : `<path d="${lines}" stroke="${fill}" stroke-width="${width}" stroke-opacity="0.75"/>`,
    ...dots.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="${width}" fill="${fill}" fill-opacity="0.75"/>`),
    `</pattern>`,
  ].join("");
}

function boxOf(box: {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}): string {
  return `x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}"`;
}

function opacity(share: number): string {
  return share === 1 ? "" : ` fill-opacity="${share}"`;
}

/** Formats a number with two decimals. */
function n(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : "0";
}
