import { defined } from "#shared/defined.ts";
import type { GapCause } from "#shared/series/gap.ts";

// A picture as plain data, in units from the upper left corner: what writes it as SVG and what paints it on a
// canvas say the same.

export interface TextShape {
  readonly kind: "text";
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  readonly text: string;
  readonly size: number;
  readonly weight: number;
  readonly anchor: "start" | "middle" | "end";
  readonly colour: string;
}

export interface RectShape {
  readonly kind: "rect";
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly colour: string;
  readonly opacity: number;
}

export interface HatchShape {
  readonly kind: "hatch";
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly cause: GapCause;
  readonly opacity: number;
}

/** x and y of each point in turn; a NaN lifts the pen. */
export interface LineShape {
  readonly kind: "line";
  readonly points: readonly number[];
  readonly colour: string;
  readonly width: number;
  readonly dash: readonly number[];
}

/** As a line, each piece closed and filled. */
export interface AreaShape {
  readonly kind: "area";
  readonly points: readonly number[];
  readonly colour: string;
  readonly opacity: number;
}

export interface ClipShape {
  readonly kind: "clip";
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

/**
 * What only a canvas can paint, such as a map: pixels in every file. `paint` draws it from the upper left corner on the
 * context of a canvas, a type that only the window has.
 */
export interface ImageShape {
  readonly kind: "image";
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  paint(canvas: object, width: number, height: number): void;
}

export type Shape = TextShape | RectShape | HatchShape | LineShape | AreaShape | ClipShape | ImageShape;

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  readonly fontFamily: string;
  readonly shapes: readonly Shape[];
  /** Said to readers of the screen, and by SVG viewers. */
  readonly title: string;
  readonly colourOf: (token: string) => string;
}

/** The pieces between the lifts of the pen, as x and y in turn. */
export function pieces(points: readonly number[]): number[][] {
  const found: number[][] = [[]];
  for (let i = 0; i + 1 < points.length; i += 2) {
    if (Number.isNaN(points[i]!) || Number.isNaN(points[i + 1]!)) found.push([]);
    else defined(found.at(-1)).push(points[i]!, points[i + 1]!);
  }
  return found.filter((piece) => piece.length > 0);
}

/** All texts of a scene. */
export function textsOf(shapes: readonly Shape[]): string[] {
  return shapes.flatMap((shape) =>
    shape.kind === "text" ? [shape.text] : shape.kind === "clip" ? textsOf(shape.shapes) : [],
  );
}
