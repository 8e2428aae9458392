import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { VariableColumns } from "#shared/series/rows.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** One variable of one station, as far as it is here: all its rows, or equal columns of time that stand for them. */
export type Track = {
  readonly range: TimeRange;
  /** Milliseconds between two values where none is missing. */
  readonly stepMs: number;
} & (
  | {
      readonly kind: "rows";
      /** Strictly ascending. */
      readonly timesMs: Float64Array;
      /** NaN where a row has no value. */
      readonly values: Float64Array;
      /** Standard deviations of the values, where they are to be drawn. */
      readonly sigma: Float64Array | null;
    }
  | { readonly kind: "columns"; readonly data: VariableColumns; readonly sigma: Float64Array | null }
);

/** How many distances between values tell the step. */
const SAMPLES = 400;

/**
 * A variable of a window, with a second one as the deviation around it; null where the window does not have it.
 *
 * @param stepSeconds as the core tells it; null while it has not: then it is guessed
 */
export function trackOf(
  window: SeriesWindow,
  variable: Variable,
  sigmaOf: Variable | null,
  stepSeconds: number | null,
): Track | null {
  const { range } = window;
  if (window.kind === "rows") {
    const values = window.values[variable];
    if (!values) return null;
    const sigma = (sigmaOf && window.values[sigmaOf]) ?? null;
    const stepMs = stepSeconds === null ? guessStepMs(window.timesMs, values, variable) : stepSeconds * 1000;
    return { kind: "rows", range, timesMs: window.timesMs, values, sigma, stepMs };
  }
  const data = window.variables[variable];
  if (!data) return null;
  const sigma = (sigmaOf && window.variables[sigmaOf]?.mean) ?? null;
  return {
    kind: "columns",
    range,
    data,
    sigma,
    stepMs: (stepSeconds ?? variableInfo(variable).standardSeconds) * 1000,
  };
}

/** Whether a track has no value at all. */
export function isBlank(track: Track): boolean {
  return track.kind === "rows"
    ? track.values.every((value) => Number.isNaN(value))
    : track.data.count.every((n) => n === 0);
}

/** The step that most neighbours have: a lower quartile, which neither gaps nor a late row move. */
export function guessStepMs(timesMs: Float64Array, values: Float64Array, variable: Variable): number {
  const distances: number[] = [];
  let lastMs = Number.NaN;
  for (let i = 0; i < timesMs.length && distances.length < SAMPLES; i++) {
    if (Number.isNaN(values[i]!)) continue;
    if (!Number.isNaN(lastMs)) distances.push(timesMs[i]! - lastMs);
    lastMs = timesMs[i]!;
  }
  if (distances.length === 0) return variableInfo(variable).standardSeconds * 1000;
  distances.sort((a, b) => a - b);
  return distances[distances.length >> 2]!;
}
