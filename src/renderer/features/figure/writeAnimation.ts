import { zip, type AsyncZippable } from "fflate";
import { applyPalette, GIFEncoder, quantize } from "gifenc";
import type { FigurePage, FigureSource } from "#shared/plot/figure/page.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { paintScene } from "../../plot/figure/paint.ts";
import { type AnimationSource, frameMoments } from "../../plot/figure/animation.ts";
import { pngOf, TOO_LARGE } from "./write.ts";

export const ANIMATION_FORMATS = ["gif", "png"] as const;
type AnimationFormat = (typeof ANIMATION_FORMATS)[number];

interface AnimationSettings {
  readonly format: AnimationFormat;
  /** Steps of the source per frame. */
  readonly every: number;
  readonly framesPerSecond: number;
  readonly widthPx: number;
}

/** Maximum number of colours in a GIF frame. */
const MAX_COLOURS = 256;
/** Duration of the last frame, so that the end is noticeable. */
const LAST_FRAME_MS = 1_500;
/** Additional height, because all frames have the same height and a legend may need another row. */
const EXTRA_HEIGHT = 24;

interface Drawing {
  readonly theme: PlotTheme;
  /** Source line of the figure. */
  readonly sourceText: string;
  readonly signal: AbortSignal;
  readonly onFrame: (done: number) => void;
}

/** Draws all frames, letting the window respond in between. @throws the reason if it is aborted or a frame fails */
export async function animationFile(
  source: AnimationSource,
  settings: AnimationSettings,
  { theme, sourceText, signal, onFrame }: Drawing,
): Promise<Blob> {
  const momentsMs = frameMoments(source, settings.every);
  const out =
    settings.format === "gif" ? createGif(settings, momentsMs.length) : createFrameArchive(source.fileName, momentsMs);
  const painter = framePainter(settings.widthPx, theme, sourceText);
  let done = 0;
  for await (const figure of source.figures(momentsMs, signal)) {
    signal.throwIfAborted();
    await out.add(painter(figure));
    onFrame(++done);
    await new Promise((resolve) => setTimeout(resolve));
  }
  signal.throwIfAborted();
  return out.done();
}

/** Returns the page of a frame, with text in the size of the window. */
export function framePage(widthPx: number, height: number | null, theme: PlotTheme, sourceText: string): FigurePage {
  return { width: widthPx, height, theme, hasTitle: true, source: sourceText, legend: "top", nowMs: Date.now() };
}

/** Returns a function that paints frames of equal size on one canvas. */
function framePainter(
  widthPx: number,
  theme: PlotTheme,
  sourceText: string,
): (figure: FigureSource) => HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  let height: number | null = null;
  return ({ compose }) => {
    height ??= Math.round(compose(framePage(widthPx, null, theme, sourceText)).height) + EXTRA_HEIGHT;
    const scene = compose(framePage(widthPx, height, theme, sourceText));
    paintScene({ ...scene, width: widthPx, height }, canvas, 1);
    return canvas;
  };
}

interface Output {
  add(canvas: HTMLCanvasElement): Promise<void> | void;
  done(): Promise<Blob> | Blob;
}

function createGif({ framesPerSecond }: AnimationSettings, frames: number): Output {
  const gif = GIFEncoder();
  let n = 0;
  return {
    add(canvas) {
      const { width, height } = canvas;
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, width, height).data;
      if (!pixels) throw new Error(TOO_LARGE);
      const palette = quantize(pixels, MAX_COLOURS);
      const delay = ++n === frames ? LAST_FRAME_MS : 1_000 / framesPerSecond;
      gif.writeFrame(applyPalette(pixels, palette), width, height, { palette, delay, repeat: 0 });
    },
    done() {
      gif.finish();
      return new Blob([gif.bytes()], { type: "image/gif" });
    },
  };
}

/** Writes numbered PNG files, with their time in the name, to a zip archive. */
function createFrameArchive(name: string, momentsMs: readonly number[]): Output {
  const files: AsyncZippable = {};
  let n = 0;
  return {
    async add(canvas) {
      const png = await pngOf(canvas);
      if (!png) throw new Error(TOO_LARGE);
      const stamp = new Date(momentsMs[n] ?? 0).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
      // PNG is already compressed.
      files[`${name}-${String(++n).padStart(4, "0")}-${stamp}Z.png`] = [png, { level: 0 }];
    },
    async done() {
      const bytes = await new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
        zip(files, (fault, data) => (fault ? reject(fault) : resolve(data)));
      });
      return new Blob([bytes], { type: "application/zip" });
    },
  };
}
