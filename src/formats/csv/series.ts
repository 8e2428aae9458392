import type { Column } from "#shared/series/rows.ts";
import { failure, success, type Result } from "#shared/service/error.ts";
import { COLUMN_NAMES } from "../columnNames.ts";
import { asFormatError, type FormatError } from "../error.ts";
import { Pace } from "../pace.ts";
import { guarded } from "../sourceRows.ts";
import type { SeriesFileSource } from "../source.ts";
import type { RowColumn } from "./kernel/kernel.ts";
import { headLine, maxRowsPerFile, neededTimeDigits, timeStyle, type CsvOptions, type WrittenCsv } from "./options.ts";
import { CsvParts } from "./parts.ts";
import { writeRows, type CsvBlock } from "./rows.ts";
import { csvField } from "./text.ts";

/**
 * Writes series as CSV by RFC 4180: `station_id,time,ztd_mm,…`, one row per station and epoch, ordered by station and
 * then by time. Numbers are the shortest text that reads back as the same double; a missing value is an empty field;
 * per-satellite variables are quoted, comma-separated texts. The file appears under its name only when it is complete.
 */
export async function writeTimeSeriesCsv(
  path: string,
  source: SeriesFileSource,
  options: CsvOptions = {},
): Promise<Result<WrittenCsv, FormatError>> {
  const columns = ["station_id", "time", ...source.variables.map((v) => COLUMN_NAMES[v])];
  const parts = new CsvParts(path, headLine(columns, options), maxRowsPerFile(options));
  try {
    const pace = new Pace(options);
    const digits = await neededTimeDigits(source, options, pace);
    const form = { style: timeStyle(options), digits, columns: source.variables.length };
    const stationsWithRows = await writeRows(source.stations, (i) => blocksOf(source, i), form, parts, pace);
    const { paths, bytes } = await parts.finish(options.signal);
    options.onProgress?.(pace.rows);
    return success({ path: paths[0]!, paths, bytes, stationsWithRows, rows: pace.rows });
  } catch (thrown) {
    await parts.abandon();
    return failure(asFormatError(thrown, path));
  }
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
