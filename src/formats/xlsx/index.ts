import { variableInfo } from "#shared/service/variables.ts";
import type { CellValue, ColumnDef } from "hucre";
import { type StreamWriterOptions, writeXlsxStream } from "hucre/xlsx";
import type { Column } from "#shared/series/rows.ts";
import { type Result, success } from "#shared/service/error.ts";
import { neededTimeDigits, type TimeDigits } from "../csv/options.ts";
import type { FormatError } from "../error.ts";
import { Pace } from "../pace.ts";
import { SatelliteReader } from "#shared/satellites/numbers.ts";
import { surveySatellites } from "../netcdf/satellites/survey.ts";
import { type ByteSink, writeThroughSink } from "../sink.ts";
import type { FileStation, SeriesFileSource, WriteOptions, WrittenFile } from "../source.ts";
import { guarded, satelliteBlocks } from "../sourceRows.ts";
import { ALL_STATION_FIELDS, type StationField, stationValue } from "../stationFields.ts";

export interface XlsxOptions extends WriteOptions {
  /** What every row says of its station, beside the identifier; nothing where it is not given. */
  readonly stationFields?: readonly StationField[];
  /** Rows of a sheet, the header included: as many as a sheet takes, where it is not given. */
  readonly sheetRows?: number;
}

/** Rows of a sheet in every spreadsheet since 2007. */
const SHEET_ROWS = 1_048_576;
/** Rows of the file that are made before others have their turn. */
const SLICE_ROWS = 2_000;

/** What goes into a workbook: names of columns after station and time, and their values station by station. */
interface Table {
  readonly sheet: string;
  readonly columns: readonly string[];
  readonly digits: TimeDigits;
  rows(station: number): Iterable<readonly [timeMs: number, ...values: CellValue[]]>;
}

/**
 * Writes series as a workbook of Excel: one row per station and epoch, times as dates (UTC), numbers as numbers, no value
 * as an empty cell. Where a sheet is full the next one goes on, with the same header. Memory does not grow with the rows.
 */
export async function writeTimeSeriesXlsx(
  path: string,
  source: SeriesFileSource,
  options: XlsxOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  return writeTable(path, source, options, async (looking) => ({
    sheet: "Measurements",
    columns: source.variables.map((v) => variableInfo(v).column),
    digits: await neededTimeDigits(source, {}, looking),
    *rows(station) {
      for (const { timesMs, columns } of guarded(() => source.blocks(station))) {
        const own = source.variables.map((v) => columns[v]);
        for (let row = 0; row < timesMs.length; row++) yield [timesMs[row]!, ...own.map((c) => cell(c, row))];
      }
    },
  }));
}

/** Writes satellites as a workbook, one row per station, epoch and satellite, in the columns of `writeSatelliteCsv`. */
export async function writeSatelliteXlsx(
  path: string,
  source: SeriesFileSource,
  options: XlsxOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  return writeTable(path, source, options, async (looking) => {
    const { bands, wholeSeconds } = await surveySatellites(source, looking);
    const reader = new SatelliteReader(bands);
    return {
      sheet: "Satellites",
      columns: ["prn", "el_deg", "az_deg", ...bands.names.map((band) => `cn0_${band}_dbhz`)],
      digits: wholeSeconds ? 0 : 3,
      *rows(station) {
        for (const block of satelliteBlocks(source, station)) {
          const { timesMs, offsets, prns, prn, elevationDeg, azimuthDeg, cn0DbHz } = reader.read(block);
          const columns = [elevationDeg, azimuthDeg, ...cn0DbHz];
          for (let row = 0; row < timesMs.length; row++)
            for (let entry = offsets[row]!; entry < offsets[row + 1]!; entry++)
              yield [timesMs[row]!, prns[prn[entry]!]!, ...columns.map((values) => orEmpty(values[entry]!))];
        }
      },
    };
  });
}

/** Writes a workbook of stations, one row each. */
export async function writeStationsXlsx(
  path: string,
  stations: readonly FileStation[],
  options: WriteOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const written = await writeThroughSink(
    path,
    (sink) =>
      handWorkbook(
        sink,
        stations.map((s) => ALL_STATION_FIELDS.map((field) => stationValue(s, field))),
        { name: "Stations", columns: ALL_STATION_FIELDS.map((header) => ({ header, width: 16 })) },
      ),
    () => undefined,
    options.signal,
  );
  if (!written.ok) return written;
  return success({ path, bytes: written.value.bytes, stationsWithRows: stations.length, rows: stations.length });
}

async function writeTable(
  path: string,
  source: SeriesFileSource,
  options: XlsxOptions,
  tableOf: (looking: Pace) => Promise<Table>,
): Promise<Result<WrittenFile, FormatError>> {
  const pace = new Pace(options);
  const fields = ["station_id", ...(options.stationFields ?? [])] as const;
  let stationsWithRows = 0;
  const written = await writeThroughSink(
    path,
    async (sink) => {
      const table = await tableOf(new Pace({ ...options, onProgress: () => {} }));
      async function* rows(): AsyncGenerator<CellValue[]> {
        for (const [index, station] of source.stations.entries()) {
          const said = fields.map((field) => stationValue(station, field));
          let waiting = 0;
          let hasRows = false;
          for (const [timeMs, ...values] of table.rows(index)) {
            hasRows = true;
            yield [...said, new Date(timeMs), ...values];
            if (++waiting < SLICE_ROWS) continue;
            await pace.breathe(waiting);
            waiting = 0;
          }
          await pace.breathe(waiting);
          if (hasRows) stationsWithRows++;
        }
      }
      await handWorkbook(sink, rows(), {
        name: table.sheet,
        columns: columnsOf(fields, table),
        maxRowsPerSheet: options.sheetRows ?? SHEET_ROWS,
      });
    },
    () => undefined,
    options.signal,
  );
  if (!written.ok) return written;
  options.onProgress?.(pace.rows);
  return success({ path, bytes: written.value.bytes, stationsWithRows, rows: pace.rows });
}

async function handWorkbook(
  sink: ByteSink,
  rows: Iterable<CellValue[]> | AsyncIterable<CellValue[]>,
  options: StreamWriterOptions,
): Promise<void> {
  // A sheet of many columns, or some hundred sheets, may pass 4 GB.
  const bytes = writeXlsxStream(rows, { freezePane: { rows: 1 }, zip64: true, ...options });
  for await (const part of bytes) await sink.hand(part);
}

function columnsOf(fields: readonly string[], { columns, digits }: Table): ColumnDef[] {
  const time = {
    header: "time",
    width: digits === 0 ? 20 : 24,
    numFmt: `yyyy-mm-dd hh:mm:ss${digits === 0 ? "" : ".000"}`,
  };
  return [
    ...fields.map((header) => ({ header, width: 16 })),
    time,
    ...columns.map((header) => ({ header, width: 14 })),
  ];
}

function cell(column: Column | undefined, row: number): CellValue {
  if (!column) return null;
  return column.kind === "scalar" ? orEmpty(column.values[row]!) : column.values[row]!;
}

/** What is no number is an empty cell. */
function orEmpty(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
