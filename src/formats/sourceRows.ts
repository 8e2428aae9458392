import { blockOfTexts, type SatelliteBlock } from "#shared/series/satelliteBlock.ts";
import { appendMoments, emptyRuns, type Runs } from "#shared/time/runs.ts";
import { FormatFailure } from "./error.ts";
import type { SeriesFileSource } from "./source.ts";

/** Yields satellite variables of one station, as numbers if the source has them. */
export function* satelliteBlocks(source: SeriesFileSource, station: number): IterableIterator<SatelliteBlock> {
  const satellites = source.satellites?.bind(source);
  if (satellites) yield* guarded(() => satellites(station));
  else for (const rows of guarded(() => source.blocks(station))) yield blockOfTexts(rows);
}

/** Yields the times of one station, block by block, each in ascending order. */
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

/** Iterates over a source and converts its errors to a `FormatFailure` of kind `source`. */
export function* guarded<T>(make: () => Iterable<T>): IterableIterator<T> {
  const iterator = withSourceError(() => make()[Symbol.iterator]());
  let running = false;
  try {
    while (true) {
      const step = withSourceError(() => iterator.next());
      running = !step.done;
      if (step.done) return;
      yield step.value;
    }
  } finally {
    if (running) iterator.return?.();
  }
}

function withSourceError<T>(read: () => T): T {
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

/** The rows differ from those of the first pass, so that sizes and axis no longer match. */
export function sourceChanged(): FormatFailure {
  return new FormatFailure("source", "The rows changed while the file was written. Please export again.");
}
