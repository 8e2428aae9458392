import { type GapMark, gapMark } from "#shared/plot/gapMarks.ts";
import { imageCanvas } from "./paint.ts";
import { type PdfFont, type PdfObjects, pdfObjects, type PdfRun, pdfRuns } from "./pdfObjects.ts";
import { sections, type Scene, type Shape, type TextShape } from "#shared/plot/figure/scene.ts";

/** Pixels per unit of text drawn as an image, because the fonts of PDF lack its characters. */
const TEXT_IMAGE_RATIO = 6;

interface PdfFile {
  readonly widthPt: number;
  /** Image pixels per unit of the scene. */
  readonly ratio: number;
  readonly createdMs: number;
}

/**
 * Writes a scene as a PDF of one page, with lines and text as vectors, in the standard fonts. Characters that these fonts
 * lack are drawn as images with the text attached, so that it can be searched and copied.
 */
export async function sceneToPdf(
  scene: Scene,
  { widthPt, ratio, createdMs }: PdfFile,
): Promise<Uint8Array<ArrayBuffer>> {
  const perUnit = widthPt / scene.width;
  const objects = pdfObjects();
  const resources = resourcesOf(objects);
  const out = [`q ${n(perUnit)} 0 0 ${n(-perUnit)} 0 ${n(scene.height * perUnit)} cm`];
  out.push(`${fill(scene.background)} 0 0 ${n(scene.width)} ${n(scene.height)} re f`);
  const add = async (shape: Shape): Promise<void> => {
    switch (shape.kind) {
      case "text":
        out.push(await textOf(shape, scene.fontFamily, resources));
        return;
      case "rect":
        out.push(`q ${resources.opacity(shape.opacity)} ${fill(shape.colour)} ${boxOf(shape)} re f Q`);
        return;
      case "hatch": {
        const pattern = await resources.hatch(gapMark(shape.cause), scene, perUnit);
        out.push(`q ${resources.opacity(shape.opacity)} /Pattern cs /${pattern} scn ${boxOf(shape)} re f Q`);
        return;
      }
      case "line":
        out.push(
          `q ${stroke(shape.colour)} ${n(shape.width)} w 1 j [${shape.dash.map(n).join(" ")}] 0 d ${path(shape.points, false)} S Q`,
        );
        return;
      case "area":
        out.push(`q ${resources.opacity(shape.opacity)} ${fill(shape.colour)} ${path(shape.points, true)} f Q`);
        return;
      case "image": {
        const name = await resources.image(imageCanvas(shape, ratio), null);
        out.push(placeImage(name, shape.x, shape.y, shape.width, shape.height));
        return;
      }
      case "clip":
        out.push(`q ${boxOf(shape)} re W n`);
        for (const inner of shape.shapes) await add(inner);
        out.push("Q");
    }
  };
  for (const shape of scene.shapes) await add(shape);
  out.push("Q");

  const contents = await objects.stream("", new TextEncoder().encode(out.join("\n")));
  const box = `[0 0 ${n(widthPt)} ${n(scene.height * perUnit)}]`;
  const pages = objects.reserve();
  const page = objects.add(
    `<< /Type /Page /Parent ${pages} 0 R /MediaBox ${box} /Contents ${contents} 0 R /Resources ${resources.dictionary()} >>`,
  );
  objects.fill(pages, `<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`);
  const catalogue = objects.add(`<< /Type /Catalog /Pages ${pages} 0 R >>`);
  const stamp = new Date(createdMs).toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const info = objects.add(`<< /Title ${utf16(scene.title)} /Creator (Zenith Desk) /CreationDate (D:${stamp}Z) >>`);
  return objects.file(catalogue, info);
}

interface Resources {
  font(font: PdfFont): string;
  opacity(share: number): string;
  hatch(mark: GapMark, scene: Scene, perUnit: number): Promise<string>;
  /** @param tint colour for all pixels, of which only alpha is used; null: their own colours */
  image(canvas: HTMLCanvasElement, tint: string | null): Promise<string>;
  dictionary(): string;
}

