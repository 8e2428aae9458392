import type { Bins } from "#shared/plot/bins.ts";
import { type BinnedLine, RANGE_OPACITY, SIGMA_OPACITY } from "#shared/plot/figure/lineShapes.ts";
import { RAW_OPACITY, RAW_POINT_PX, rawMarks } from "#shared/plot/rawMarks.ts";
import type { Box } from "#shared/plot/scale.ts";
import { addRanges, addSigma, addStroke, createSpans } from "./lineRaster.ts";
import { targetOf } from "./pixels.ts";

/**
 * Rasterizes the areas of a panel: bands of standard deviations, value ranges of pixel columns, and raw rows; and lines of
 * two pixels with many points, as on screens of twice the resolution. A canvas without hardware acceleration takes two to
 * ten times as long for their paths: 130 ms for the lines of ten station-years.
 */
export function createLineLayer() {
  const canvas = document.createElement("canvas");
  const ctx = canvas.getContext("2d");
  let image = new ImageData(1, 1);
  let pixels = new Int32Array(image.data.buffer);
  let spans = createSpans(1);
  let isEmpty = true;

  return {
    /** Clears the layer; sizes are in device pixels. */
    begin(width: number, height: number): void {
      if (image.width !== width || image.height !== height) {
        canvas.width = width;
        canvas.height = height;
        image = new ImageData(width, height);
        pixels = new Int32Array(image.data.buffer);
      } else if (!isEmpty) pixels.fill(0);
      isEmpty = true;
    },
    /** Draws the areas of a series over the existing ones. @param line in a box with left and top 0, the corner of the layer */
    add(line: BinnedLine, colour: string): void {
      const { bins, box } = line;
      addSigma(targetOf(pixels, image, colour, SIGMA_OPACITY), line);
      if (!bins.isExact) addRanges(targetOf(pixels, image, colour, RANGE_OPACITY), bins, box);
      isEmpty = false;
    },
    /** Draws the line of a series over what is there. @param line as above @param widthPx its thickness in pixels */
    addLine(line: BinnedLine, colour: string, widthPx: number): void {
      if (spans.top.length !== image.width) spans = createSpans(image.width);
      addStroke(targetOf(pixels, image, colour, 1), line, widthPx, spans);
      isEmpty = false;
    },
    /** Draws raw rows, which replace the pixels below, so that overlapping rows are no darker than single ones. */
    addRaw(bins: Bins, box: Box, colour: string, ratio: number): void {
      const { width, height, alpha, colour: channels } = targetOf(pixels, image, colour, RAW_OPACITY);
      rawMarks(bins, box, Math.round(RAW_POINT_PX * ratio), (left, top, right, foot) => {
        const toX = Math.min(width, Math.round(right));
        const toY = Math.min(height, Math.round(foot));
        const fromY = Math.max(0, Math.round(top));
        for (let x = Math.max(0, Math.round(left)); x < toX; x++)
          for (let at = fromY * width + x, end = toY * width + x; at < end; at += width)
            pixels[at] = (alpha << 24) | channels;
      });
      isEmpty = false;
    },
    /** Paints the layer at the origin of a canvas, in this size. */
    paint(onto: CanvasRenderingContext2D, width: number, height: number): void {
      if (isEmpty || !ctx) return;
      ctx.putImageData(image, 0, 0);
      onto.drawImage(canvas, 0, 0, width, height);
    },
  };
}
