import { guarded, sourceChanged } from "../source.ts";
import { copyScalars, declareRows, type RowsTask, TextCells, writeTexts, writeTimeBlock } from "./columns.ts";
import { chunkOf } from "./sink.ts";

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
