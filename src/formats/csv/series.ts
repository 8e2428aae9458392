import { variableInfo } from "#shared/service/variables.ts";
import type { Column } from "#shared/series/rows.ts";
import { success, type Result } from "#shared/service/error.ts";
import type { FormatError } from "../error.ts";
import { Pace } from "../pace.ts";
import { guarded } from "../sourceRows.ts";
import { writeThroughSink } from "../sink.ts";
import type { SeriesFileSource, WrittenFile } from "../source.ts";
import type { RowColumn } from "./kernel/kernel.ts";
import { type CsvOptions, headLine, requiredTimeDigits } from "./options.ts";
import { writeRows, type CsvBlock } from "./rows.ts";
import { csvField } from "#shared/file/csv.ts";

/**
 * Writes series as CSV by RFC 4180: `station_id,station_name,time,ztd_mm,…`, one row per station and epoch, ordered by
 * station and time. Numbers are the shortest text that reads back as the same double; a missing value is an empty field;
 * per-satellite variables are quoted, comma-separated texts. See `writeThroughSink` for the target.
 */
export async function writeTimeSeriesCsv(
  path: string,
  source: SeriesFileSource,
  options: CsvOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const fields = ["station_id", ...(options.stationFields ?? [])] as const;
  const columns = [...fields, "time", ...source.variables.map((v) => variableInfo(v).column)];
  const pace = new Pace(options);
  const written = await writeThroughSink(
    path,
    async (sink) => {
      const digits = await requiredTimeDigits(source, options, pace);
      const form = { digits, columns: source.variables.length };
      await sink.write(headLine(columns));
      return writeRows(source.stations, fields, (i) => blocksOf(source, i), form, sink, pace);
    },
    () => 0,
    options,
  );
  if (!written.ok) return written;
  options.onProgress?.(pace.rows);
  const { bytes, value: stationsWithRows } = written.value;
  return success({ path, bytes, stationsWithRows, rows: pace.rows });
}

function* blocksOf(source: SeriesFileSource, station: number): Generator<CsvBlock> {
  for (const { timesMs, columns } of guarded(() => source.blocks(station))) {
    yield { timesMs, columns: source.variables.map((variable) => rowColumn(columns[variable])) };
  }
}

function rowColumn(column: Column | undefined): RowColumn {
  if (column === undefined) return null;
  return column.kind === "scalar" ? column.values : (row) => csvField(column.values[row] ?? "");
}
