import { csvField, csvLine } from "#shared/file/csv.ts";
import { timesOfEntries } from "#shared/satellites/values.ts";
import { SatelliteReader } from "#shared/satellites/numbers.ts";
import type { Column } from "#shared/series/rows.ts";
import type { Result } from "#shared/service/error.ts";
import type { FormatError } from "../error.ts";
import { surveySatellites } from "../netcdf/satellites/survey.ts";
import {
  type FileStation,
  guarded,
  Pace,
  satelliteBlocks,
  type SeriesFileSource,
  type WriteOptions,
  type WrittenFile,
  intervalLengths,
} from "../source.ts";
import { type ByteSink, writeThroughSink } from "../sink.ts";
import { ALL_STATION_FIELDS, seriesColumns, stationValue } from "../stationFields.ts";
import type { RowColumn } from "./kernel/kernel.ts";
import { type CsvBlock, type CsvOptions, headLine, surveyTimes, writeRows } from "./rows.ts";

export { type CsvOptions, surveyTimes, type TimeDigits } from "./rows.ts";

/**
 * Writes series as CSV by RFC 4180: `station_id,station_name,time,ztd_mm,…`, one row per station and epoch, ordered by
 * station and time; means have their interval in `interval_s`. Numbers are the shortest text that reads back as the same double; a missing value is an empty field;
 * per-satellite variables are quoted, comma-separated texts. See `writeThroughSink` for the target.
 */
export async function writeTimeSeriesCsv(
  path: string,
  source: SeriesFileSource,
  options: CsvOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const fields = ["station_id", ...(options.stationFields ?? [])] as const;
  const columns = seriesColumns(source);
  const write = async (sink: ByteSink, pace: Pace): Promise<void> => {
    const { digits } = await surveyTimes(source, pace);
    const form = { digits, columns: columns.length };
    await sink.write(headLine([...fields, "time", ...columns]));
    await writeRows({ stations: source.stations, fields, blocksOf: (i) => blocksOf(source, i) }, form, sink, pace);
  };
  return writeThroughSink(path, write, options);
}

function* blocksOf(source: SeriesFileSource, station: number): Generator<CsvBlock> {
  const { variables } = source;
  for (const { timesMs, columns } of guarded(() => source.blocks(station))) {
    const lengths = intervalLengths(source, timesMs);
    const values = variables.map((variable) => rowColumn(columns[variable]));
    yield { timesMs, columns: lengths === null ? values : [lengths, ...values] };
  }
}

function rowColumn(column: Column | undefined): RowColumn {
  if (column === undefined) return null;
  return column.kind === "scalar" ? column.values : (row) => csvField(column.values[row] ?? "");
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
): Promise<Result<WrittenFile, FormatError>> {
  const write = async (sink: ByteSink, pace: Pace): Promise<void> => {
    const { bands, wholeSeconds } = await surveySatellites(source, options);
    const fields = ["station_id", ...(options.stationFields ?? [])] as const;
    const columns = ["prn", "el_deg", "az_deg", ...bands.names.map((band) => `cn0_${band}_dbhz`)];
    const reader = new SatelliteReader(bands);
    const form = { digits: wholeSeconds ? 0 : 3, columns: columns.length } as const;
    await sink.write(headLine([...fields, "time", ...columns]));
    await writeRows(
      { stations: source.stations, fields, blocksOf: (i) => satelliteBlocksOf(source, reader, i) },
      form,
      sink,
      pace,
    );
  };
  return writeThroughSink(path, write, options);
}

function* satelliteBlocksOf(source: SeriesFileSource, reader: SatelliteReader, station: number): Generator<CsvBlock> {
  for (const block of satelliteBlocks(source, station)) {
    const seen = reader.read(block);
    const names = seen.prns.map(csvField);
    const nameOf = (entry: number): string => names[seen.prn[entry]!]!;
    yield { timesMs: timesOfEntries(seen), columns: [nameOf, seen.elevationDeg, seen.azimuthDeg, ...seen.cn0DbHz] };
  }
}

/** Writes a table of stations, one row each: `station_id,station_name,…,latitude_deg,longitude_deg,height_m,…`. */
export async function writeStationsCsv(
  path: string,
  stations: readonly FileStation[],
  options: WriteOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const lines = stations.map((s) => `${csvLine(ALL_STATION_FIELDS.map((f) => stationValue(s, f)))}\r\n`);
  const write = async (sink: ByteSink, pace: Pace): Promise<void> => {
    await sink.write(headLine(ALL_STATION_FIELDS));
    await sink.write(Buffer.from(lines.join("")));
    await pace.step(lines.length);
  };
  return writeThroughSink(path, write, options);
}
