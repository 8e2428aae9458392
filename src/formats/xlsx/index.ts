import { timesOfEntries } from "#shared/satellites/values.ts";
import type { CellValue, ColumnDef } from "hucre";
import { type XlsxWriteStreamOptions, writeXlsxStream } from "hucre/xlsx";
import type { Column } from "#shared/series/rows.ts";
import type { Result } from "#shared/service/error.ts";
import { surveyTimes, type TimeDigits } from "../csv/rows.ts";
import type { FormatError } from "../error.ts";
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
import { SatelliteReader } from "#shared/satellites/numbers.ts";
import { surveySatellites } from "../netcdf/satellites/survey.ts";
import { type ByteSink, writeThroughSink } from "../sink.ts";
import { ALL_STATION_FIELDS, seriesColumns, type StationField, stationValue } from "../stationFields.ts";

interface XlsxOptions extends WriteOptions {
  /** Station fields in every row, beside the identifier; none by default. */
  readonly stationFields?: readonly StationField[];
  /** Rows of a sheet, including the header; the maximum of the format by default. */
  readonly sheetRows?: number;
}

/** Maximum number of rows of a sheet in spreadsheets since 2007. */
const SHEET_ROWS = 1_048_576;
/** Maximum size of a sheet, and of the file, for readers without ZIP64: LibreOffice, SheetJS and the stream of ExcelJS. */
const CLASSIC_ZIP_BYTES = 2 ** 32 - 1;
/** Maximum size of a number or a time with its tags; usual size of a compressed one. */
const CELL_BYTES = 80;
const PACKED_CELL_BYTES = 24;
/** Rows between two steps of the pace. */
const SLICE_ROWS = 2_000;

/** Content of a workbook: names of the columns after station and time, and their values by station. */
interface Table {
  readonly sheet: string;
  readonly columns: readonly string[];
  readonly digits: TimeDigits;
  /** Maximum number of rows of all stations. */
  readonly maxRows: number;
  rows(station: number): Iterable<readonly [timeMs: number, ...values: CellValue[]]>;
}

/**
 * Writes series as an Excel workbook: one row per station and epoch, times as dates (UTC), numbers as numbers, missing
 * values as empty cells. A full sheet is continued on the next one, with the same header. Memory does not grow with the
 * number of rows.
 */
export async function writeTimeSeriesXlsx(
  path: string,
  source: SeriesFileSource,
  options: XlsxOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  return writeTable(path, source, options, async (surveyPace) => ({
    sheet: "Measurements",
    columns: seriesColumns(source),
    ...(await surveyTimes(source, surveyPace)),
    *rows(station) {
      for (const { timesMs, columns } of guarded(() => source.blocks(station))) {
        const own = source.variables.map((v) => columns[v]);
        const lengths = intervalLengths(source, timesMs);
        for (const [row, timeMs] of timesMs.entries())
          yield [timeMs, ...(lengths === null ? [] : [lengths[row]!]), ...own.map((c) => cell(c, row))];
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
  return writeTable(path, source, options, async () => {
    const { bands, pairs, wholeSeconds } = await surveySatellites(source, options);
    const reader = new SatelliteReader(bands);
    return {
      sheet: "Satellites",
      columns: ["prn", "el_deg", "az_deg", ...bands.names.map((band) => `cn0_${band}_dbhz`)],
      digits: wholeSeconds ? 0 : 3,
      maxRows: pairs.reduce((sum, { rows }) => sum + rows, 0),
      *rows(station) {
        for (const block of satelliteBlocks(source, station)) {
          const seen = reader.read(block);
          const { prns, prn } = seen;
          const columns = [seen.elevationDeg, seen.azimuthDeg, ...seen.cn0DbHz];
          for (const [entry, timeMs] of timesOfEntries(seen).entries())
            yield [timeMs, prns[prn[entry]!]!, ...columns.map((values) => orEmpty(values[entry]!))];
        }
      },
    };
  });
}

/** Writes a workbook with a row per station. */
export async function writeStationsXlsx(
  path: string,
  stations: readonly FileStation[],
  options: WriteOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const write = async (sink: ByteSink, pace: Pace): Promise<void> => {
    const rows = stations.map((s) => ALL_STATION_FIELDS.map((field) => stationValue(s, field)));
    const columns = ALL_STATION_FIELDS.map((header) => ({ header, width: 16 }));
    await streamWorkbook(sink, rows, { name: "Stations", columns });
    await pace.step(rows.length);
  };
  return writeThroughSink(path, write, options);
}

async function writeTable(
  path: string,
  source: SeriesFileSource,
  options: XlsxOptions,
  tableOf: (surveyPace: Pace) => Promise<Table>,
): Promise<Result<WrittenFile, FormatError>> {
  const fields = ["station_id", ...(options.stationFields ?? [])] as const;
  const { sheetRows = SHEET_ROWS } = options;
  const write = async (sink: ByteSink, pace: Pace): Promise<void> => {
    const table = await tableOf(new Pace({ ...options, onProgress: () => {} }));
    async function* rows(): AsyncGenerator<CellValue[]> {
      for (const [index, station] of source.stations.entries()) {
        const stationCells = fields.map((field) => stationValue(station, field));
        let newRows = 0;
        for (const [timeMs, ...values] of table.rows(index)) {
          yield [...stationCells, new Date(timeMs), ...values];
          if (++newRows < SLICE_ROWS) continue;
          await pace.step(newRows);
          newRows = 0;
        }
        await pace.step(newRows);
      }
    }
    await streamWorkbook(sink, rows(), {
      name: table.sheet,
      columns: columnDefs(fields, table),
      maxRowsPerSheet: sheetRows,
      zip64: needsZip64(table, sheetRows, source.stations, fields),
    });
  };
  return writeThroughSink(path, write, options);
}

async function streamWorkbook(
  sink: ByteSink,
  rows: Iterable<CellValue[]> | AsyncIterable<CellValue[]>,
  options: XlsxWriteStreamOptions,
): Promise<void> {
  const bytes = writeXlsxStream(rows, { freezePane: { rows: 1 }, ...options });
  for await (const part of bytes) await sink.write(part);
}

/** Whether a sheet, or all of them compressed, may exceed what a ZIP file without ZIP64 can hold. */
function needsZip64(
  { maxRows, columns }: Table,
  sheetRows: number,
  stations: readonly FileStation[],
  fields: readonly StationField[],
): boolean {
  // A character of XML takes at most six bytes for each of the text.
  const textBytes = stations.map((s) =>
    fields.reduce((sum, field) => sum + CELL_BYTES + 6 * Buffer.byteLength(String(stationValue(s, field))), 0),
  );
  const rowBytes = textBytes.reduce((a, b) => Math.max(a, b), 0) + CELL_BYTES * (2 + columns.length);
  const sheetBytes = rowBytes * Math.min(sheetRows, maxRows + 1);
  const fileBytes = PACKED_CELL_BYTES * (fields.length + 1 + columns.length) * maxRows;
  return Math.max(sheetBytes, fileBytes) > CLASSIC_ZIP_BYTES;
}

function columnDefs(fields: readonly string[], { columns, digits }: Table): ColumnDef[] {
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
  return column.kind === "scalar" ? orEmpty(column.values[row] ?? Number.NaN) : (column.values[row] ?? null);
}

function orEmpty(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
