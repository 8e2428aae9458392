import { guarded, type Pace, type SeriesFileSource, sourceChanged } from "../source.ts";
import {
  copyScalars,
  dataAttributes,
  declareBounds,
  scalarVariables,
  TextCells,
  textVariables,
  timeAttributes,
  writeTimeBlock,
} from "./columns.ts";
import { chunkOf, type NetcdfSink } from "./sink.ts";

const ROW_SIZE = { long_name: "number of observations of this station", sample_dimension: "obs" };

/**
 * Writes a contiguous ragged array: the rows of one station after another along `obs`, and the number of rows of each
 * station. Chunks extend across stations, so that every write is a whole chunk.
 */
export async function writeRagged(
  file: NetcdfSink,
  source: SeriesFileSource,
  rowCounts: readonly number[],
  stationCoordinates: readonly string[],
  maxTextCharacters: number,
  pace: Pace,
): Promise<void> {
  const total = rowCounts.reduce((sum, n) => sum + n, 0);
  const coordinates = ["time", ...stationCoordinates];
  file.dimension("obs", total);
  file.values({ name: "row_size", dimensions: ["station"], attributes: ROW_SIZE }, Int32Array.from(rowCounts));
  file.doubles({ name: "time", dimensions: ["obs"], attributes: timeAttributes(source), holdsTimes: true }, [
    chunkOf(total),
  ]);
  declareBounds(file, source, "obs", total);

  const scalars = scalarVariables(source);
  for (const name of scalars) {
    file.doubles({ name, dimensions: ["obs"], attributes: dataAttributes(source, name, coordinates) }, [
      chunkOf(total),
    ]);
  }
  const texts = new TextCells(textVariables(source), 1, total, maxTextCharacters);
  const size = chunkOf(total);
  const times = new Float64Array(size);
  const columns = scalars.map((name) => ({ name, buffer: new Float64Array(size) }));
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
    for (const rows of guarded(() => source.blocks(station))) {
      const count = rows.timesMs.length;
      left -= count;
      if (left < 0) throw sourceChanged();
      for (let row = 0; row < count;) {
        const length = Math.min(count - row, size - filled);
        times.set(rows.timesMs.subarray(row, row + length), filled);
        for (const { name, buffer } of columns) copyScalars(rows, name, row, length, buffer, filled);
        texts.copy(rows, row, length, 0, start + filled);
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
  for (const [name, cells] of texts.cells) {
    file.strings({ name, dimensions: ["obs"], attributes: dataAttributes(source, name, coordinates) }, cells);
  }
}
