import type { VectorFormat } from "#shared/file/figure.ts";
import { type Scene, textsOf } from "#shared/plot/figure/scene.ts";
import { sceneToSvg } from "#shared/plot/figure/svg.ts";
import { embeddedFonts } from "../fonts.ts";
import { fontFaces } from "./fontFaces.ts";

/** Formats that need no canvas. */

/** Family names as CSS has them: the font that both formats embed comes first. */
export const FIGURE_FONT = "Inter, sans-serif";

export interface FigureFile {
  readonly widthMm: number;
  readonly createdMs: number;
  /** What draws it, with its version. */
  readonly program: string;
}

/** Texts that are not drawn as they are: a PDF has boxes for letters that Inter lacks, an SVG has fonts of the reader. */
export function boxedTexts(texts: readonly string[], format: VectorFormat): string[] {
  if (format === "svg") return [];
  const fonts = embeddedFonts();
  return texts.filter((text) => fonts.hasOthers(text));
}

/** A scene of texts, lines and areas as a file with its fonts; its images, which need a canvas, are left out. */
export async function figureFile(
  scene: Scene,
  format: VectorFormat,
  file: FigureFile,
): Promise<Uint8Array<ArrayBuffer>> {
  if (format === "svg") {
    const svg = sceneToSvg(scene, { widthMm: file.widthMm, fontFaces: fontFaces(textsOf(scene.shapes).join("")) });
    return new TextEncoder().encode(svg);
  }
  // Loaded on demand: it is large.
  const { figurePdf } = await import("./pdf.ts");
  return figurePdf(scene, file);
}
