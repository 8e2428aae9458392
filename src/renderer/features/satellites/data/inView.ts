import type { TimeRange } from "#shared/time/range.ts";
import { CONSTELLATIONS } from "../constellations.ts";
import { passes, type Sky, type SkyFilter, constellationIndex } from "./sky.ts";
import { ENTRIES_PER_SLICE, type SlicedWork } from "./slices.ts";

export const KINDS = CONSTELLATIONS.length;

/** Counts the satellites of each constellation at each epoch, at `epoch * KINDS + constellation`. */
export function* countInView(sky: Sky, filter: SkyFilter): SlicedWork<Uint16Array> {
  const counts = new Uint16Array(sky.timesMs.length * KINDS);
  for (let epoch = 0; epoch < sky.timesMs.length; epoch++) {
    if (epoch % (ENTRIES_PER_SLICE / 32) === 0) yield;
    for (let i = sky.offsets[epoch]!; i < sky.offsets[epoch + 1]!; i++)
      if (passes(sky, filter, i)) counts[epoch * KINDS + constellationIndex(sky, i)]!++;
  }
  return counts;
}

/** Satellites in view in equally wide columns of time. */
export interface ViewColumns {
  /** Number of epochs in each column; 0: no observation. */
  readonly epochs: Uint32Array;
  /** Mean over those epochs, at `constellation * columns + column`. */
  readonly mean: Float32Array;
  /** Largest number of satellites in a column. */
  readonly max: number;
}

/** Averages counts in columns. An epoch lasts for one step, or until the next epoch; columns in longer gaps stay empty. */
export function viewColumns(sky: Sky, counts: Uint16Array, range: TimeRange, columns: number): ViewColumns {
  const epochs = new Uint32Array(columns);
  const mean = new Float32Array(KINDS * columns);
  const perMs = columns / (range.endMs - range.startMs);
  for (const [epoch, fromMs] of sky.timesMs.entries()) {
    // A row without satellites is not a count of zero.
    if (sky.offsets[epoch] === sky.offsets[epoch + 1]) continue;
    const untilMs = Math.min(fromMs + sky.stepMs, sky.timesMs[epoch + 1] ?? Number.POSITIVE_INFINITY);
    const first = Math.max(0, Math.floor((fromMs - range.startMs) * perMs));
    // At least the column of the epoch, and not a column that it only touches at its end.
    const last = Math.min(columns - 1, Math.max(first, Math.ceil((untilMs - range.startMs) * perMs) - 1));
    for (let column = first; column <= last; column++) {
      epochs[column]!++;
      for (let kind = 0; kind < KINDS; kind++) mean[kind * columns + column]! += counts[epoch * KINDS + kind]!;
    }
  }
  let max = 0;
  for (let column = 0; column < columns; column++) {
    if (epochs[column] === 0) continue;
    let total = 0;
    for (let kind = 0; kind < KINDS; kind++)
      total += mean[kind * columns + column] = mean[kind * columns + column]! / epochs[column]!;
    max = Math.max(max, total);
  }
  return { epochs, mean, max };
}
