import { failure, success, type Result } from "#shared/service/error.ts";
import { asFormatError, FormatFailure, type FormatError } from "../error.ts";
import { Pace } from "../pace.ts";
import { type SatelliteNumbers, SatelliteReader } from "../satellites/numbers.ts";
import type { SatelliteProblemCounts } from "../satellites/parse.ts";
import { surveySatellites } from "../satellites/survey.ts";
import type { SeriesFileSource } from "../source.ts";
import { satelliteBlocks } from "../sourceRows.ts";
import { headLine, maxRowsPerFile, timeStyle, type CsvOptions, type WrittenCsv } from "./options.ts";
import { CsvParts } from "./parts.ts";
import { writeRows, type CsvBlock } from "./rows.ts";
import { csvField } from "./text.ts";

export interface WrittenSatelliteCsv extends WrittenCsv {
  readonly bands: readonly string[];
  readonly problems: SatelliteProblemCounts;
}

/**
 * Writes satellites in long form, one row per station, epoch and satellite:
 * `station_id,time,prn,el_deg,az_deg,cn0_<band>_dbhz`. Ordered by station and time, satellites as the service named
 * them. Reads the source twice, first for the bands. `rows` of the result are rows of the file.
 */
export async function writeSatelliteCsv(
  path: string,
  source: SeriesFileSource,
  options: CsvOptions = {},
): Promise<Result<WrittenSatelliteCsv, FormatError>> {
  let parts: CsvParts | null = null;
  try {
    if (!source.variables.includes("prn")) {
      throw new FormatFailure("invalid", "A file of satellites needs the variable prn, which names them.");
    }
    const survey = await surveySatellites(source, new Pace({ ...options, onProgress: () => {} }));
    const digits = options.fractionDigits ?? (survey.wholeSeconds ? 0 : 3);
    if (digits === 0 && !survey.wholeSeconds) {
      throw new FormatFailure("invalid", "The times have fractions of a second: fractionDigits has to be 3.");
    }
    const cn0 = survey.bands.names.map((band) => `cn0_${band}_dbhz`);
    const columns = ["station_id", "time", "prn", "el_deg", "az_deg", ...cn0];
    parts = new CsvParts(path, headLine(columns, options), maxRowsPerFile(options));
    const pace = new Pace(options);
    const reader = new SatelliteReader(survey.bands);
    const form = { style: timeStyle(options), digits, columns: columns.length - 2 };
    await writeRows(source.stations, (i) => blocksOf(source, reader, i), form, parts, pace);
    const { paths, bytes } = await parts.finish(options.signal);
    options.onProgress?.(pace.rows);
    const { stationsWithRows, bands, problems } = survey;
    return success({
      path: paths[0]!,
      paths,
      bytes,
      stationsWithRows,
      rows: pace.rows,
      bands: bands.names.map((b) => `cn0_${b}`),
      problems,
    });
  } catch (thrown) {
    await parts?.abandon();
    return failure(asFormatError(thrown, path));
  }
}

function* blocksOf(source: SeriesFileSource, reader: SatelliteReader, station: number): Generator<CsvBlock> {
  for (const block of satelliteBlocks(source, station)) {
    const seen = reader.read(block);
    const names = seen.prns.map(csvField);
    const nameOf = (entry: number): string => names[seen.prn[entry]!]!;
    yield { timesMs: timesOfEntries(seen), columns: [nameOf, seen.elevationDeg, seen.azimuthDeg, ...seen.cn0DbHz] };
  }
}

function timesOfEntries({ timesMs, offsets }: SatelliteNumbers): Float64Array {
  const times = new Float64Array(offsets.at(-1)!);
  for (let row = 0; row < timesMs.length; row++) times.fill(timesMs[row]!, offsets[row], offsets[row + 1]);
  return times;
}
