import { writeCost } from "#formats/cost/index.ts";
import { writeSatelliteCsv, writeStationsCsv, writeTimeSeriesCsv } from "#formats/csv/index.ts";
import { type FormatError, FormatFailure } from "#formats/error.ts";
import type { OnComplete } from "#formats/fileGroup.ts";
import { type NetcdfContainer, writeSatelliteNetcdf, writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import {
  type CoverageOf,
  type UpdatedPartitions,
  updateParquetDataset,
  writeParquetDataset,
  writeParquetFile,
} from "#formats/parquet/index.ts";
import { writeSinexTro } from "#formats/sinex/index.ts";
import type { FileStation, SeriesFileSource, WriteOptions } from "#formats/source.ts";
import type { StationField } from "#formats/stationFields.ts";
import { resolveTarget } from "#formats/target.ts";
import { writeSatelliteXlsx, writeStationsXlsx, writeTimeSeriesXlsx } from "#formats/xlsx/index.ts";
import type { ExportedFile, FileLayout, StationDetails, TimeSystem } from "#shared/file/export.ts";
import type { ExportFormat } from "#shared/file/formats.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { siblingPath } from "./names.ts";
import type { ExportSources } from "./source.ts";
import { writePlainSqlite } from "./sqlite.ts";
import { onlyVariables } from "./valueRows.ts";

export interface ExportOptions extends WriteOptions {
  /** Write no folders, for a shell that can only deliver files. */
  readonly filesOnly?: boolean;
  readonly onComplete?: OnComplete;
}

interface WriterOptions extends ExportOptions {
  /** For tables: see `ExportRequest`. */
  readonly stationDetails: StationDetails;
  /** For arrays. */
  readonly layout: FileLayout;
  /** For SINEX_TRO. */
  readonly timeSystem: TimeSystem;
  /** For Parquet: write only new and changed rows into the existing dataset, by what is known; null for a new one. */
  readonly coverageOf: CoverageOf | null;
}

interface Written {
  readonly updated?: UpdatedPartitions;
  readonly files: readonly ExportedFile[];
  readonly rows: number;
}

type Writer = (path: string, sources: ExportSources, options: WriterOptions) => Promise<Result<Written, FormatError>>;
type FileWriter = (
  path: string,
  source: SeriesFileSource,
  options: WriterOptions,
) => Promise<Result<Written, FormatError>>;

export const WRITERS: Readonly<Record<ExportFormat, Writer>> = {
  netcdf: netcdf("netcdf4"),
  netcdf3: netcdf("netcdf3"),
  zarr: (path, sources, options) =>
    options.filesOnly ? Promise.resolve(NO_FOLDER) : netcdf("zarr")(path, sources, options),
  csv: table(writeTimeSeriesCsv, writeSatelliteCsv, writeStationsCsv),
  excel: table(writeTimeSeriesXlsx, writeSatelliteXlsx, writeStationsXlsx),
  parquet: inFiles(parquet, parquet),
  // `contentProblem` has refused what it cannot contain.
  sinex: inFiles(sinex, sinex),
  cost: inFiles(cost, cost),
  async sqlite(path, sources, options) {
    const done = await writePlainSqlite(path, sources, options);
    if (!done.ok) return done;
    return success({ files: [{ path, bytes: done.value.bytes }], rows: done.value.rows });
  },
};

/** Returns a writer of one file for each kind of variable; satellites get a sibling file. */
function inFiles(writeSeries: FileWriter, writeSatellites: FileWriter): Writer {
  return async (path, { series, satellites }, options) => {
    const first = series ? await writeSeries(path, series, options) : null;
    if (first && !first.ok) return first;
    if (!satellites) return first ?? success({ files: [], rows: 0 });
    const place = first ? siblingPath(path, "-satellites") : path;
    const second = await writeSatellites(place, satellites, options);
    if (!first) return second;
    if (!second.ok) return second;
    const files = [...first.value.files, ...second.value.files];
    return success({ files, rows: first.value.rows + second.value.rows });
  };
}

const NO_FOLDER = failure(
  new FormatFailure(
    "invalid",
    "A Zarr store is a folder, which a browser cannot save. Choose another format, or use the command line.",
  ).error,
);

function netcdf(container: NetcdfContainer | "zarr"): Writer {
  return inFiles(
    async (path, source, options) => oneFile(await writeTimeSeriesNetcdf(path, source, { ...options, container })),
    async (path, source, options) => oneFile(await writeSatelliteNetcdf(path, source, { ...options, container })),
  );
}

type TableResult = Promise<Result<ExportedFile & { readonly rows: number }, FormatError>>;
type TableOptions = WriteOptions & { readonly stationFields: readonly StationField[] };
type TableWriter = (path: string, source: SeriesFileSource, options: TableOptions) => TableResult;

function fieldsOf({ stationDetails }: WriterOptions): readonly StationField[] {
  return stationDetails === "columns"
    ? ["station_name", "latitude_deg", "longitude_deg", "height_m", "height_reference"]
    : ["station_name"];
}

/** Returns a writer of tables of rows and, if requested, of stations. */
function table(
  writeSeries: TableWriter,
  writeSatellites: TableWriter,
  writeStations: (path: string, stations: readonly FileStation[], options: WriteOptions) => TableResult,
): Writer {
  const writeRows = inFiles(
    async (path, source, options) =>
      oneFile(await writeSeries(path, source, { ...options, stationFields: fieldsOf(options) })),
    async (path, source, options) =>
      oneFile(await writeSatellites(path, source, { ...options, stationFields: fieldsOf(options) })),
  );
  return async (path, sources, options) => {
    const rows = await writeRows(path, sources, options);
    const source = sources.series ?? sources.satellites;
    if (!rows.ok || options.stationDetails !== "file" || source === null) return rows;
    const { signal, group } = options;
    const place = siblingPath(path, "-stations");
    const stations = oneFile(await writeStations(place, source.stations, { signal, group }));
    if (!stations.ok) return stations;
    return success({ files: [...rows.value.files, ...stations.value.files], rows: rows.value.rows });
  };
}

async function parquet(
  path: string,
  source: SeriesFileSource,
  options: WriterOptions,
): Promise<Result<Written, FormatError>> {
  if (options.coverageOf) {
    const done = await updateParquetDataset(path, source, options.coverageOf, options);
    if (!done.ok) return done;
    const { bytes, rows, written, unchanged, removed, kept } = done.value;
    return success({ files: [{ path, bytes }], rows, updated: { written, unchanged, removed, kept } });
  }
  const isFile = options.filesOnly === true || (await resolveTarget(path)).kind === "stream";
  return oneFile(await (isFile ? writeParquetFile : writeParquetDataset)(path, source, options));
}

/** Writes delays and water vapour to separate files: public readers do not accept rows of both. */
async function sinex(
  path: string,
  source: SeriesFileSource,
  options: WriterOptions,
): Promise<Result<Written, FormatError>> {
  const delays = source.variables.filter((v) => v !== "pwv");
  if (delays.length === 0 || delays.length === source.variables.length)
    return oneFile(await writeSinexTro(path, source, options));
  const first = oneFile(await writeSinexTro(path, onlyVariables(source, delays), options));
  if (!first.ok) return first;
  const vapour = onlyVariables(source, ["pwv"]);
  const second = oneFile(await writeSinexTro(siblingPath(path, "-iwv"), vapour, options));
  if (!second.ok) return second;
  return success({ files: [...first.value.files, ...second.value.files], rows: first.value.rows + second.value.rows });
}

async function cost(
  path: string,
  source: SeriesFileSource,
  options: WriterOptions,
): Promise<Result<Written, FormatError>> {
  return oneFile(await writeCost(path, source, options));
}

function oneFile(done: Result<ExportedFile & { readonly rows: number }, FormatError>): Result<Written, FormatError> {
  if (!done.ok) return failure(done.error);
  const { path, bytes, rows } = done.value;
  return success({ files: [{ path, bytes }], rows });
}
