import { z } from "zod";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { ramp } from "../../map/oklab.ts";
import { aroundZero, SCALE_STEPS, scaleDomain } from "../../map/painting.ts";
import type { Frame } from "./frames.ts";
import { choicesFrom } from "../../ui/choices.tsx";

/** Fewest stations for a regression line. */
const MIN_STATIONS = 5;

/**
 * Returns the residuals of a least-squares regression of values against height: the part that station height does not
 * explain. NaN where a value or height is unknown, and for all stations if fewer than five have both or all have the
 * same height.
 *
 * @param heights metres
 */
export function heightResiduals(values: Float64Array, heights: Float64Array): Float64Array {
  const stations = Array.from(values, (value, i) => ({ value, height: heights[i] ?? Number.NaN }));
  const used = stations.filter(({ value, height }) => Number.isFinite(value) && Number.isFinite(height));
  const meanHeight = mean(used.map(({ height }) => height));
  const meanValue = mean(used.map(({ value }) => value));
  let [covariance, variance] = [0, 0];
  for (const { value, height } of used) {
    covariance += (height - meanHeight) * (value - meanValue);
    variance += (height - meanHeight) ** 2;
  }
  if (used.length < MIN_STATIONS || variance === 0) return values.map(() => Number.NaN);
  const slope = covariance / variance;
  return Float64Array.from(stations, ({ value, height }) => {
    const residual = value - meanValue - slope * (height - meanHeight);
    return Number.isFinite(residual) ? residual : Number.NaN;
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** ZTD reduced for station height, computed locally. */
export const REDUCED = "ztd-reduced";
/** Quantities with a colour scale. */
export type Quantity = ScalarVariable | typeof REDUCED;

export const COLOUR_MAPS = choicesFrom({ standard: "Yellow to blue", viridis: "Viridis", diverging: "Blue to red" });
type ColourMap = (typeof COLOUR_MAPS)[number]["value"];

/** Colour tokens from low to high. */
const COLOUR_STOPS: Readonly<Record<ColourMap, readonly string[]>> = {
  standard: ["--ramp-low", "--ramp-middle", "--ramp-high"],
  viridis: ["--scale-1", "--scale-2", "--scale-3", "--scale-4", "--scale-5", "--scale-6"],
  diverging: ["--diverging-low", "--diverging-middle", "--diverging-high"],
};

const NO_LOOK = { low: null, high: null, map: null, isReversed: false };

/** The user's colour scale of a quantity. */
export const lookSchema = z
  .object({
    /** null: determined from the values of the stations over the time range. */
    low: z.number().nullable().catch(null),
    high: z.number().nullable().catch(null),
    /** null: the one of the quantity. */
    map: z
      .enum(COLOUR_MAPS.map(({ value }) => value))
      .nullable()
      .catch(null),
    isReversed: z.boolean().catch(false),
  })
  .catch(NO_LOOK);

export type ScaleLook = ReturnType<typeof mapLook>;

export function mapLook(kept: z.output<typeof lookSchema> | null | undefined, quantity: Quantity) {
  const look = kept ?? NO_LOOK;
  return { ...look, map: look.map ?? (quantity === REDUCED ? "diverging" : "standard") };
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
    note: "Computed locally: ZTD minus a least-squares line of ZTD against the ellipsoidal height of all stations at this moment.",
  };
}

/** Returns the values of the stations in a frame, in their order; NaN if missing. */
export function stationValues(
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

/** The ends of a scale are multiples of it. */
export function roundingOf(quantity: Quantity): number {
  return quantity === REDUCED ? 1 : (variableInfo(quantity).map?.roundTo ?? 1);
}

/** Returns round ends of a scale, symmetric around zero for anomalies; null if there are no values. */
export function endsOf(quantity: Quantity, values: Float64Array): readonly [number, number] | null {
  const ends = scaleDomain(values, roundingOf(quantity), null);
  return ends && quantity === REDUCED ? aroundZero(ends) : ends;
}

/** Returns the colours of a scale from low to high. */
export function rampOf(
  theme: PlotTheme,
  steps = SCALE_STEPS,
  look: Pick<ScaleLook, "map" | "isReversed"> | null = null,
): string[] {
  const stops = COLOUR_STOPS[look?.map ?? "standard"].map((token) => theme.colour(token));
  const colours = ramp(stops, steps);
  return look?.isReversed ? colours.toReversed() : colours;
}
