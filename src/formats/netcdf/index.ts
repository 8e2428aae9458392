import type { FileLayout } from "#shared/file/export.ts";
import { failure, success, type Result } from "#shared/service/error.ts";
import type { FormatError } from "../error.ts";
import { FormatFailure } from "../error.ts";
import { Pace } from "../pace.ts";
import type { SeriesFileSource, WriteOptions, WrittenFile } from "../source.ts";
import { type NetcdfContainer, writeArrays } from "./writeArrays.ts";
import { globalAttributes } from "./globals.ts";
import { writeRagged } from "./ragged.ts";
import { writeGrid } from "./grid.ts";
import type { NetcdfSink } from "./sink.ts";
import { writeDescriptions, writePositions, writeReferenceSystem } from "./stationVariables.ts";
import { layoutReport, surveySource, type Survey } from "./survey.ts";

export interface NetcdfOptions extends WriteOptions {
  /** Default: netcdf4. */
  readonly container?: NetcdfContainer | "zarr";
  /** auto (the default) is ragged if more than 80 % of a grid would be fill values: for the service, which cannot ask the user. */
  readonly layout?: FileLayout | "auto";
  /** Limit of per-satellite texts, which have to be kept in memory. */
  readonly maxTextCharacters?: number;
}

interface WrittenNetcdf extends WrittenFile {
  readonly layout: FileLayout;
}

const DEFAULT_TEXT_CHARACTERS = 256 * 1024 * 1024;

/**
 * Writes series as NetCDF by CF-1.8 (featureType timeSeries) and ACDD-1.3. Scalars are doubles in millimetres, bit for
 * bit those of the source; times are seconds since 1970 in UTC; per-satellite variables are comma-separated texts.
 * Memory does not grow with the number of rows (except for texts). A Zarr store is a folder with the same variables. The
 * file gets its name only when it is complete. It includes stations without rows.
 */
export async function writeTimeSeriesNetcdf(
  path: string,
  source: SeriesFileSource,
  options: NetcdfOptions = {},
): Promise<Result<WrittenNetcdf, FormatError>> {
  const { container = "netcdf4", layout = "auto" } = options;
  const pace = new Pace(options);
  const prepare = async (): Promise<Survey> => {
    if (source.stations.length === 0) throw new FormatFailure("invalid", "A file needs at least one station.");
    const survey = await surveySource(source, layout, new Pace({ ...options, onProgress: () => {} }));
    options.onLayout?.(layoutReport(source, survey));
    return survey;
  };
  const writing = (file: NetcdfSink, survey: Survey): Promise<void> => fill(file, source, survey, options, pace);
  const result = await writeArrays(path, container, { prepare, fill: writing, pace }, options);
  if (!result.ok) return failure(result.error);
  const { value: survey, bytes } = result.value;
  options.onProgress?.(survey.rows);
  const stationsWithRows = survey.rowCounts.filter((n) => n > 0).length;
  return success({ path, bytes, stationsWithRows, rows: survey.rows, layout: survey.layout });
}

async function fill(
  file: NetcdfSink,
  source: SeriesFileSource,
  survey: Survey,
  options: NetcdfOptions,
  pace: Pace,
): Promise<void> {
  const maxText = options.maxTextCharacters ?? DEFAULT_TEXT_CHARACTERS;
  const { stations } = source;
  file.globals(globalAttributes(source, survey));
  if (survey.axis) file.declare("time", survey.axis.total, true);
  file.dimension("station", stations.length);
  const ids = stations.map((s) => s.id);
  file.names("station_id", "station", ids, {
    long_name: "station identifier of the service",
    cf_role: "timeseries_id",
  });
  const coordinates = [...writePositions(file, "station", stations), "station_id"];
  writeDescriptions(file, "station", stations);
  writeReferenceSystem(file, stations);
  if (survey.axis) await writeGrid(file, source, survey.axis, survey.rowCounts, coordinates, maxText, pace);
  else await writeRagged(file, source, survey.rowCounts, coordinates, maxText, pace);
}
