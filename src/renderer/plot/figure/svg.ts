import { GAP_MARKS, type GapMark } from "../gapMarks.ts";
import { pieces, type Scene, type Shape } from "./scene.ts";

/** A scene as an SVG document. Texts and names are data: whatever is in them, nothing of it becomes markup. */
export function sceneToSvg(scene: Scene): string {
  const { width, height, background, fontFamily, title } = scene;
  let clips = 0;
  const draw = (shape: Shape): string => {
    if (shape.kind !== "clip") return leaf(shape);
    const id = `clip-${++clips}`;
    const box = boxOf(shape);
    return `<clipPath id="${id}"><rect ${box}/></clipPath><g clip-path="url(#${id})">${shape.shapes.map(draw).join("")}</g>`;
  };
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n`,
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ` font-family="${escapeXml(fontFamily)}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<defs>${GAP_MARKS.map((mark) => pattern(mark, scene.colourOf(mark.colour))).join("")}</defs>`,
    `<rect width="${width}" height="${height}" fill="${escapeXml(background)}"/>`,
    ...scene.shapes.map(draw),
    `</svg>\n`,
  ].join("");
}

/**
 * Text as XML holds it. Characters that XML cannot hold at all (controls, lone surrogates) become U+FFFD, and so do
 * those that turn the direction of what follows.
 */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF\u202A-\u202E\u2066-\u2069]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function leaf(shape: Exclude<Shape, { kind: "clip" }>): string {
  switch (shape.kind) {
    case "text":
      return (
        `<text x="${n(shape.x)}" y="${n(shape.y)}" font-size="${shape.size}" font-weight="${shape.weight}"` +
        ` text-anchor="${shape.anchor}" fill="${escapeXml(shape.colour)}">${escapeXml(shape.text)}</text>`
      );
    case "rect":
      return `<rect ${boxOf(shape)} fill="${escapeXml(shape.colour)}"${opacity(shape.opacity)}/>`;
    case "hatch":
      return `<rect ${boxOf(shape)} fill="url(#gap-${shape.cause})"${opacity(shape.opacity)}/>`;
    case "line": {
      const dash = shape.dash.length > 0 ? ` stroke-dasharray="${shape.dash.join(" ")}"` : "";
      return `<path d="${path(shape.points, false)}" fill="none" stroke="${escapeXml(shape.colour)}" stroke-width="${shape.width}" stroke-linejoin="round"${dash}/>`;
    }
    case "area":
      return `<path d="${path(shape.points, true)}" fill="${escapeXml(shape.colour)}"${opacity(shape.opacity)}/>`;
  }
}

function path(points: readonly number[], isClosed: boolean): string {
  return pieces(points)
    .map((piece) => {
      let d = "";
      for (let i = 0; i < piece.length; i += 2) d += `${i === 0 ? "M" : "L"}${n(piece[i]!)} ${n(piece[i + 1]!)}`;
      // A single point draws nothing without an end of its own.
      return isClosed ? `${d}Z` : piece.length === 2 ? `${d}h0.01` : d;
    })
    .join("");
}

function pattern({ cause, hatch, ground }: GapMark, colour: string): string {
  const { size, strokes, dots, width } = hatch;
  const lines = strokes.map(([x1, y1, x2, y2]) => `M${x1} ${y1}L${x2} ${y2}`).join("");
  const fill = escapeXml(colour);
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

/** A hundredth of a pixel is enough for any printer. */
function n(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : "0";
}
