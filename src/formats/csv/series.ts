import { failure, success, type Result } from "#shared/service/error.ts";
import { COLUMN_NAMES } from "../columnNames.ts";
import { asFormatError, type FormatError } from "../error.ts";
import { Pace } from "../pace.ts";
import { guarded } from "../sourceRows.ts";
import type { SeriesFileSource } from "../source.ts";
import { headLine, maxRowsPerFile, neededTimeDigits, type CsvOptions, type WrittenCsv } from "./options.ts";
import { CsvParts } from "./parts.ts";
import { SeriesRowText } from "./seriesRows.ts";
import { TimeText } from "./time.ts";

const BUFFER_BYTES = 1 << 20;

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
    const stationsWithRows = await writeRows(source, new TimeText(styleOf(options), digits), parts, pace);
    const { paths, bytes } = await parts.finish();
    options.onProgress?.(pace.rows);
    return success({ path: paths[0]!, paths, bytes, stationsWithRows, rows: pace.rows });
  } catch (thrown) {
    await parts.abandon();
    return failure(asFormatError(thrown, path));
  }
}

function styleOf(options: CsvOptions): "iso" | "excel" {
  return options.preset === "excel" ? "excel" : "iso";
}

async function writeRows(source: SeriesFileSource, time: TimeText, parts: CsvParts, pace: Pace): Promise<number> {
  let buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let stationsWithRows = 0;
  await parts.room();
  for (let station = 0; station < source.stations.length; station++) {
    const text = new SeriesRowText(source.stations[station]!.id, source.variables, time);
    const before = pace.rows;
    for (const rows of guarded(() => source.blocks(station))) {
      for (let row = 0; row < rows.timesMs.length;) {
        const room = await parts.room();
        const { count, firstBytes } = text.fitting(rows, row, room, buffer.length);
        if (count === 0) {
          // A single row that is larger than the buffer: hostile, but no reason to give up.
          buffer = Buffer.allocUnsafe(firstBytes);
          continue;
        }
        const length = text.write(rows, row, row + count, buffer, 0);
        await parts.append(buffer.subarray(0, length), count);
        row += count;
        await pace.breathe(count);
      }
    }
    if (pace.rows > before) stationsWithRows++;
  }
  return stationsWithRows;
}
