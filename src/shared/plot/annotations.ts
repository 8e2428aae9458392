import { z } from "zod";
import type { TimeRange } from "../time/range.ts";
import { decimal } from "../text.ts";
import { paragraph, textWidth } from "./figure/page.ts";
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

/** Adds a threshold, instead of one at the same value. */
export function withThreshold(given: Annotations, added: Threshold): Annotations {
  const others = given.thresholds.filter(({ key, value }) => key !== added.key || value !== added.value);
  return { ...given, thresholds: [...others, added] };
}

/** Adds a note, once. */
export function withNote(given: Annotations, added: Note): Annotations {
  const others = given.notes.filter(({ atMs, text }) => atMs !== added.atMs || text !== added.text);
  return { ...given, notes: [...others, added] };
}

interface AnnotationLook {
  readonly colour: string;
  readonly background: string;
}

const DASH = [2, 3];
const TEXT_PX = 11;
const MARGIN_PX = 3;

/** A corner of a text, which is left or right of it, and above or below. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly isLeft: boolean;
  readonly isAbove: boolean;
}

/**
 * Returns the shapes of annotations in a plot: dashed lines, with their texts at the upper edge and at the right,
 * wrapped on the side of the line that has more room.
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
  const label = (content: string, { x, y: edge, isLeft, isAbove }: Place, room: number): VectorShape[] => {
    if (content === "") return [];
    const size = TEXT_PX;
    const width = room - 2 * MARGIN_PX;
    const tall = paragraph({ x: 0, y: 0, width }, content, colour, { size }).bottom;
    const y = isAbove ? edge - tall : edge;
    const wide = Math.min(room, textWidth(content, size) + 2 * MARGIN_PX);
    const at = { x: isLeft ? x - MARGIN_PX : x + MARGIN_PX, y: y + size, width };
    return [
      { kind: "rect", x: isLeft ? x - wide : x, y, width: wide, height: tall, colour: look.background, opacity: 0.8 },
      ...paragraph(at, content, colour, { anchor: isLeft ? "end" : "start", size }).shapes,
    ];
  };
  const thresholds = given.thresholds.flatMap(({ value, text: content }) => {
    const y = yOf(box, value);
    if (!(y >= top && y <= top + height)) return [];
    const right = left + width;
    const isAbove = y > top + height / 2;
    const name = [content, decimal(value, 0, 3)].filter(Boolean).join(" ");
    return [
      line([left, y, right, y]),
      ...label(name, { x: right, y: isAbove ? y - 1 : y + 1, isLeft: true, isAbove }, width),
    ];
  });
  const notes = given.notes.flatMap(({ atMs, text: content }) => {
    if (atMs < view.startMs || atMs > view.endMs) return [];
    const x = left + ((atMs - view.startMs) / (view.endMs - view.startMs)) * width;
    const isLeft = x > left + width / 2;
    const place = { x: isLeft ? x - 1 : x + 1, y: top + 1, isLeft, isAbove: false };
    return [line([x, top, x, top + height]), ...label(content, place, Math.max(x - left, left + width - x) - 1)];
  });
  return [...thresholds, ...notes];
}
