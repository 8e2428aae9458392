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
  // While one is on its way to the disk, the other is filled.
  let buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let other = Buffer.allocUnsafe(BUFFER_BYTES);
  let at = 0;
  let waiting = 0;
  let room = await parts.room();
  let stationsWithRows = 0;
  const flush = async (): Promise<void> => {
    await parts.hand(buffer.subarray(0, at), waiting);
    [buffer, other] = [other, buffer];
    await pace.breathe(waiting);
    at = 0;
    waiting = 0;
  };
  for (let station = 0; station < source.stations.length; station++) {
    const text = new SeriesRowText(source.stations[station]!.id, source.variables, time);
    let hasRows = false;
    for (const rows of guarded(() => source.blocks(station))) {
      hasRows ||= rows.timesMs.length > 0;
      for (let row = 0; row < rows.timesMs.length;) {
        if (waiting === 0) room = await parts.room();
        const { count, firstBytes } = text.fitting(rows, row, room - waiting, buffer.length - at);
        if (count > 0) at = text.write(rows, row, row + count, buffer, at);
        else if (waiting > 0) await flush();
        // A single row that is larger than the buffer: hostile, but no reason to give up.
        else buffer = Buffer.allocUnsafe(firstBytes);
        row += count;
        waiting += count;
      }
      await pace.breathe();
    }
    if (hasRows) stationsWithRows++;
  }
  if (waiting > 0) await flush();
  return stationsWithRows;
}
