import { bytesOf } from "#shared/arrays.ts";
import { defined } from "#shared/defined.ts";
import type { FileSeries } from "#shared/file/opened.ts";
import { openScratch } from "../../foreign/scratch.ts";
import type { ColumnCache } from "../columnCache.ts";
import { cachedRows, inOrder, samplesOf } from "../samples.ts";
import type { SeriesFile } from "../types.ts";

export type Spool = ReturnType<typeof openSpool>;

export interface SpooledRange {
  readonly atBytes: number;
  readonly length: number;
}

export interface SpooledSeries {
  readonly series: FileSeries;
  readonly times: readonly SpooledRange[];
  readonly values: readonly SpooledRange[];
}

export function spooledRows(spool: Spool, all: readonly SpooledSeries[], cache: ColumnCache): SeriesFile["rows"] {
  return (index) => {
    const { series, times, values } = defined(all[index]);
    return cachedRows(cache, {
      ...series,
      samples: () => samplesOf(spool.read(times)),
      values: (order) => inOrder(spool.read(values), order),
    });
  };
}

/** Creates a spool. @throws FormatFailure, as does `append`, if the disk is full */
export function openSpool() {
  const file = openScratch();
  let endBytes = 0;
  return {
    append(values: Float64Array): SpooledRange {
      const atBytes = endBytes;
      file.write(bytesOf(values), atBytes);
      endBytes += values.byteLength;
      return { atBytes, length: values.length };
    },
    read(parts: readonly SpooledRange[]) {
      const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const { atBytes, length } of parts) {
        const target = bytesOf(all.subarray(at, at + length));
        if (file.read(target, atBytes) < target.length) throw new Error("A temporary file is shorter than it was.");
        at += length;
      }
      return all;
    },
    close: (): void => file.close(),
  };
}
