import type { VectorShape } from "./scene.ts";

/** The shape of a symbol, so that classes differ not only in colour. */
export type SymbolKind = "circle" | "triangle" | "square" | "diamond" | "cross" | "down";

/** Degrees between the points of an arc. */
const ARC_STEP = 5;

/** Corners of the symbols of radius 1, alternating x and y, closed. */
const CORNERS: Readonly<Record<SymbolKind, readonly number[]>> = {
  circle: arc(0, 0, 1, [0, 360]),
  square: [-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9, -0.9, -0.9],
  triangle: [0, -1.15, 1.1, 0.85, -1.1, 0.85, 0, -1.15],
  down: [0, 1.15, 1.1, -0.85, -1.1, -0.85, 0, 1.15],
  diamond: [0, -1.3, 1.1, 0, 0, 1.3, -1.1, 0, 0, -1.3],
  cross: [
    -1, -0.4, -0.4, -0.4, -0.4, -1, 0.4, -1, 0.4, -0.4, 1, -0.4, 1, 0.4, 0.4, 0.4, 0.4, 1, -0.4, 1, -0.4, 0.4,
  ].concat([-1, 0.4, -1, -0.4]),
};

type Centre = readonly [x: number, y: number];

/** Returns the closed outline of a symbol, alternating x and y. */
export function symbolOutline(kind: SymbolKind, [x, y]: Centre, radius: number): number[] {
  return CORNERS[kind].map((corner, i) => (i % 2 === 0 ? x : y) + corner * radius);
}

/** A filled symbol. */
export function symbol(kind: SymbolKind, centre: Centre, radius: number, colour: string): VectorShape {
  return { kind: "area", points: symbolOutline(kind, centre, radius), colour, opacity: 1 };
}

/** The outline of a symbol. */
export function ring(
  kind: SymbolKind,
  centre: Centre,
  radius: number,
  { colour, width }: { readonly colour: string; readonly width: number },
): VectorShape {
  return { kind: "line", points: symbolOutline(kind, centre, radius), colour, width, dash: [] };
}

/** Returns the points of an arc, in degrees clockwise from the right, alternating x and y. */
export function arc(x: number, y: number, radius: number, [from, to]: readonly [number, number]): number[] {
  const parts = Math.max(1, Math.ceil(Math.abs(to - from) / ARC_STEP));
  return Array.from({ length: parts + 1 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / parts) * Math.PI) / 180;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  }).flat();
}
