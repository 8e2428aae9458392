import type { PlotTheme } from "../theme.ts";
import { type FigurePage, type LegendEntry, legendShapes, paragraph } from "./page.ts";
import type { Scene, Shape, VectorShape } from "./scene.ts";

/** One of the drawings of a figure, which are stacked vertically. */
export interface SheetPart<S = Shape> {
  readonly title?: string;
  /** Explanation below the title. */
  readonly note?: string;
  /** Natural height for a width. */
  readonly height: (width: number) => number;
  readonly draw: (width: number, height: number, theme: PlotTheme) => readonly S[];
}

interface SheetContent<S> {
  readonly title: string;
  /** Such as time range or station. */
  readonly subtitle: string;
  readonly legend: readonly LegendEntry[];
  readonly parts: readonly SheetPart<S>[];
  /** Sentences below the drawings. */
  readonly notes: readonly string[];
}

export const MARGIN = 12;
const MIN_PART_HEIGHT = 80;
const PART_GAP = 16;

/** Composes title, legend, drawings and notes. Drawings are stretched equally to the requested height. */
export function composeSheet<S extends Shape>(content: SheetContent<S>, page: FigurePage): Scene<S | VectorShape> {
  const natural = laidOut(content, page, 0);
  if (page.height === null || content.parts.length === 0) return natural;
  const scene = laidOut(content, page, (page.height - natural.height) / content.parts.length);
  return { ...scene, height: Math.max(scene.height, page.height) };
}

function laidOut<S extends Shape>(content: SheetContent<S>, page: FigurePage, extra: number): Scene<S | VectorShape> {
  const { theme } = page;
  const ink = theme.colour("--text");
  const quiet = theme.colour("--text-2");
  const inner = page.width - 2 * MARGIN;
  const shapes: (S | VectorShape)[] = [];
  let y = MARGIN + 10;
  const add = (part: { readonly shapes: readonly VectorShape[]; readonly bottom: number }): void => {
    shapes.push(...part.shapes);
    y = part.bottom;
  };
  const legend = (): void => {
    const place = { left: MARGIN, right: page.width - MARGIN, y };
    if (content.legend.length > 0) add(legendShapes(content.legend, place, ink));
  };
  if (page.hasTitle) {
    add(paragraph({ x: MARGIN, y: y + 2, width: inner }, content.title, ink, { size: 15, weight: 600 }));
    add(paragraph({ x: MARGIN, y, width: inner }, content.subtitle, quiet));
    y += 4;
  }
  if (page.legend === "top") legend();
  for (const part of content.parts) {
    if (part.title !== undefined) add(paragraph({ x: MARGIN, y, width: inner }, part.title, ink, { weight: 600 }));
    if (part.note !== undefined) add(paragraph({ x: MARGIN, y, width: inner }, part.note, quiet));
    const height = Math.max(MIN_PART_HEIGHT, part.height(inner) + extra);
    const top = y - 10;
    shapes.push(...part.draw(inner, height, theme).map((shape) => moved(shape, MARGIN, top)));
    y = top + height + PART_GAP;
  }
  if (page.legend === "bottom") legend();
  for (const note of content.notes) add(paragraph({ x: MARGIN, y, width: inner }, note, quiet, { size: 10 }));
  if (page.source !== null) add(paragraph({ x: MARGIN, y, width: inner }, page.source, quiet, { size: 10 }));
  return {
    width: page.width,
    height: y,
    background: theme.colour("--surface"),
    fontFamily: theme.fontFamily,
    title: `${content.title}, ${content.subtitle}`,
    shapes,
  };
}

/** Returns a shifted shape. */
export function moved<S extends Shape>(shape: S, dx: number, dy: number): S {
  switch (shape.kind) {
    case "line":
    case "area":
      return { ...shape, points: shape.points.map((value, i) => value + (i % 2 === 0 ? dx : dy)) };
    case "clip":
      return {
        ...shape,
        x: shape.x + dx,
        y: shape.y + dy,
        shapes: shape.shapes.map((inner) => moved(inner, dx, dy)),
        isStill: false,
      };
    default:
      return { ...shape, x: shape.x + dx, y: shape.y + dy };
  }
}
