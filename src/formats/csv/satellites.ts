import { success, type Result } from "#shared/service/error.ts";
import { FormatFailure, type FormatError } from "../error.ts";
import { Pace } from "../pace.ts";
import { timesOfEntries } from "#shared/satellites/entries.ts";
import { SatelliteReader } from "#shared/satellites/numbers.ts";
import { surveySatellites } from "../netcdf/satellites/survey.ts";
import { writeThroughSink } from "../sink.ts";
import type { SeriesFileSource, WrittenFile } from "../source.ts";
import { satelliteBlocks } from "../sourceRows.ts";
import { type CsvOptions, headLine } from "./options.ts";
import { writeRows, type CsvBlock } from "./rows.ts";
import { csvField } from "#shared/file/csv.ts";

export interface WrittenSatelliteCsv extends WrittenFile {
  readonly bands: readonly string[];
}

/**
 * Writes satellites in long form, one row per station, epoch and satellite:
 * `station_id,time,prn,el_deg,az_deg,cn0_<band>_dbhz`. Ordered by station and time, satellites in the order of the
 * service. Reads the source twice, first for the bands. `rows` of the result is the number of rows of the file.
 */
export async function writeSatelliteCsv(
  path: string,
  source: SeriesFileSource,
  options: CsvOptions = {},
): Promise<Result<WrittenSatelliteCsv, FormatError>> {
  const pace = new Pace(options);
  const written = await writeThroughSink(
    path,
    async (sink) => {
      const survey = await surveySatellites(source, options);
      const digits = options.fractionDigits ?? (survey.wholeSeconds ? 0 : 3);
      if (digits === 0 && !survey.wholeSeconds) {
        throw new FormatFailure("invalid", "The times have fractions of a second: fractionDigits has to be 3.");
      }
      const fields = ["station_id", ...(options.stationFields ?? [])] as const;
      const columns = ["prn", "el_deg", "az_deg", ...survey.bands.names.map((band) => `cn0_${band}_dbhz`)];
      const reader = new SatelliteReader(survey.bands);
      const form = { digits, columns: columns.length };
      await sink.write(headLine([...fields, "time", ...columns]));
      await writeRows(source.stations, fields, (i) => blocksOf(source, reader, i), form, sink, pace);
      return survey;
    },
    () => null,
    options,
  );
  if (!written.ok) return written;
  options.onProgress?.(pace.rows);
  const { bytes, value: survey } = written.value;
  return success({
    path,
    bytes,
    stationsWithRows: survey?.stationsWithRows ?? 0,
    rows: pace.rows,
    bands: survey?.bands.names.map((b) => `cn0_${b}`) ?? [],
  });
}

function* blocksOf(source: SeriesFileSource, reader: SatelliteReader, station: number): Generator<CsvBlock> {
  for (const block of satelliteBlocks(source, station)) {
    const seen = reader.read(block);
    const names = seen.prns.map(csvField);
    const nameOf = (entry: number): string => names[seen.prn[entry]!]!;
    yield { timesMs: timesOfEntries(seen), columns: [nameOf, seen.elevationDeg, seen.azimuthDeg, ...seen.cn0DbHz] };
  }
}
