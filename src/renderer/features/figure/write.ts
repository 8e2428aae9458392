import { type FigureFormat, type FigureSettings, lengthIn } from "#shared/file/figure.ts";
import { sourceWords } from "#shared/plot/figure/page.ts";
import type { FileShape, Scene, Shape } from "#shared/plot/figure/scene.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { bridge } from "../../bridge/index.ts";
import { imageCanvas, paintScene } from "../../plot/figure/paint.ts";
import { pageTheme, themeNamed } from "../../plot/theme.ts";
import { useConnection } from "../../stores/connection.ts";
import { showToast } from "../../stores/toasts.ts";

/** Returns the source line of a figure: the data's source, application and date. */
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
  if (format !== "png") {
    const shapes = await fileShapes(scene.shapes, ratio);
    const answer = await bridge.figures.write({ format, widthMm: settings.widthMm, scene: { ...scene, shapes } });
    if (!answer.ok) throw new Error(answer.error.message);
    const { file, boxedTexts } = answer.value;
    if (boxedTexts.length > 0)
      showToast(
        `Boxes stand for letters that the font of the PDF lacks: ${boxedTexts.join("; ")}. An SVG has these letters.`,
      );
    return new Blob([file], { type: format === "svg" ? "image/svg+xml" : "application/pdf" });
  }
  const { withDpi } = await import("../../plot/figure/png.ts");
  const canvas = document.createElement("canvas");
  paintScene(scene, canvas, ratio);
  const png = await pngOf(canvas);
  return png && new Blob([withDpi(png, settings.dpi)], { type: "image/png" });
}

export async function pngOf(canvas: HTMLCanvasElement): Promise<Uint8Array<ArrayBuffer> | null> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  return blob && new Uint8Array(await blob.arrayBuffer());
}

/** Returns shapes as the core writes them: with images as PNG. @throws if an image is too large for a canvas */
function fileShapes(shapes: readonly Shape[], ratio: number): Promise<FileShape[]> {
  return Promise.all(
    shapes.map(async (shape): Promise<FileShape> => {
      switch (shape.kind) {
        case "line":
        case "area":
          return { ...shape, points: Float64Array.from(shape.points) };
        case "clip":
          return { ...shape, shapes: await fileShapes(shape.shapes, ratio) };
        case "image": {
          const png = await pngOf(imageCanvas(shape, ratio));
          if (!png) throw new Error(TOO_LARGE);
          const { x, y, width, height } = shape;
          return { kind: "bitmap", x, y, width, height, png };
        }
        default:
          return shape;
      }
    }),
  );
}
