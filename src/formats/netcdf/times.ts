import type { Pace } from "../pace.ts";
import type { SeriesFileSource } from "../source.ts";
import { chunkOf, type NetcdfSink } from "./sink.ts";

/** Declares the bounds of intervals; none for native observations. */
export function declareBounds(file: NetcdfSink, source: SeriesFileSource, dimension: string, size: number): void {
  if (source.intervalSeconds === null) return;
  file.dimension("nv", 2);
  // By CF, bounds inherit the attributes of their variable.
  file.doubles({ name: "time_bnds", dimensions: [dimension, "nv"], attributes: {}, holdsTimes: true }, [
    chunkOf(size),
    2,
  ]);
}

/** Writes a block of times in seconds from `start` on, and the bounds of their intervals. */
export function writeTimeBlock(file: NetcdfSink, source: SeriesFileSource, start: number, timesMs: Float64Array): void {
  const seconds = secondsOf(timesMs);
  file.write("time", [start], seconds);
  if (source.intervalSeconds === null) return;
  const bounds = new Float64Array(2 * seconds.length);
  for (let i = 0; i < seconds.length; i++) {
    const second = seconds[i]!;
    bounds[2 * i] = second;
    bounds[2 * i + 1] = second + source.intervalSeconds;
  }
  file.write("time_bnds", [start, 0], bounds);
}

/** A loop instead of `map`, because millions of values are converted in code that runs once. */
function secondsOf(timesMs: Float64Array): Float64Array {
  const seconds = new Float64Array(timesMs.length);
  for (let i = 0; i < seconds.length; i++) seconds[i] = timesMs[i]! / 1000;
  return seconds;
}

/** Writes an axis of times block by block, with the bounds of intervals. */
export async function writeTimes(
  file: NetcdfSink,
  source: SeriesFileSource,
  blocks: () => Iterable<Float64Array>,
  pace: Pace,
): Promise<void> {
  let start = 0;
  for (const block of blocks()) {
    writeTimeBlock(file, source, start, block);
    start += block.length;
    await file.drained();
    await pace.step();
  }
}
