import { blockOfTexts, type SatelliteBlock } from "#shared/series/satelliteBlock.ts";
import { appendMoments, emptyRuns, type Runs } from "#shared/time/runs.ts";
import { FormatFailure } from "./error.ts";
import type { SeriesFileSource } from "./source.ts";

/** Satellite variables of one station, as numbers where the source has them so. */
export function* satelliteBlocks(source: SeriesFileSource, station: number): IterableIterator<SatelliteBlock> {
  if (source.satellites) yield* guarded(() => source.satellites!(station));
  else for (const rows of guarded(() => source.blocks(station))) yield blockOfTexts(rows);
}

/** Times of one station, block by block, each in ascending order. */
export function* timesOf(source: SeriesFileSource, station: number): IterableIterator<Runs> {
  if (source.times) yield* source.times(station);
  else {
    for (const { timesMs } of source.blocks(station)) {
      const runs = emptyRuns();
      if (!appendMoments(runs, timesMs)) throw outOfOrder();
      yield runs;
    }
  }
}

/** Goes through an iterable; what it throws is told as a fault of the source, and leaving early closes it. */
export function* guarded<T>(make: () => Iterable<T>): IterableIterator<T> {
  const iterator = asking(() => make()[Symbol.iterator]());
  let running = false;
  try {
    while (true) {
      const step = asking(() => iterator.next());
      running = !step.done;
      if (step.done) return;
      yield step.value;
    }
  } finally {
    if (running) iterator.return?.();
  }
}

function asking<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof FormatFailure) throw thrown;
    throw new FormatFailure("source", "The rows for the file could not be read.", thrown);
  }
}

export function outOfOrder(): FormatFailure {
  return new FormatFailure("source", "The rows for the file are not in time order, so it was not written.");
}

/** The rows differ from those of the first reading, so that sizes and axis no longer fit. */
export function sourceChanged(): FormatFailure {
  return new FormatFailure("source", "The rows changed while the file was written. Please export again.");
}
