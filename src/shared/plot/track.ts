import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import { type Cell, middleAfterTimeMs } from "#shared/series/cell.ts";
import type { VariableColumns } from "#shared/series/rows.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** Loaded data of one variable of one station: all rows of the range, or a summary in equal columns of time. */
export type Track = {
  readonly range: TimeRange;
  /** Milliseconds between two consecutive values. */
  readonly stepMs: number;
  /** What a value stands for: a mean is drawn at the middle of its interval. Absent or null: a moment. */
  readonly cell?: Cell | null;
} & (
  | {
      readonly kind: "rows";
      /** Strictly ascending. */
      readonly timesMs: Float64Array;
      /** NaN: no value. */
      readonly values: Float64Array;
      /** Standard deviations of the values, or null if no band is drawn. */
      readonly sigma: Float64Array | null;
    }
  | { readonly kind: "columns"; readonly data: VariableColumns; readonly sigma: Float64Array | null }
);

/** From the time of a value to where it is drawn, milliseconds. */
export function drawnAfterMs({ cell = null }: Track): number {
  return middleAfterTimeMs(cell);
}

/** Number of distances between values from which the step is estimated. */
const MAX_SAMPLES = 400;

/**
 * Returns a variable of a window, with a second one as its standard deviation; null if the window lacks it.
 *
 * @param stepSeconds from the core; null while unknown: then it is estimated
 * @param cell see `Track`
 */
export function trackOf(
  window: SeriesWindow,
  variable: Variable,
  sigmaOf: Variable | null,
  { stepSeconds, cell }: { readonly stepSeconds: number | null; readonly cell: Cell | null },
): Track | null {
  const { range } = window;
  if (window.kind === "rows") {
    const values = window.values[variable];
    if (!values) return null;
    const sigma = (sigmaOf && window.values[sigmaOf]) ?? null;
    const stepMs = stepSeconds === null ? estimateStepMs(window.timesMs, values, variable) : stepSeconds * 1000;
    return { kind: "rows", range, timesMs: window.timesMs, values, sigma, stepMs, cell };
  }
  const data = window.variables[variable];
  if (!data) return null;
  const sigma = (sigmaOf && window.variables[sigmaOf]?.mean) ?? null;
  return {
    kind: "columns",
    range,
    data,
    sigma,
    cell,
    stepMs: (stepSeconds ?? variableInfo(variable).standardSeconds) * 1000,
  };
}

/** Whether a track has no value. */
export function isBlank(track: Track): boolean {
  return track.kind === "rows"
    ? track.values.every((value) => Number.isNaN(value))
    : track.data.count.every((n) => n === 0);
}

/** Estimates the step as the lower quartile of distances, which is robust against gaps and single late rows. */
export function estimateStepMs(timesMs: Float64Array, values: Float64Array, variable: Variable): number {
  const distances: number[] = [];
  let lastMs = Number.NaN;
  for (const [i, timeMs] of timesMs.entries()) {
    if (distances.length === MAX_SAMPLES) break;
    if (Number.isNaN(values[i])) continue;
    if (!Number.isNaN(lastMs)) distances.push(timeMs - lastMs);
    lastMs = timeMs;
  }
  distances.sort((a, b) => a - b);
  return distances[distances.length >> 2] ?? variableInfo(variable).standardSeconds * 1000;
}
