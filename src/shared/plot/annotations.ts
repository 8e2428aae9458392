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
const LINE_PX = 1.4 * TEXT_PX;
const MARGIN_PX = 3;
/** Words are readable on lines of data, which stay visible. */
const GROUND_OPACITY = 0.5;

/** A corner of a text, which is left or right of it, and above or below. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly isLeft: boolean;
  readonly isAbove: boolean;
}

type Ground = Readonly<Record<"x" | "y" | "width" | "height", number>>;

function doOverlap(a: Ground, b: Ground): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function lowered<T extends { readonly y: number }>(shape: T, by: number): T {
  return { ...shape, y: shape.y + by };
}

/** "Warning 2,390" */
export function thresholdWords({ text, value }: Pick<Threshold, "text" | "value">): string {
  return [text, decimal(value, 0, 3)].filter(Boolean).join(" ");
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
  const taken: Ground[] = [];
  /** Words beside a line; where others are, they move on, as far as the plot allows. */
  const label = (content: string, { x, y: edge, isLeft, isAbove }: Place, room: number): VectorShape[] => {
    if (content === "") return [];
    const size = TEXT_PX;
    const width = room - 2 * MARGIN_PX;
    const tall = paragraph({ x: 0, y: 0, width }, content, colour, { size }).bottom;
    const first = isAbove ? edge - tall : edge;
    const at = { x: isLeft ? x - MARGIN_PX : x + MARGIN_PX, y: first + size, width };
    const { shapes } = paragraph(at, content, colour, { anchor: isLeft ? "end" : "start", size });
    const words = shapes.flatMap((shape) => (shape.kind === "text" ? [shape] : []));
    const grounds = words.map((each): Ground => {
      const wide = textWidth(each.text, size) + 2 * MARGIN_PX;
      return { x: isLeft ? x - wide : x, y: each.y - size, width: wide, height: LINE_PX };
    });
    const isTaken = (by: number): boolean =>
      grounds.some((g) => taken.some((other) => doOverlap(lowered(g, by), other)));
    const isInside = (by: number): boolean => first + by >= top && first + by + tall <= top + height;
    const step = isAbove ? -LINE_PX : LINE_PX;
    let by = 0;
    while (isTaken(by) && isInside(by + step)) by += step;
    const moved = grounds.map((ground) => lowered(ground, by));
    taken.push(...moved);
    const ground = { kind: "rect", colour: look.background, opacity: GROUND_OPACITY } as const;
    return [...moved.map((each) => ({ ...ground, ...each })), ...words.map((each) => lowered(each, by))];
  };
  const thresholds = given.thresholds.flatMap((threshold) => {
    const y = yOf(box, threshold.value);
    if (!(y >= top && y <= top + height)) return [];
    const right = left + width;
    const isAbove = y > top + height / 2;
    return [
      line([left, y, right, y]),
      ...label(thresholdWords(threshold), { x: right, y: isAbove ? y - 1 : y + 1, isLeft: true, isAbove }, width),
    ];
  });
  const notes = given.notes.flatMap(({ atMs, text: content }) => {
    if (atMs < view.startMs || atMs > view.endMs) return [];
    const x = left + ((atMs - view.startMs) / (view.endMs - view.startMs)) * width;
    const isLeft = x > left + width / 2;
    const place = { x: isLeft ? x - 1 : x + 1, y: top + 1, isLeft, isAbove: false };
    return [line([x, top, x, top + height]), ...label(content, place, Math.max(x - left, left + width - x) - 1)];
  });
  // No ground covers the words of another annotation.
  return [...thresholds, ...notes].toSorted((a, b) => Number(a.kind === "text") - Number(b.kind === "text"));
}
