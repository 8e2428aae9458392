import PdfKit from "pdfkit";
import { toPoints } from "#shared/file/figure.ts";
import { sections, type HatchShape, type Scene, type Shape, type TextShape } from "#shared/plot/figure/scene.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { embeddedFonts, unpackWoff } from "../fonts.ts";
import type { FigureFile } from "./index.ts";

/** Opacity of a hatch's strokes. */
const STROKE_OPACITY = 0.75;

/** Writes a scene as a PDF page of its size, with vector shapes, text and embedded fonts. */
export async function figurePdf(
  scene: Scene,
  { widthMm, createdMs, program }: FigureFile,
): Promise<Uint8Array<ArrayBuffer>> {
  const perUnit = toPoints(widthMm) / scene.width;
  const doc = new PdfKit({
    size: [scene.width * perUnit, scene.height * perUnit],
    margin: 0,
    // No standard font: they have too few glyphs and are not embedded.
    font: "",
    lang: "en",
    displayTitle: true,
    info: { Title: scene.title, Creator: program, CreationDate: new Date(createdMs) },
  });
  const chunks: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    doc.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    doc.on("end", resolve);
    doc.on("error", reject);
  });
  doc.scale(perUnit);
  doc.rect(0, 0, scene.width, scene.height).fill(scene.background);
  const draw = painterOn(doc, scene.colourOf);
  for (const shape of scene.shapes) draw(shape);
  doc.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks));
}

function painterOn(doc: PDFKit.PDFDocument, colourOf: Scene["colourOf"]): (shape: Shape) => void {
  const fonts = embeddedFonts();
  const registered = new Set<string>();

  function useFont(file: string, size: number): void {
    if (!registered.has(file)) doc.registerFont(file, unpackWoff(fonts.read(file)));
    registered.add(file);
    doc.font(file, size);
  }

  function write({ text, x, y, size, weight, anchor, colour }: TextShape): void {
    const runs = fonts.runs(text, weight >= 600 ? 600 : 400).map((run) => {
      useFont(run.file, size);
      return { ...run, width: doc.widthOfString(run.text) };
    });
    const width = runs.reduce((sum, run) => sum + run.width, 0);
    let at = x - (anchor === "end" ? width : anchor === "middle" ? width / 2 : 0);
    doc.fillColor(colour, 1);
    for (const run of runs) {
      useFont(run.file, size);
      doc.text(run.text, at, y, { lineBreak: false, baseline: "alphabetic" });
      at += run.width;
    }
  }

  function trace(points: readonly number[], isClosed: boolean): void {
    for (const [[firstX, firstY], ...rest] of sections(points)) {
      doc.moveTo(firstX, firstY);
      for (const [x, y] of rest) doc.lineTo(x, y);
      if (isClosed) doc.closePath();
      // A path of a single point is invisible.
      else if (rest.length === 0) doc.lineTo(firstX + 0.01, firstY);
    }
  }

  /** Draws tiles on a common grid of the page, so that adjacent hatches join. */
  function hatch({ x, y, width, height, cause, opacity }: HatchShape): void {
    const { hatch: tile, ground, colour } = gapMark(cause);
    const ink = colourOf(colour);
    doc.save().rect(x, y, width, height).clip();
    doc
      .rect(x, y, width, height)
      .fillColor(ink, ground * opacity)
      .fill();
    const { size } = tile;
    for (let left = Math.floor(x / size) * size; left < x + width; left += size) {
      for (let top = Math.floor(y / size) * size; top < y + height; top += size) {
        for (const [x1, y1, x2, y2] of tile.strokes) doc.moveTo(left + x1, top + y1).lineTo(left + x2, top + y2);
      }
    }
    if (tile.strokes.length > 0)
      doc
        .lineWidth(tile.width)
        .strokeColor(ink, STROKE_OPACITY * opacity)
        .stroke();
    if (tile.dots.length > 0) {
      for (let left = Math.floor(x / size) * size; left < x + width; left += size) {
        for (let top = Math.floor(y / size) * size; top < y + height; top += size) {
          for (const [dx, dy] of tile.dots) doc.circle(left + dx, top + dy, tile.width);
        }
      }
      doc.fillColor(ink, STROKE_OPACITY * opacity).fill();
    }
    doc.restore();
  }

  function draw(shape: Shape): void {
    switch (shape.kind) {
      case "text":
        return write(shape);
      case "rect":
        doc.rect(shape.x, shape.y, shape.width, shape.height).fillColor(shape.colour, shape.opacity).fill();
        return;
      case "hatch":
        return hatch(shape);
      case "line": {
        const [on, off] = shape.dash;
        doc.save().lineWidth(shape.width).lineJoin("round").strokeColor(shape.colour, 1);
        if (on !== undefined) doc.dash(on, { space: off ?? on });
        trace(shape.points, false);
        doc.stroke().restore();
        return;
      }
      case "area":
        trace(shape.points, true);
        doc.fillColor(shape.colour, shape.opacity).fill();
        return;
      case "clip":
        doc.save().rect(shape.x, shape.y, shape.width, shape.height).clip();
        for (const inner of shape.shapes) draw(inner);
        doc.restore();
        return;
      case "image":
        return;
    }
  }
  return draw;
}
