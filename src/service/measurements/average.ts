import type { Variable } from "#shared/service/variables.ts";
import { emptyRows, type RowBlock } from "./rows.ts";

/**
 * Groups rows into UTC-aligned intervals (4.4, interval rules): one row per interval that has any, its time the start of
 * the interval; numbers are the mean of the values there are, texts those of the first row. The mean is the plain sum in
 * order of time divided by the number of values: whoever sums native rows the same way gets the same bits.
 *
 * @param blocks rows of one station in time order
 * @param blockRows most rows of a block that is returned
 */
export function* averageRows(
  blocks: Iterable<RowBlock>,
  variables: readonly Variable[],
  intervalSeconds: number,
  blockRows: number,
): IterableIterator<RowBlock> {
  const stepMs = intervalSeconds * 1000;
  const out = emptyRows(variables, blockRows);
  const sums = new Float64Array(variables.length);
  const counts = new Uint32Array(variables.length);
  const firsts: (string | null)[] = variables.map(() => null);
  let openMs = Number.NaN;
  let openEndMs = -Infinity;

  function close(): void {
    if (Number.isNaN(openMs)) return;
    const n = out.count++;
    out.timesMs[n] = openMs;
    for (let c = 0; c < out.columns.length; c++) {
      const column = out.columns[c]!;
      if (column.kind === "scalar") column.values[n] = counts[c] === 0 ? Number.NaN : sums[c]! / counts[c]!;
      else column.values[n] = firsts[c]!;
    }
    sums.fill(0);
    counts.fill(0);
  }

  for (const block of blocks) {
    for (let i = 0; i < block.count; i++) {
      const timeMs = block.timesMs[i]!;
      const isFirst = timeMs >= openEndMs;
      if (isFirst) {
        close();
        if (out.count === blockRows) {
          yield out;
          out.count = 0;
        }
        openMs = Math.floor(timeMs / stepMs) * stepMs;
        openEndMs = openMs + stepMs;
      }
      for (let c = 0; c < block.columns.length; c++) {
        const column = block.columns[c]!;
        if (column.kind === "scalar") {
          const value = column.values[i]!;
          if (Number.isNaN(value)) continue;
          sums[c]! += value;
          counts[c]!++;
        } else if (isFirst) {
          firsts[c] = column.values[i]!;
        }
      }
    }
  }
  close();
  if (out.count > 0) yield out;
}
