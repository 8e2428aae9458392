import { type FigureFormat, type FigureSettings, lengthIn, toPoints } from "#shared/file/figure.ts";
import { type FigureSource, pageOf, sourceWords } from "#shared/plot/figure/page.ts";
import { type Scene, textsOf } from "#shared/plot/figure/scene.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { bridge } from "../../bridge/index.ts";
import { imageCanvas, paintScene } from "../../plot/figure/paint.ts";
import { pageTheme, themeNamed } from "../../plot/theme.ts";
import { useConnection } from "../../stores/connection.ts";
import { useSettings } from "../../stores/settings.ts";

/** Returns the source line of a figure: origin of the data, application and date. */
export async function provenance(): Promise<string> {
  const about = await bridge.system.about({});
  const program = about.ok ? `${about.value.name} ${about.value.version}` : "Zenith Desk";
  const { current } = useConnection.getState();
  return sourceWords(current && { ...current.info, isSimulated: current.isSimulated }, program, Date.now());
}

export const TOO_LARGE = "The figure has too many pixels for this computer. Choose fewer dots per inch, or SVG or PDF.";

export function themeOf({ theme }: FigureSettings): PlotTheme {
  return theme === "screen" ? pageTheme() : themeNamed(theme);
}

/** Renders a figure with the last settings of the dialog. @throws if it is too large for a canvas */
export async function figureWithSavedSettings({
  compose,
}: FigureSource): Promise<{ file: Blob; format: FigureFormat }> {
  const settings = useSettings.getState().settings.figure;
  const scene = compose(pageOf(settings, themeOf(settings), await provenance(), Date.now()));
  const file = await figureFile(scene, settings);
  if (!file) throw new Error(TOO_LARGE);
  return { file, format: settings.format };
}

/** Returns the pixels of a PNG per unit of the scene. */
export function pixelsPerUnit(scene: Scene, { widthMm, dpi }: FigureSettings): number {
  return Math.round(lengthIn("px", widthMm, dpi)) / scene.width;
}

/** Renders a scene as a file according to the settings; null if it is too large for a canvas. */
export async function figureFile(
  scene: Scene,
  settings: FigureSettings,
  format: FigureFormat = settings.format,
): Promise<Blob | null> {
  await document.fonts.ready;
  const ratio = pixelsPerUnit(scene, settings);
  if (format === "svg") {
    const { sceneToSvg } = await import("#shared/plot/figure/svg.ts");
    const { fontFaces } = await import("./fontFaces.ts");
    const svg = sceneToSvg(scene, {
      widthMm: settings.widthMm,
      imageUrl: (shape) => imageCanvas(shape, ratio).toDataURL("image/png"),
      fontFaces: fontFaces(textsOf(scene.shapes).join("")),
    });
    return new Blob([svg], { type: "image/svg+xml" });
  }
  if (format === "pdf") {
    const { sceneToPdf } = await import("../../plot/figure/pdf.ts");
    const pdf = await sceneToPdf(scene, { widthPt: toPoints(settings.widthMm), ratio, createdMs: Date.now() });
    return new Blob([pdf], { type: "application/pdf" });
  }
  const { withDpi } = await import("../../plot/figure/png.ts");
  const canvas = document.createElement("canvas");
  paintScene(scene, canvas, ratio);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) return null;
  return new Blob([withDpi(new Uint8Array(await blob.arrayBuffer()), settings.dpi)], { type: "image/png" });
}
