import { expect, it } from "vitest";
import { GAP_MARKS, type GapMark } from "#shared/plot/gapMarks.ts";

const STEP_PX = 0.5;
const WIDTH_PX = 12;
/** Heights of a strip below a plot and of a swatch in a legend. */
const HEIGHTS_PX = [6, 12];

function hasInk({ hatch: { size, strokes, dots, width } }: GapMark, x: number, y: number): boolean {
  const [px, py] = [x % size, y % size];
  const isOnStroke = strokes.some(([x1, y1, x2, y2]) => {
    const length = (x2 - x1) ** 2 + (y2 - y1) ** 2;
    const along = Math.max(0, Math.min(1, ((px - x1) * (x2 - x1) + (py - y1) * (y2 - y1)) / length));
    return Math.hypot(px - x1 - along * (x2 - x1), py - y1 - along * (y2 - y1)) <= width / 2 + STEP_PX / 2;
  });
  return isOnStroke || dots.some(([cx, cy]) => Math.hypot(px - cx, py - cy) <= width);
}

/** The inked cells of a strip whose pattern begins at an offset. */
function inked(mark: GapMark, heightPx: number, dx: number, dy: number): boolean[] {
  return Array.from({ length: (heightPx * WIDTH_PX) / STEP_PX ** 2 }, (_, cell) => {
    const columns = WIDTH_PX / STEP_PX;
    return hasInk(mark, dx + (cell % columns) * STEP_PX, dy + Math.floor(cell / columns) * STEP_PX);
  });
}

function inkOf(cells: readonly boolean[]): number {
  return cells.filter(Boolean).length;
}

/** The least share of the inked cells in which two marks differ, wherever their patterns begin. */
function difference(a: GapMark, b: GapMark, heightPx: number): number {
  const ofA = inked(a, heightPx, 0, 0);
  const offsets = Array.from({ length: b.hatch.size }, (_, i) => i);
  const shares = offsets.flatMap((dx) =>
    offsets.map((dy) => {
      const ofB = inked(b, heightPx, dx, dy);
      return ofA.filter((ink, i) => ink !== ofB[i]).length / Math.max(1, inkOf(ofA), inkOf(ofB));
    }),
  );
  return Math.min(...shares);
}

it("marks of causes differ by their pattern alone, as in contrast themes, in a strip and in a swatch", () => {
  for (const heightPx of HEIGHTS_PX)
    GAP_MARKS.forEach((a, i) => {
      for (const b of GAP_MARKS.slice(i + 1))
        expect(difference(a, b, heightPx), `${a.cause} and ${b.cause}`).toBeGreaterThan(0.5);
    });
});