function resourcesOf(objects: PdfObjects): Resources {
  const kinds = {
    Font: new Map<string, number>(),
    ExtGState: new Map<string, number>(),
    Pattern: new Map<string, number>(),
    XObject: new Map<string, number>(),
  };
  return {
    font(font) {
      if (!kinds.Font.has(font)) {
        const encoding = font === "Symbol" ? "" : " /Encoding /WinAnsiEncoding";
        kinds.Font.set(font, objects.add(`<< /Type /Font /Subtype /Type1 /BaseFont /${font}${encoding} >>`));
      }
      return font;
    },
    opacity(share) {
      if (share === 1) return "";
      const name = `a${Math.round(share * 1_000)}`;
      if (!kinds.ExtGState.has(name)) kinds.ExtGState.set(name, objects.add(`<< /ca ${n(share)} >>`));
      return `/${name} gs`;
    },
    async hatch(mark, scene, perUnit) {
      const name = `gap-${mark.cause}`;
      if (kinds.Pattern.has(name)) return name;
      const { size } = mark.hatch;
      const solid = objects.add(`<< /ca ${n(mark.ground)} /CA 0.75 >>`);
      const marks = objects.add("<< /ca 0.75 /CA 0.75 >>");
      const head =
        `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 ${size} ${size}] /XStep ${size} /YStep ${size} ` +
        `/Matrix [${n(perUnit)} 0 0 ${n(-perUnit)} 0 ${n(scene.height * perUnit)}] ` +
        `/Resources << /ExtGState << /ground ${solid} 0 R /marks ${marks} 0 R >> >>`;
      const content = hatchContent(mark, scene.colourOf(mark.colour));
      kinds.Pattern.set(name, await objects.stream(head, new TextEncoder().encode(content)));
      return name;
    },
    async image(canvas, tint) {
      const name = `i${kinds.XObject.size}`;
      kinds.XObject.set(name, await imageObject(objects, canvas, tint));
      return name;
    },
    dictionary() {
      const entries = Object.entries(kinds).map(
        ([kind, known]) => `/${kind} << ${[...known].map(([name, id]) => `/${name} ${id} 0 R`).join(" ")} >>`,
      );
      return `<< ${entries.join(" ")} >>`;
    },
  };
}

function hatchContent({ hatch }: GapMark, colour: string): string {
  const { size, strokes, dots, width } = hatch;
  return [
    `/ground gs ${fill(colour)} 0 0 ${size} ${size} re f`,
    `/marks gs ${stroke(colour)} ${width} w`,
    ...strokes.map(([x1, y1, x2, y2]) => `${x1} ${y1} m ${x2} ${y2} l S`),
    // A stroke of zero length with round caps is a dot.
    ...dots.map(([x, y]) => `q 1 J ${width * 2} w ${x} ${y} m ${x} ${y} l S Q`),
  ].join("\n");
}

