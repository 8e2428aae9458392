import { defined } from "#shared/defined.ts";
import { expandRuns, type Run, runEndMs, type Runs } from "#shared/time/runs.ts";
import { guarded, sourceChanged } from "../source.ts";
import {
  type ChunkBuffer,
  copyScalars,
  declareRows,
  type RowsTask,
  TextCells,
  writeTexts,
  writeTimeBlock,
  writeTimes,
} from "./columns.ts";
import { chunkOf, FILL_DOUBLE, gridChunk } from "./sink.ts";

/** Finds the positions of ascending moments on an axis of runs. */
class AxisCursor {
  readonly #following: Iterator<Run>;
  /** Undefined at the end of the axis. */
  #run: Run | undefined;
  /** Position of the first moment of the current run. */
  #base = 0;

  constructor(runs: Runs) {
    this.#following = runs.list.values();
    this.#run = this.#following.next().value;
  }

  /** Returns the position of a moment, which must not be before earlier ones; -1 if it is not on the axis. */
  seek(momentMs: number): number {
    while (this.#run && momentMs > runEndMs(this.#run)) {
      this.#base += this.#run.count;
      this.#run = this.#following.next().value;
    }
    if (!this.#run) return -1;
    const distance = momentMs - this.#run.startMs;
    if (distance === 0) return this.#base;
    const index = distance / this.#run.stepMs;
    return distance > 0 && Number.isInteger(index) ? this.#base + index : -1;
  }

  /**
   * Returns the number of consecutive moments, at most `max`, that occupy consecutive positions of the axis, after a
   * `seek` of the first one at `from`.
   */
  countConsecutive(timesMs: Float64Array, from: number, max: number): number {
    const run = defined(this.#run);
    const { stepMs } = run;
    const end = Math.min(timesMs.length, from + max);
    const lastMs = runEndMs(run);
    let i = from + 1;
    for (let next = timesMs[from]! + stepMs; i < end && next <= lastMs && timesMs[i] === next; next += stepMs) i++;
    return i - from;
  }
}

/**
 * Writes variables over (time, station), with the union of all times as the axis. Time is the first dimension, because
 * tools concatenate files and iterate over time along it. Written station by station in whole chunks of one station, to
 * keep memory constant; chunks without rows contain fill values. The dimension `time` is declared by the caller.
 */
export async function writeGrid(task: RowsTask, axis: Runs): Promise<void> {
  const dimensions = ["time", "station"] as const;
  const stations = task.source.stations.length;
  const size = gridChunk(axis.total, stations);
  const columns = declareRows(task, dimensions, axis.total, [size, 1]);
  const texts = new TextCells(task, stations, axis.total);
  await writeTimes(task, expandRuns(axis, chunkOf(axis.total)));
  for (let station = 0; station < stations; station++) {
    const rows = await writeStation(task, station, { axis, size, columns, texts });
    if (rows !== task.rowCounts[station]) throw sourceChanged();
  }
  writeTexts(task, dimensions, texts);
}

interface Grid {
  /** All times of the file. */
  readonly axis: Runs;
  /** Times per chunk. */
  readonly size: number;
  readonly columns: readonly ChunkBuffer[];
  readonly texts: TextCells;
}

async function writeStation(
  { file, source, pace }: RowsTask,
  station: number,
  { axis, size, columns, texts }: Grid,
): Promise<number> {
  for (const { buffer } of columns) buffer.fill(FILL_DOUBLE);
  const cursor = new AxisCursor(axis);
  let chunkStart = 0;
  let count = 0;
  const flush = async (): Promise<void> => {
    const length = Math.min(size, axis.total - chunkStart);
    for (const { name, buffer } of columns) {
      file.write(name, [chunkStart, station], buffer.subarray(0, length));
      buffer.fill(FILL_DOUBLE);
    }
    chunkStart += size;
    await file.drained();
    await pace.step();
  };
  for (const rows of guarded(() => source.blocks(station))) {
    const times = rows.timesMs;
    for (let row = 0; row < times.length;) {
      const index = cursor.seek(times[row]!);
      if (index < chunkStart) throw sourceChanged();
      for (let behind = Math.floor((index - chunkStart) / size); behind > 0; behind--) await flush();
      const length = cursor.countConsecutive(times, row, chunkStart + size - index);
      for (const { name, buffer } of columns)
        copyScalars({ rows, from: row, length }, name, buffer, index - chunkStart);
      texts.copy({ rows, from: row, length }, station, index);
      row += length;
    }
    count += times.length;
    await pace.step(times.length);
  }
  for (let left = Math.ceil((axis.total - chunkStart) / size); left > 0; left--) await flush();
  return count;
}

const ROW_SIZE = { long_name: "number of observations of this station", sample_dimension: "obs" };

/**
 * Writes a contiguous ragged array: the rows of one station after another along `obs`, and the number of rows of each
 * station. Chunks extend across stations, so that every write is a whole chunk.
 */
export async function writeRagged(rows: RowsTask): Promise<void> {
  const { file, source, rowCounts, pace } = rows;
  const task = { ...rows, coordinates: ["time", ...rows.coordinates] };
  const total = rowCounts.reduce((sum, n) => sum + n, 0);
  const size = chunkOf(total);
  file.dimension("obs", total);
  file.values({ name: "row_size", dimensions: ["station"], attributes: ROW_SIZE }, Int32Array.from(rowCounts));
  const columns = declareRows(task, ["obs"], total, [size]);
  const texts = new TextCells(task, 1, total);
  const times = new Float64Array(size);
  let start = 0;
  let filled = 0;
  const flush = async (): Promise<void> => {
    writeTimeBlock(file, source, start, times.subarray(0, filled));
    for (const { name, buffer } of columns) file.write(name, [start], buffer.subarray(0, filled));
    start += filled;
    filled = 0;
    await file.drained();
  };
  for (const [station, rowCount] of rowCounts.entries()) {
    let left = rowCount;
    for (const block of guarded(() => source.blocks(station))) {
      const count = block.timesMs.length;
      left -= count;
      if (left < 0) throw sourceChanged();
      for (let row = 0; row < count;) {
        const length = Math.min(count - row, size - filled);
        times.set(block.timesMs.subarray(row, row + length), filled);
        for (const { name, buffer } of columns) copyScalars({ rows: block, from: row, length }, name, buffer, filled);
        texts.copy({ rows: block, from: row, length }, 0, start + filled);
        filled += length;
        row += length;
        if (filled === size) await flush();
        await pace.step();
      }
      await pace.step(count);
    }
    if (left !== 0) throw sourceChanged();
  }
  if (filled > 0) await flush();
  writeTexts(task, ["obs"], texts);
}
