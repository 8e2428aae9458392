import type { PlotTheme } from "#shared/plot/theme.ts";
import { pageTheme } from "../../../plot/theme.ts";
import { CONSTELLATIONS } from "../constellations.ts";

/** The scale of C/N0 is the same in all figures, so that they can be compared. Values beyond its ends get the end colour. */
export const SCALE_LOW_DB_HZ = 25;
export const SCALE_HIGH_DB_HZ = 55;
export const SCALE_TICKS_DB_HZ: readonly number[] = [25, 35, 45, 55];

/** Returns the colour of a value on the scale of C/N0; null for NaN. */
export function scaleColour(dbHz: number, { scale }: Pick<FigureTheme, "scale">): string | null {
  const share = (dbHz - SCALE_LOW_DB_HZ) / (SCALE_HIGH_DB_HZ - SCALE_LOW_DB_HZ);
  return scale[Math.max(0, Math.min(scale.length - 1, Math.floor(share * scale.length)))] ?? null;
}

/** Colours and fonts of figures, resolved once, not in every frame. */
export interface FigureTheme {
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly strong: string;
  readonly surface: string;
  readonly shade: string;
  /** Fonts of texts and headings. */
  readonly font: string;
  readonly bold: string;
  /** By index into `CONSTELLATIONS`. */
  readonly constellations: readonly string[];
  /** Colours of groups other than constellations. */
  readonly series: readonly string[];
  /** Colours of the sequential scale from low to high. */
  readonly scale: readonly string[];
  readonly hatch: CanvasPattern | string;
}

/** Pixels from the left and from the top of a figure. */
export interface FigurePoint {
  readonly x: number;
  readonly y: number;
}

/** A canvas, and the colours and fonts to draw with. */
export interface Pen {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: FigureTheme;
}

/** In CSS pixels. */
export interface FigureSize {
  readonly width: number;
  readonly height: number;
}

/** The whole of a figure, to draw on. */
export interface Paper extends Pen, FigureSize {}

const SCALE_TOKENS = ["--scale-1", "--scale-2", "--scale-3", "--scale-4", "--scale-5", "--scale-6"];
const SCALE_STEPS = 64;
const HATCH_PX = 6;

export function figureTheme({ colour, fontFamily }: PlotTheme = pageTheme()): FigureTheme {
  const size = colour("--size-tiny");
  return {
    text: colour("--text"),
    quiet: colour("--text-2"),
    line: colour("--line"),
    strong: colour("--line-strong"),
    surface: colour("--surface"),
    shade: colour("--surface-3"),
    font: `${size} ${fontFamily}`,
    bold: `600 ${size} ${fontFamily}`,
    constellations: CONSTELLATIONS.map((c) => colour(c.colour)),
    series: Array.from({ length: 8 }, (_, i) => colour(`--series-${i + 1}`)),
    scale: ramp(SCALE_TOKENS.map(colour), SCALE_STEPS),
    hatch: hatchOf(colour("--text-3")),
  };
}

/** Interpolates colours in RGB. @param stops as `#rrggbb` */
function ramp(stops: readonly string[], steps: number): string[] {
  return Array.from({ length: steps }, (_, i) => {
    const position = (i / (steps - 1)) * (stops.length - 1);
    const index = Math.min(stops.length - 2, Math.floor(position));
    const [low = "", high = ""] = stops.slice(index, index + 2);
    const mixed = [1, 3, 5].map((at) => {
      const from = channelOf(low, at);
      return Math.round(from + (channelOf(high, at) - from) * (position - index));
    });
    return `rgb(${mixed.join(" ")})`;
  });
}

function channelOf(hex: string, at: number): number {
  return Number.parseInt(hex.slice(at, at + 2), 16);
}

function hatchOf(colour: string): CanvasPattern | string {
  const tile = document.createElement("canvas");
  tile.width = tile.height = HATCH_PX;
  const ctx = tile.getContext("2d");
  if (!ctx) return colour;
  ctx.strokeStyle = colour;
  ctx.globalAlpha = 0.45;
  ctx.beginPath();
  for (const shift of [-HATCH_PX, 0, HATCH_PX]) {
    ctx.moveTo(shift, HATCH_PX);
    ctx.lineTo(shift + HATCH_PX, 0);
  }
  ctx.stroke();
  return ctx.createPattern(tile, "repeat") ?? colour;
}
