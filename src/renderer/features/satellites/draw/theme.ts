import type { PlotTheme } from "#shared/plot/theme.ts";
import { pageTheme } from "../../../plot/theme.ts";
import { CONSTELLATIONS } from "../constellations.ts";

/** The scale of C/N0 is the same in every figure, so that pictures can be compared. Values beyond take the last colour. */
export const SCALE_LOW_DB_HZ = 25;
export const SCALE_HIGH_DB_HZ = 55;
export const SCALE_TICKS_DB_HZ: readonly number[] = [25, 35, 45, 55];

/** The place of a value among so many colours; -1 of no value. */
export function scaleIndex(dbHz: number, colours: number): number {
  if (Number.isNaN(dbHz)) return -1;
  const share = (dbHz - SCALE_LOW_DB_HZ) / (SCALE_HIGH_DB_HZ - SCALE_LOW_DB_HZ);
  return Math.max(0, Math.min(colours - 1, Math.floor(share * colours)));
}

/** Everything that a figure is painted with, resolved once so that no frame has to. */
export interface FigureTheme {
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly strong: string;
  readonly surface: string;
  readonly shade: string;
  /** Of texts in figures, and of its headings. */
  readonly font: string;
  readonly bold: string;
  /** By place in `CONSTELLATIONS`. */
  readonly constellations: readonly string[];
  /** By number, for groups that are no constellations. */
  readonly series: readonly string[];
  /** From the lowest to the highest value of a sequential scale. */
  readonly scale: readonly string[];
  readonly hatch: CanvasPattern | string;
}

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

/** So many colours on the way through the given ones, all of them `#rrggbb`. */
export function ramp(stops: readonly string[], steps: number): string[] {
  const channels = stops.map((hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)));
  return Array.from({ length: steps }, (_, i) => {
    const at = (i / (steps - 1)) * (stops.length - 1);
    const low = Math.min(stops.length - 2, Math.floor(at));
    const mixed = [0, 1, 2].map((c) =>
      Math.round(channels[low]![c]! + (channels[low + 1]![c]! - channels[low]![c]!) * (at - low)),
    );
    return `rgb(${mixed.join(" ")})`;
  });
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
