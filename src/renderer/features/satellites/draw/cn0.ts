import { BAR_PX, colourBar } from "#shared/plot/figure/colourBar.ts";
import type { VectorShape } from "#shared/plot/figure/scene.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { ramp } from "../../../map/oklab.ts";

// The scale of C/N0 is the same in all figures, so that they can be compared. Values beyond its ends get the end colour.
const LOW_DB_HZ = 25;
const HIGH_DB_HZ = 55;
const TICKS_DB_HZ = [25, 35, 45, 55];
const TOKENS = ["--scale-1", "--scale-2", "--scale-3", "--scale-4", "--scale-5", "--scale-6"];
const STEPS = 64;
/** Width of the scale with its labels. */
export const SCALE_PX = BAR_PX + 40;

/** Kept, because a playing sky needs them in every frame. */
const known = new WeakMap<PlotTheme, string[]>();

function coloursOf(theme: PlotTheme): string[] {
  const colours = known.get(theme) ?? ramp(TOKENS.map(theme.colour), STEPS);
  known.set(theme, colours);
  return colours;
}

/** Returns the colour of a value on the scale of C/N0; null for NaN. */
export function cn0Colour(dbHz: number, theme: PlotTheme): string | null {
  const share = (dbHz - LOW_DB_HZ) / (HIGH_DB_HZ - LOW_DB_HZ);
  return coloursOf(theme)[Math.max(0, Math.min(STEPS - 1, Math.floor(share * STEPS)))] ?? null;
}

/** The scale of C/N0 as a vertical bar. */
export function cn0Scale(
  place: { readonly x: number; readonly y: number; readonly length: number },
  theme: PlotTheme,
): VectorShape[] {
  const labels = TICKS_DB_HZ.map((dbHz) => {
    const sign = dbHz === LOW_DB_HZ ? "≤ " : dbHz === HIGH_DB_HZ ? "≥ " : "";
    return [(dbHz - LOW_DB_HZ) / (HIGH_DB_HZ - LOW_DB_HZ), `${sign}${dbHz}`] as const;
  });
  const quiet = theme.colour("--text-2");
  return colourBar(
    { ...place, direction: "up" },
    { colours: coloursOf(theme), labels, title: "dB-Hz" },
    { label: quiet, title: quiet },
  );
}
