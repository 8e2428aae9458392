import { toPoints } from "#shared/file/figure.ts";
import {
  type FileShape,
  type HatchShape,
  type LineShape,
  type Scene,
  sections,
  type TextShape,
} from "#shared/plot/figure/scene.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import PdfKit from "pdfkit";
import { embeddedFonts, type FontRun, type FontWeight, unpackWoff } from "../fonts.ts";

export interface FigureFile {
  readonly widthMm: number;
  readonly createdMs: number;
  /** Name and version. */
  readonly program: string;
}

/** Opacity of a hatch's strokes. */
const STROKE_OPACITY = 0.75;

/** Writes a scene as a PDF page of its size, with vector shapes, text and embedded fonts. */
export async function figurePdf(
  scene: Scene<FileShape>,
  { widthMm, createdMs, program }: FigureFile,
): Promise<Uint8Array<ArrayBuffer>> {
  const perUnit = toPoints(widthMm) / scene.width;
  const size: [number, number] = [scene.width * perUnit, scene.height * perUnit];
  const pdf = new Pdf({ title: scene.title, program, createdMs }, { size, margin: 0 });
  const { doc } = pdf;
  doc.scale(perUnit);
  doc.rect(0, 0, scene.width, scene.height).fill(inkOf(scene.background));
  const draw = painterOn(pdf);
  for (const shape of scene.shapes) draw(shape);
  return pdf.finish();
}

function painterOn({ doc, widthOf, writeLine }: Pdf): (shape: FileShape) => void {
  function write({ text, x, y, size, weight: given, anchor, colour }: TextShape): void {
    const weight = given >= 600 ? 600 : 400;
    const before = anchor === "start" ? 0 : widthOf(text, size, weight) / (anchor === "end" ? 1 : 2);
    doc.fillColor(inkOf(colour), 1);
    writeLine(text, { x: x - before, y }, size, weight);
  }

  function trace(points: LineShape["points"], isClosed: boolean): void {
    for (const [[firstX, firstY], ...rest] of sections(points)) {
      doc.moveTo(firstX, firstY);
      for (const [x, y] of rest) doc.lineTo(x, y);
      if (isClosed) doc.closePath();
      // A path of a single point is invisible.
      else if (rest.length === 0) doc.lineTo(firstX + 0.01, firstY);
    }
  }

  /** Draws tiles on a common grid of the page, so that adjacent hatches join. */
  function hatch({ x, y, width, height, cause, colour, opacity }: HatchShape): void {
    const { hatch: tile, ground } = gapMark(cause);
    const ink = inkOf(colour);
    doc.save().rect(x, y, width, height).clip();
    doc
      .rect(x, y, width, height)
      .fillColor(ink, ground * opacity)
      .fill();
    const { size, strokes, dots } = tile;
    const eachTile = (add: (left: number, top: number) => void): void => {
      for (let left = Math.floor(x / size) * size; left < x + width; left += size)
        for (let top = Math.floor(y / size) * size; top < y + height; top += size) add(left, top);
    };
    eachTile((left, top) => {
      for (const [x1, y1, x2, y2] of strokes) doc.moveTo(left + x1, top + y1).lineTo(left + x2, top + y2);
    });
    if (strokes.length > 0)
      doc
        .lineWidth(tile.width)
        .strokeColor(ink, STROKE_OPACITY * opacity)
        .stroke();
    eachTile((left, top) => {
      for (const [dx, dy] of dots) doc.circle(left + dx, top + dy, tile.width);
    });
    if (dots.length > 0) doc.fillColor(ink, STROKE_OPACITY * opacity).fill();
    doc.restore();
  }

  function draw(shape: FileShape): void {
    switch (shape.kind) {
      case "text":
        return write(shape);
      case "rect":
        doc.rect(shape.x, shape.y, shape.width, shape.height).fillColor(inkOf(shape.colour), shape.opacity).fill();
        return;
      case "hatch":
        return hatch(shape);
      case "line": {
        const [on, off] = shape.dash;
        doc.save().lineWidth(shape.width).lineJoin("round").strokeColor(inkOf(shape.colour), 1);
        if (on !== undefined) doc.dash(on, { space: off ?? on });
        trace(shape.points, false);
        doc.stroke().restore();
        return;
      }
      case "area":
        trace(shape.points, true);
        doc.fillColor(inkOf(shape.colour), shape.opacity).fill();
        return;
      case "clip":
        doc.save().rect(shape.x, shape.y, shape.width, shape.height).clip();
        for (const inner of shape.shapes) draw(inner);
        doc.restore();
        return;
      case "bitmap":
        doc.image(Buffer.from(shape.png), shape.x, shape.y, { width: shape.width, height: shape.height });
        return;
    }
  }
  return draw;
}

/** Translates the notations of style sheets, `#rrggbb` and `rgb(r, g, b)`, for the PDF library. */
function inkOf(colour: string): string | [number, number, number] {
  const [r, g, b] = (/^rgba?\(([^)]*)\)/.exec(colour)?.[1] ?? "").match(/[\d.]+/g)?.map(Number) ?? [];
  return r !== undefined && g !== undefined && b !== undefined ? [r, g, b] : colour;
}

/** A document with its own fonts: the standard ones have too few glyphs and are not embedded. */
class Pdf {
  readonly doc: PDFKit.PDFDocument;
  readonly #chunks: Uint8Array[] = [];
  readonly #ended;
  readonly #fonts = embeddedFonts();
  readonly #registered = new Set<string>();

  readonly widthOf = (text: string, size: number, weight: FontWeight): number =>
    this.#fonts.runs(text, weight).reduce((sum, run) => {
      this.useFont(run, size);
      return sum + this.doc.widthOfString(run.text);
    }, 0);

  /** Writes one line. @param y baseline */
  readonly writeLine = (
    text: string,
    at: { readonly x: number; readonly y: number },
    size: number,
    weight: FontWeight,
  ): void => {
    let { x } = at;
    for (const run of this.#fonts.runs(text, weight)) {
      this.useFont(run, size);
      this.doc.text(run.text, x, at.y, { lineBreak: false, baseline: "alphabetic" });
      x += this.doc.widthOfString(run.text);
    }
  };

  constructor(
    about: { readonly title: string; readonly program: string; readonly createdMs: number },
    layout: PDFKit.PDFDocumentOptions,
  ) {
    this.doc = new PdfKit({
      ...layout,
      font: "",
      lang: "en",
      displayTitle: true,
      info: { Title: about.title, Creator: about.program, CreationDate: new Date(about.createdMs) },
    });
    this.#ended = new Promise<void>((resolve, reject) => {
      this.doc.on("data", (chunk: Uint8Array) => this.#chunks.push(chunk));
      this.doc.on("end", resolve);
      this.doc.on("error", reject);
    });
  }

  /** Splits a text by font. */
  runs(text: string, weight: FontWeight): readonly FontRun[] {
    return this.#fonts.runs(text, weight);
  }

  useFont({ file }: FontRun, size: number): void {
    if (!this.#registered.has(file)) this.doc.registerFont(file, unpackWoff(this.#fonts.read(file)));
    this.#registered.add(file);
    this.doc.font(file, size);
  }

  async finish(): Promise<Uint8Array<ArrayBuffer>> {
    this.doc.end();
    await this.#ended;
    // The bridge cannot carry a Node Buffer.
    return new Uint8Array(Buffer.concat(this.#chunks));
  }
}
