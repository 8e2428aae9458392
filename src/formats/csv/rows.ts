import { csvLine } from "#shared/file/csv.ts";
import type { Runs } from "#shared/time/runs.ts";
import { type FileStation, guarded, type Pace, type SeriesFileSource, timesOf, type WriteOptions } from "../source.ts";
import type { ByteSink } from "../sink.ts";
import { type StationField, stationValue } from "../stationFields.ts";
import { type RowColumn, type RowForm, RowKernel, SLICE_ROWS, type TimeDigits } from "./kernel/kernel.ts";

export type { TimeDigits } from "./kernel/kernel.ts";

export interface CsvOptions extends WriteOptions {
  /** Station fields in every row, beside the identifier; none by default. */
  readonly stationFields?: readonly StationField[];
}

/** Returns the header line. */
export function headLine(columns: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`${columns.join(",")}\r\n`);
}

/** Properties of all times of a source. */
interface TimeSurvey {
  /** 3 if any time is not a whole second, else 0. */
  readonly digits: TimeDigits;
  /** Maximum number of rows. */
  readonly maxRows: number;
}

/** Reads only the times, or a superset of them if that is cheaper. */
export async function surveyTimes(source: SeriesFileSource, pace: Pace): Promise<TimeSurvey> {
  const times = source.timesAround ?? ((station: number) => timesOf(source, station));
  let digits: TimeDigits = 0;
  let maxRows = 0;
  for (let station = 0; station < source.stations.length; station++) {
    for (const runs of guarded(() => times(station))) {
      if (!areWholeSeconds(runs)) digits = 3;
      maxRows += runs.total;
      await pace.step();
    }
  }
  return { digits, maxRows };
}

function areWholeSeconds({ list }: Runs): boolean {
  return list.every(({ startMs, stepMs }) => startMs % 1_000 === 0 && stepMs % 1_000 === 0);
}

/** Rows of one station without its identifier. Columns are parallel to the times. */
export interface CsvBlock {
  readonly timesMs: Float64Array;
  readonly columns: readonly RowColumn[];
}

interface CsvRows {
  readonly stations: readonly FileStation[];
  /** Station fields in each row. */
  readonly fields: readonly StationField[];
  readonly blocksOf: (station: number) => Iterable<CsvBlock>;
}

/** Writes `station,time,column…` for all rows of all stations, in their order. */
export async function writeRows(
  { stations, fields, blocksOf }: CsvRows,
  form: Omit<RowForm, "prefixBytes">,
  sink: ByteSink,
  pace: Pace,
): Promise<void> {
  const prefixes = stations.map((s) => Buffer.from(fields.map((f) => `${csvLine([stationValue(s, f)])},`).join("")));
  const prefixBytes = prefixes.reduce((max, { length }) => Math.max(max, length), 0);
  const kernel = new RowKernel({ ...form, prefixBytes });
  let buffered = 0;
  const flush = async (): Promise<void> => {
    await sink.write(kernel.take());
    await pace.step(buffered);
    buffered = 0;
  };
  for (const [station, prefix] of prefixes.entries()) {
    kernel.setPrefix(prefix);
    for (const { timesMs, columns } of blocksOf(station)) {
      for (let from = 0; from < timesMs.length; from += SLICE_ROWS) {
        const count = Math.min(SLICE_ROWS, timesMs.length - from);
        kernel.load(timesMs, columns, from, from + count);
        for (let row = 0; row < count;) {
          const written = kernel.write(row, count);
          row += written;
          buffered += written;
          if (row === count) break;
          if (buffered > 0) await flush();
          else {
            // A single row is larger than the buffer.
            await sink.flush();
            kernel.growBuffers();
          }
        }
        await pace.step();
      }
    }
  }
  if (buffered > 0) await flush();
}
