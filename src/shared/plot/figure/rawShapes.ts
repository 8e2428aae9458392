import type { Bins } from "../bins.ts";
import { RAW_OPACITY, RAW_POINT_PX, rawMarks } from "../rawMarks.ts";
import type { Box } from "../scale.ts";
import type { Shape } from "./scene.ts";

/** Draws the raw rows of one station as a single shape, so that overlapping points do not add up in opacity. */
export function rawShapes(bins: Bins, box: Box, colour: string): Shape[] {
  const points: number[] = [];
  rawMarks(bins, box, RAW_POINT_PX, (left, top, right, foot) => {
    if (right < box.left || left > box.left + box.width) return;
    if (points.length > 0) points.push(Number.NaN, Number.NaN);
    points.push(left, top, right, top, right, foot, left, foot);
  });
  return points.length === 0 ? [] : [{ kind: "area", points, colour, opacity: RAW_OPACITY }];
}

/** Returns the legend's swatch of raw rows: three points. */
export function rawSwatch(x: number, y: number, colour: string): Shape {
  const half = RAW_POINT_PX / 2;
  const points = [0, 8, 16].flatMap((dx, i) => {
    const [left, right] = [x + dx, x + dx + RAW_POINT_PX];
    const square = [left, y - half, right, y - half, right, y + half, left, y + half];
    return i === 0 ? square : [Number.NaN, Number.NaN, ...square];
  });
  return { kind: "area", points, colour, opacity: RAW_OPACITY };
}
