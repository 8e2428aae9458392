import { type FileLayout, MOSTLY_EMPTY } from "#shared/file/export.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { appendRuns, commonStepMs, emptyRuns, runEndMs, type Runs, unionRuns } from "#shared/time/runs.ts";
import { type FormatError, FormatFailure } from "../error.ts";
import {
  guarded,
  type LayoutReport,
  outOfOrder,
  Pace,
  type SeriesFileSource,
  timesOf,
  type WriteOptions,
  type WrittenFile,
} from "../source.ts";
import { globalAttributes } from "./globals.ts";
import type { RowsTask } from "./columns.ts";
import { writeGrid, writeRagged } from "./grid.ts";
import type { NetcdfSink } from "./sink.ts";
import { writeDescriptions, writePositions, writeReferenceSystem } from "./stationVariables.ts";
import { type NetcdfContainer, writeArrays } from "./writeArrays.ts";

export { type SatelliteSurvey, surveySatellites } from "./satellites/survey.ts";
export { writeSatelliteNetcdf } from "./satellites/write.ts";
export type { NetcdfContainer } from "./writeArrays.ts";

/** With more runs (6 MB), times are too irregular for a grid to be chosen automatically. */
const MAX_AUTO_RUNS = 262_144;

/** With more runs (100 MB), a requested grid is refused. */
const MAX_GRID_RUNS = 4_194_304;

/** Result of the first pass over the times. */
interface Survey {
  readonly layout: FileLayout;
  /** Rows of each station, in the order of the source. */
  readonly rowCounts: readonly number[];
  readonly rows: number;
  /** Union of the times of all stations; null for the ragged layout. */
  readonly axis: Runs | null;
  /** First and last moment; null without rows. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** The usual step of all stations; null if unknown or different. */
  readonly stepMs: number | null;
}

/** Reads the times of every station once and determines the layout of the file. */
async function surveySource(source: SeriesFileSource, requested: FileLayout | "auto", pace: Pace): Promise<Survey> {
  const maxRuns = requested === "grid" ? MAX_GRID_RUNS : MAX_AUTO_RUNS;
  const rowCounts: number[] = [];
  let axis: Runs | null = emptyRuns();
  const steps = new Set<number>();
  let firstMs: number | null = null;
  let lastMs: number | null = null;
  for (let station = 0; station < source.stations.length; station++) {
    const own = emptyRuns();
    let rows = 0;
    for (const times of guarded(() => timesOf(source, station))) {
      rows += times.total;
      const [first, last] = [times.list[0], times.list.at(-1)];
      if (first && last) {
        firstMs = Math.min(firstMs ?? Number.POSITIVE_INFINITY, first.startMs);
        lastMs = Math.max(lastMs ?? Number.NEGATIVE_INFINITY, runEndMs(last));
      }
      if (own.list.length <= maxRuns && !appendRuns(own, times)) throw outOfOrder();
      await pace.step();
    }
    rowCounts.push(rows);
    const step = commonStepMs(own);
    if (step !== null) steps.add(step);
    axis = requested !== "ragged" && axis && own.list.length <= maxRuns ? unionRuns(axis, own, maxRuns) : null;
  }
  if (requested === "grid" && axis === null)
    throw new FormatFailure(
      "tooLarge",
      "The times of these stations are too irregular for a grid of time and station. Choose the ragged layout.",
    );
  const rows = rowCounts.reduce((sum, n) => sum + n, 0);
  const [stepMs = null] = steps.size === 1 ? steps : [];
  const layout = requested === "auto" ? bestLayout(rows, source.stations.length, axis) : requested;
  return { layout, rowCounts, rows, axis: layout === "grid" ? axis : null, firstMs, lastMs, stepMs };
}

/** Summarizes the layout for the caller of a writer. */
function layoutReport({ stations }: SeriesFileSource, { layout, axis, rows }: Survey): LayoutReport {
  const moments = axis?.total ?? null;
  const cells = stations.length * (moments ?? 0);
  return { layout, stations: stations.length, moments, emptyShare: cells === 0 ? 0 : 1 - rows / cells };
}

function bestLayout(rows: number, stations: number, axis: Runs | null): FileLayout {
  if (rows === 0) return "grid";
  if (!axis) return "ragged";
  return rows >= (1 - MOSTLY_EMPTY) * stations * axis.total ? "grid" : "ragged";
}

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
  const writing = (file: NetcdfSink, survey: Survey): Promise<void> => fill({ file, source, pace }, survey, options);
  const result = await writeArrays(path, container, { prepare, fill: writing, pace }, options);
  if (!result.ok) return failure(result.error);
  const { value: survey, bytes } = result.value;
  options.onProgress?.(survey.rows);
  return success({ path, bytes, rows: survey.rows, layout: survey.layout });
}

async function fill(
  { file, source, pace }: Pick<RowsTask, "file" | "source" | "pace">,
  survey: Survey,
  options: NetcdfOptions,
): Promise<void> {
  const { maxTextCharacters = DEFAULT_TEXT_CHARACTERS } = options;
  const { stations } = source;
  file.globals(globalAttributes(source, survey));
  if (survey.axis) file.declare("time", survey.axis.total, true);
  file.dimension("station", stations.length);
  const ids = stations.map((s) => s.id);
  file.names("station_id", "station", ids, {
    long_name: "station identifier of the service",
    cf_role: "timeseries_id",
  });
  const coordinates = [...writePositions(file, "station", stations), "station_id", "station_name"];
  writeDescriptions(file, "station", stations);
  writeReferenceSystem(file, stations);
  const task = { file, source, rowCounts: survey.rowCounts, coordinates, maxTextCharacters, pace };
  await (survey.axis ? writeGrid(task, survey.axis) : writeRagged(task));
}
