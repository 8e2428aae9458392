import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { heightResiduals } from "../../map/heightResiduals.ts";
import { ramp } from "../../map/oklab.ts";
import { SCALE_STEPS } from "../../map/painting.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { Frame } from "./frames.ts";

/** ZTD without the part that heights explain, derived here. */
export const REDUCED = "ztd-reduced";
/** What is coloured by a scale of values. */
export type Quantity = ScalarVariable | typeof REDUCED;

export const COLOUR_MAPS = [
  { value: "standard", label: "Yellow to blue" },
  { value: "viridis", label: "Viridis" },
  { value: "diverging", label: "Blue to red" },
] as const;
export type ColourMap = (typeof COLOUR_MAPS)[number]["value"];

/** How the values of a quantity become colours, as the user wants it. */
export interface ScaleLook {
  /** null: of the stations' values over the time range. */
  readonly low: number | null;
  readonly high: number | null;
  readonly map: ColourMap;
  readonly isReversed: boolean;
}

export function defaultLook(quantity: Quantity): ScaleLook {
  return { low: null, high: null, map: quantity === REDUCED ? "diverging" : "standard", isReversed: false };
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function readLook(kept: unknown, quantity: Quantity): ScaleLook {
  const from = (typeof kept === "object" && kept !== null ? kept : {}) as Partial<Record<keyof ScaleLook, unknown>>;
  return {
    low: number(from.low),
    high: number(from.high),
    map: COLOUR_MAPS.find((m) => m.value === from.map)?.value ?? defaultLook(quantity).map,
    isReversed: from.isReversed === true,
  };
}

export function quantityWords(quantity: Quantity): {
  readonly title: string;
  readonly unit: string;
  readonly note: string | null;
} {
  if (quantity !== REDUCED) {
    const { short, unit, map } = variableInfo(quantity);
    return { title: `${short}, ${unit}`, unit, note: map?.note ?? null };
  }
  return {
    title: "ZTD anomaly, reduced for height, mm",
    unit: "mm",
    note: "Derived here: ZTD minus a least-squares line of ZTD against the ellipsoidal height of all stations at this moment.",
  };
}

/** Values of the stations at the moment of a frame, in their order; NaN where there are none. */
export function valuesOf(
  quantity: Quantity,
  stations: readonly Pick<CatalogueStation, "id" | "ellipsoidalHeight">[],
  frame: Frame | null,
): Float64Array {
  const variable = quantity === REDUCED ? "ztd" : quantity;
  const values = Float64Array.from(stations, (s) => frame?.read(s.id, variable)?.value ?? Number.NaN);
  if (quantity !== REDUCED) return values;
  return heightResiduals(
    values,
    Float64Array.from(stations, (s) => s.ellipsoidalHeight ?? Number.NaN),
  );
}

const LOW_SHARE = 0.02;
const HIGH_SHARE = 0.98;

/**
 * Round ends of a scale by the 2nd and 98th percentile of values; those of an anomaly lie around zero. null where there
 * are no values.
 */
export function endsOf(quantity: Quantity, values: readonly number[]): readonly [number, number] | null {
  const sorted = values.filter((v) => Number.isFinite(v)).toSorted((a, b) => a - b);
  if (sorted.length === 0) return null;
  const step = quantity === REDUCED ? 1 : (variableInfo(quantity).map?.roundTo ?? 1);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const low = Math.floor(at(LOW_SHARE) / step) * step;
  const high = Math.ceil(at(HIGH_SHARE) / step) * step;
  if (quantity === REDUCED) {
    const most = Math.max(Math.abs(low), Math.abs(high), step);
    return [-most, most];
  }
  return high > low ? [low, high] : [low, low + step];
}

/** The colours of a scale from its low to its high end. */
export function rampOf(
  theme: PlotTheme,
  steps = SCALE_STEPS,
  look: Pick<ScaleLook, "map" | "isReversed"> | null = null,
): string[] {
  const own = (tokens: readonly string[]): string[] => tokens.map((token) => theme.colour(token));
  const stops = {
    standard: own(["--ramp-low", "--ramp-middle", "--ramp-high"]),
    viridis: own(["--scale-1", "--scale-2", "--scale-3", "--scale-4", "--scale-5", "--scale-6"]),
    diverging: own(["--diverging-low", "--diverging-middle", "--diverging-high"]),
  }[look?.map ?? "standard"];
  const colours = ramp(stops, steps);
  return look?.isReversed ? colours.toReversed() : colours;
}
