import type { VectorFormat } from "#shared/file/figure.ts";
import { type Scene, textsOf } from "#shared/plot/figure/scene.ts";
import { sceneToSvg } from "#shared/plot/figure/svg.ts";
import { embeddedFonts } from "../fonts.ts";
import { fontFaces } from "./fontFaces.ts";

/** CSS list of family names, starting with the font that both formats embed. */
export const FIGURE_FONT = "Inter, sans-serif";

export interface FigureFile {
  readonly widthMm: number;
  readonly createdMs: number;
  /** Name and version. */
  readonly program: string;
}

/** Returns texts with missing glyphs: a PDF shows boxes for characters that Inter lacks; an SVG uses the reader's fonts. */
export function boxedTexts(texts: readonly string[], format: VectorFormat): string[] {
  if (format === "svg") return [];
  const fonts = embeddedFonts();
  return texts.filter((text) => fonts.hasOthers(text));
}

/** Writes a scene as a file with embedded fonts, without its images, which need a canvas. */
export async function figureFile(
  scene: Scene,
  format: VectorFormat,
  file: FigureFile,
): Promise<Uint8Array<ArrayBuffer>> {
  if (format === "svg") {
    const svg = sceneToSvg(scene, { widthMm: file.widthMm, fontFaces: fontFaces(textsOf(scene.shapes).join("")) });
    return new TextEncoder().encode(svg);
  }
  // Imported on demand, because it is large.
  const { figurePdf } = await import("./pdf.ts");
  return figurePdf(scene, file);
}
