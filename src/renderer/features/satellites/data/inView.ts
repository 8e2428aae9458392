import type { TimeRange } from "#shared/time/range.ts";
import { CONSTELLATIONS } from "../constellations.ts";
import { passes, type Sky, type SkyFilter, constellationPlace } from "./sky.ts";
import { PIECE, type NoWrapParts } from "./slices.ts";

export const KINDS = CONSTELLATIONS.length;

/** How many satellites of each constellation each epoch has, at `epoch * KINDS + constellation`. */
export function* viewCounts(sky: Sky, filter: SkyFilter): NoWrapParts<Uint16Array> {
  const counts = new Uint16Array(sky.timesMs.length * KINDS);
  for (let epoch = 0; epoch < sky.timesMs.length; epoch++) {
    if (epoch % (PIECE / 32) === 0) yield;
    for (let i = sky.offsets[epoch]!; i < sky.offsets[epoch + 1]!; i++)
      if (passes(sky, filter, i)) counts[epoch * KINDS + constellationPlace(sky, i)]!++;
  }
  return counts;
}

/** Satellites in view in equal columns of time. */
export interface ViewColumns {
  /** Epochs that each column has; 0: nothing was observed. */
  readonly epochs: Uint32Array;
  /** Mean over those epochs, at `constellation * columns + column`. */
  readonly mean: Float32Array;
  /** Most satellites that any column has. */
  readonly most: number;
}

/** Each epoch stands until a step after it, or until the next: a longer absence leaves its columns empty. */
export function viewColumns(sky: Sky, counts: Uint16Array, range: TimeRange, columns: number): ViewColumns {
  const epochs = new Uint32Array(columns);
  const mean = new Float32Array(KINDS * columns);
  const perMs = columns / (range.endMs - range.startMs);
  for (let epoch = 0; epoch < sky.timesMs.length; epoch++) {
    // A row without any satellite tells nothing about the sky: it is not a count of none.
    if (sky.offsets[epoch] === sky.offsets[epoch + 1]) continue;
    const fromMs = sky.timesMs[epoch]!;
    const untilMs = Math.min(fromMs + sky.stepMs, sky.timesMs[epoch + 1] ?? Number.POSITIVE_INFINITY);
    const first = Math.max(0, Math.floor((fromMs - range.startMs) * perMs));
    // At least the column that it falls into; none of those that it only touches at its end.
    const last = Math.min(columns - 1, Math.max(first, Math.ceil((untilMs - range.startMs) * perMs) - 1));
    for (let column = first; column <= last; column++) {
      epochs[column]!++;
      for (let kind = 0; kind < KINDS; kind++) mean[kind * columns + column]! += counts[epoch * KINDS + kind]!;
    }
  }
  let most = 0;
  for (let column = 0; column < columns; column++) {
    if (epochs[column] === 0) continue;
    let total = 0;
    for (let kind = 0; kind < KINDS; kind++)
      total += mean[kind * columns + column] = mean[kind * columns + column]! / epochs[column]!;
    most = Math.max(most, total);
  }
  return { epochs, mean, most };
}
