import { z } from "zod";
import type { TimeRange } from "../time/range.ts";
import { decimal } from "../text.ts";
import { text, textWidth } from "./figure/page.ts";
import type { VectorShape } from "./figure/scene.ts";
import { type Box, yOf } from "./scale.ts";

// Views, which keep annotations, may come from untrusted files.

const words = z.string().max(200);
const threshold = z.object({ key: z.string().max(200), value: z.number(), text: words });
const note = z.object({ atMs: z.number(), text: words });

/** A value of a quantity (the key of its panels), in its unit, drawn as a line across the plot. */
export type Threshold = z.output<typeof threshold>;
/** A moment with what happened then, drawn as a line down all plots. */
export type Note = z.output<typeof note>;

/** Thresholds and notes of a view. */
export const annotationsSchema = z.object({
  thresholds: z.array(threshold).max(50).catch([]),
  notes: z.array(note).max(200).catch([]),
});
export type Annotations = z.output<typeof annotationsSchema>;

interface AnnotationLook {
  readonly colour: string;
  readonly background: string;
}

const DASH = [2, 3];
const TEXT_PX = 11;

/**
 * Returns the shapes of annotations in a plot: dashed lines, with their texts at the upper edge and at the right.
 *
 * @param given thresholds of the quantity of the plot, and all notes
 */
export function annotationShapes(given: Annotations, box: Box, view: TimeRange, look: AnnotationLook): VectorShape[] {
  const { left, top, width, height } = box;
  const { colour } = look;
  const line = (points: readonly number[]): VectorShape => ({
    kind: "line",
    points,
    colour,
    width: 1,
    dash: DASH,
  });
  const label = (x: number, y: number, content: string, anchor: "start" | "end"): VectorShape[] => {
    if (content === "") return [];
    const size = TEXT_PX;
    const wide = textWidth(content, size) + 6;
    const ground = { x: anchor === "end" ? x - wide : x, y: y - size, width: wide, height: size + 3 };
    const at = anchor === "end" ? x - 3 : x + 3;
    return [
      { kind: "rect", ...ground, colour: look.background, opacity: 0.8 },
      text([at, y], content, colour, { anchor, size }),
    ];
  };
  const thresholds = given.thresholds.flatMap(({ value, text: content }) => {
    const y = yOf(box, value);
    if (!(y >= top && y <= top + height)) return [];
    const right = left + width;
    const name = [content, decimal(value, 0, 3)].filter(Boolean).join(" ");
    return [line([left, y, right, y]), ...label(right, y - 3, name, "end")];
  });
  const notes = given.notes.flatMap(({ atMs, text: content }) => {
    if (atMs < view.startMs || atMs > view.endMs) return [];
    const x = left + ((atMs - view.startMs) / (view.endMs - view.startMs)) * width;
    return [line([x, top, x, top + height]), ...label(x + 1, top + 12, content, "start")];
  });
  return [...thresholds, ...notes];
}
