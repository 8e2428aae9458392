import type { GapCause } from "#shared/series/gap.ts";

// A drawing as plain data, in units from the upper left corner, to be written as SVG or painted on a canvas.

export interface TextShape {
  readonly kind: "text";
  readonly x: number;
  /** Baseline. */
  readonly y: number;
  readonly text: string;
  readonly size: number;
  readonly weight: number;
  readonly anchor: "start" | "middle" | "end";
  readonly colour: string;
}

/** `x` and `y` are those of the upper left corner. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface RectShape extends Rect {
  readonly kind: "rect";
  readonly colour: string;
  readonly opacity: number;
}

export interface HatchShape extends Rect {
  readonly kind: "hatch";
  readonly cause: GapCause;
  readonly colour: string;
  readonly opacity: number;
}

/** Alternating x and y; NaN separates sections. */
type Points = readonly number[] | Float64Array;

/** A polyline, which NaN interrupts. */
export interface LineShape {
  readonly kind: "line";
  readonly points: Points;
  readonly colour: string;
  readonly width: number;
  readonly dash: readonly number[];
}

/** Filled polygons. */
export interface AreaShape {
  readonly kind: "area";
  readonly points: Points;
  readonly colour: string;
  readonly opacity: number;
}

interface Clip<Inner> extends Rect {
  readonly kind: "clip";
  readonly shapes: readonly Inner[];
  /** Whether a canvas may keep a picture of `shapes` for as long as they are the same object. */
  readonly isStill?: boolean;
}

/**
 * Content that only a canvas can paint, such as a map; a bitmap in files. `paint` draws it from the upper left corner on
 * the context of a canvas (of type `object` here, because only the window knows that type).
 */
export interface ImageShape extends Rect {
  readonly kind: "image";
  paint(canvas: object, width: number, height: number): void;
}

/** An image as a PNG file, as the window passes it to the core. */
interface BitmapShape extends Rect {
  readonly kind: "bitmap";
  readonly png: Uint8Array;
}

type PlainShape = TextShape | RectShape | HatchShape | LineShape | AreaShape;
/** A shape that a canvas paints and the core writes. */
export type VectorShape = PlainShape | Clip<VectorShape>;
/** A shape that a canvas paints. */
export type Shape = PlainShape | Clip<Shape> | ImageShape;
/** A shape that the core writes. */
export type FileShape = PlainShape | Clip<FileShape> | BitmapShape;

/** @template S the kinds of its shapes */
export interface Scene<S = Shape> {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  readonly fontFamily: string;
  readonly shapes: readonly S[];
  /** For screen readers and SVG viewers. */
  readonly title: string;
}

type Point = readonly [x: number, y: number];
type Section = [Point, ...Point[]];

/** Splits alternating x and y at NaN into sections of points. */
export function sections(points: Points): Section[] {
  const found: Section[] = [];
  let section: Section | null = null;
  for (let i = 0; i + 1 < points.length; i += 2) {
    const point: Point = [points[i]!, points[i + 1]!];
    if (point.some(Number.isNaN)) section = null;
    else if (section) section.push(point);
    else found.push((section = [point]));
  }
  return found;
}

export function sceneTexts(shapes: readonly (Shape | FileShape)[]): string[] {
  return shapes.flatMap((shape) =>
    shape.kind === "text" ? [shape.text] : shape.kind === "clip" ? sceneTexts(shape.shapes) : [],
  );
}