async function imageObject(objects: PdfObjects, canvas: HTMLCanvasElement, tint: string | null): Promise<number> {
  const { width, height } = canvas;
  const pixels = canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray(0);
  const [alpha, colours] = [new Uint8Array(width * height), new Uint8Array(width * height * 3)];
  const own = tint === null ? null : rgbOf(tint);
  for (let i = 0; i < alpha.length; i++) {
    alpha[i] = pixels[4 * i + 3] ?? 0;
    for (let c = 0; c < 3; c++) colours[3 * i + c] = own ? own[c as 0 | 1 | 2] : (pixels[4 * i + c] ?? 0);
  }
  const size = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`;
  const mask = await objects.stream(`${size} /ColorSpace /DeviceGray`, alpha);
  return objects.stream(`${size} /ColorSpace /DeviceRGB /SMask ${mask} 0 R`, colours);
}

async function textOf(shape: TextShape, fontFamily: string, resources: Resources): Promise<string> {
  const { size, weight, colour, anchor } = shape;
  const runs = pdfRuns(shape.text, weight >= 600);
  const canvasFont = `${weight} ${TEXT_IMAGE_RATIO * size}px ${fontFamily}`;
  const widths = runs.map((run) =>
    run.font === null ? textWidth(run.text, canvasFont) / TEXT_IMAGE_RATIO : (run.width / 1_000) * size,
  );
  const totalWidth = widths.reduce((a, b) => a + b, 0);
  let x = shape.x - (anchor === "end" ? totalWidth : anchor === "middle" ? totalWidth / 2 : 0);
  const out: string[] = [];
  for (const [i, run] of runs.entries()) {
    const words = run.font === null ? "?" : run.codes.map(escapeCode).join("");
    const look = `/${resources.font(run.font ?? "Helvetica")} ${n(size)} Tf 1 0 0 -1 ${n(x)} ${n(shape.y)} Tm`;
    if (run.font !== null) out.push(`${fill(colour)} BT ${look} (${words}) Tj ET`);
    else {
      const canvas = textCanvas(run, canvasFont, size, widths[i] ?? 0);
      const name = await resources.image(canvas, colour);
      const [width, height] = [canvas.width / TEXT_IMAGE_RATIO, canvas.height / TEXT_IMAGE_RATIO];
      // For searching and copying: an invisible character with the actual text attached.
      out.push(`/Span << /ActualText ${utf16(run.text)} >> BDC BT 3 Tr ${look} (${words}) Tj 0 Tr ET EMC`);
      out.push(placeImage(name, x, shape.y - size, width, height));
    }
    x += widths[i] ?? 0;
  }
  return out.join("\n");
}

function textWidth(words: string, font: string): number {
  const ctx = document.createElement("canvas").getContext("2d");
  if (!ctx) return 0;
  ctx.font = font;
  return ctx.measureText(words).width;
}

function textCanvas(run: PdfRun, font: string, size: number, width: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.ceil(width * TEXT_IMAGE_RATIO));
  canvas.height = Math.ceil(size * 1.4 * TEXT_IMAGE_RATIO);
  const ctx = canvas.getContext("2d");
  if (!ctx) return canvas;
  ctx.font = font;
  ctx.fillText(run.text, 0, size * TEXT_IMAGE_RATIO);
  return canvas;
}

function placeImage(name: string, x: number, y: number, width: number, height: number): string {
  return `q ${n(width)} 0 0 ${n(-height)} ${n(x)} ${n(y + height)} cm /${name} Do Q`;
}

/** Escapes a character code for a PDF string in parentheses, in 7-bit ASCII. */
function escapeCode(code: number): string {
  return code < 32 || code > 126 || code === 40 || code === 41 || code === 92
    ? `\\${code.toString(8).padStart(3, "0")}`
    : String.fromCharCode(code);
}

function utf16(words: string): string {
  const units = Array.from({ length: words.length }, (_, i) => words.charCodeAt(i).toString(16).padStart(4, "0"));
  return `<FEFF${units.join("").toUpperCase()}>`;
}

function path(points: readonly number[], isClosed: boolean): string {
  return sections(points)
    .map((section) => {
      const [[firstX, firstY], ...rest] = section;
      let d = `${n(firstX)} ${n(firstY)} m `;
      for (const [x, y] of rest) d += `${n(x)} ${n(y)} l `;
      return isClosed ? `${d}h` : rest.length === 0 ? `${d}${n(firstX + 0.01)} ${n(firstY)} l` : d;
    })
    .join("\n");
}

function boxOf(box: {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}): string {
  return `${n(box.x)} ${n(box.y)} ${n(box.width)} ${n(box.height)}`;
}

function fill(colour: string): string {
  return `${rgbOf(colour)
    .map((part) => n(part / 255))
    .join(" ")} rg`;
}

function stroke(colour: string): string {
  return `${rgbOf(colour)
    .map((part) => n(part / 255))
    .join(" ")} RG`;
}

/** Parses `#rgb`, `#rrggbb` and `rgb(…)`, the notations of the style sheets; black for anything else. */
function rgbOf(colour: string): readonly [number, number, number] {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(colour)?.[1];
  const digits = hex?.length === 3 ? hex.replaceAll(/./g, "$&$&") : hex;
  if (digits !== undefined && digits.length >= 6) {
    const at = (i: number): number => Number.parseInt(digits.slice(i, i + 2), 16);
    return [at(0), at(2), at(4)];
  }
  const [r = 0, g = 0, b = 0] = (/^rgba?\(([^)]*)\)/.exec(colour)?.[1] ?? "").match(/[\d.]+/g)?.map(Number) ?? [];
  return [r, g, b];
}

/** Formats a number to three decimals. */
function n(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 1_000) / 1_000) : "0";
}
