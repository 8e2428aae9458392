import type { VectorFormat } from "#shared/file/figure.ts";
import { type FileShape, type Scene, sceneTexts } from "#shared/plot/figure/scene.ts";
import { embeddedFonts, type FontWeight } from "../fonts.ts";
import type { FigureFile } from "./pdf.ts";
import { sceneToSvg } from "./svg.ts";

const WEIGHTS: readonly FontWeight[] = [400, 600];

/** Returns `@font-face` rules with embedded Inter for the alphabets of a text, in the weights of figures. */
function fontFaces(text: string): string {
  const fonts = embeddedFonts();
  return WEIGHTS.flatMap((weight) =>
    [...new Set(fonts.runs(text, weight).map(({ file }) => file))].map((file) => {
      const source = `data:font/woff;base64,${fonts.read(file).toString("base64")}`;
      return `@font-face{font-family:Inter;font-weight:${weight};unicode-range:${fonts.rangeOf(file)};src:url(${source}) format("woff")}`;
    }),
  ).join("");
}

/** CSS list of family names, starting with the font that both formats embed. */
export const FIGURE_FONT = "Inter, sans-serif";

/** Returns texts with missing glyphs: a PDF shows boxes for characters that Inter lacks; an SVG uses the reader's fonts. */
export function boxedTexts(texts: readonly string[], format: VectorFormat): string[] {
  if (format === "svg") return [];
  const fonts = embeddedFonts();
  return texts.filter((text) => fonts.hasOthers(text));
}

/** Writes a scene as a file with embedded fonts. */
export async function figureFile(
  scene: Scene<FileShape>,
  format: VectorFormat,
  file: FigureFile,
): Promise<Uint8Array<ArrayBuffer>> {
  if (format === "svg") {
    const svg = sceneToSvg(scene, { widthMm: file.widthMm, fontFaces: fontFaces(sceneTexts(scene.shapes).join("")) });
    return new TextEncoder().encode(svg);
  }
  // Imported on demand, because it is large.
  const { figurePdf } = await import("./pdf.ts");
  return figurePdf(scene, file);
}
