import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { asFormatError, type FormatError } from "#formats/error.ts";
import { costProblem, sinexProblem } from "#formats/problems.ts";
import type { DataSource, SeriesFileSource, FileProvenance } from "#formats/source.ts";
import { FileGroup } from "#formats/fileGroup.ts";
import { resolveTarget } from "#formats/target.ts";
import { writeThroughTemporary } from "#formats/temporary.ts";
import { defined } from "#shared/defined.ts";
import { SNIPPET_LANGUAGES, snippetOf } from "#shared/snippets/index.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { listProblems, type SatelliteProblemCount } from "#shared/satellites/problems.ts";
import { DAY_SECONDS, wholeRange, zoneOf } from "#shared/time/intervals.ts";
import { isEmpty } from "#shared/time/range.ts";
import {
  type VariableKind,
  variableKind,
  withImpliedVariables,
  type Variable,
  variableInfo,
} from "#shared/service/variables.ts";
import { type AppFault, usageFailure, usageFault } from "#shared/fault.ts";
import type { CacheReader } from "../store/index.ts";
import { describeExport, type ExportDescription } from "./describe.ts";
import { cacheSource, listedStations, NO_KNOWN_STATION, splitStations } from "./source.ts";
import { sidecarPath } from "./names.ts";
import type { ExportOptions } from "./writers.ts";
import type { ExportReport, ExportRequest } from "#shared/file/export.ts";
import { type ExportFormat, FORMATS } from "#shared/file/formats.ts";
import { many } from "#shared/text.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { PROGRAM } from "../program.ts";

export type { ExportOptions } from "./writers.ts";

/**
 * Writes a selection of the cache to files: in most formats one for scalar variables and one for satellite variables,
 * and a sidecar that lists the request, the gaps and their causes. Stations that are not in the catalogue are named as
 * missing; an export of no other stations fails. A stream, such as a pipe, gets a single file. Memory stays constant for
 * any range. The files get their names together when all of them are complete: after a failure or a
 * cancellation, files that they would have replaced are unchanged. Only the update of a Parquet dataset changes it in place.
 *
 * @param source of the rows
 */
export async function exportSeries(
  cache: CacheReader,
  source: DataSource,
  requested: ExportRequest,
  options: ExportOptions,
): Promise<Result<ExportReport, AppFault>> {
  // Rows are of whole intervals, so the range must be too.
  const request = { ...requested, range: wholeRange(requested.range, requested) };
  const { stations, unknownIds: unknownStationIds } = splitStations(cache.catalogue(), request.stationIds);
  if (request.stationIds.length === 0) return usageFailure("No station is selected: choose at least one to export.");
  if (stations.length === 0) return NO_KNOWN_STATION;
  if (request.variables.length === 0) return usageFailure("No variable is selected: choose at least one to export.");
  if (isEmpty(request.range)) return usageFailure("The range is empty: its end must be after its start.");

  const problem = contentProblem(request);
  if (problem) return failure(problem);

  const sidecar = describeExport(cache, request, { stations, unknownStationIds }, source);
  // Files of arrays are joined by position: the same request always has the same stations.
  const listed = FORMATS[request.format].kind === "array" ? listedStations(stations, request) : stations;
  const sourceOf = (kind: VariableKind): SeriesFileSource | null => {
    const variables = withImpliedVariables(request.variables).filter((v) => variableKind(v) === kind);
    if (variables.length === 0) return null;
    return cacheSource({ cache, request, stations: listed, variables }, provenanceOf(request, variables, sidecar));
  };
  const target = await resolveTarget(request.path).catch((thrown: unknown) => asFormatError(thrown, request.path));
  if ("message" in target) return failure(formatFault(target));
  const isStream = target.kind === "stream";

  const sources = { series: sourceOf("scalar"), satellites: sourceOf("satellite") };
  const stationDetails = FORMATS[request.format].hasDetails === true ? (request.stationDetails ?? "name") : "name";
  const streamed = isStream ? streamProblem(request, sources, stationDetails) : null;
  if (streamed !== null) return usageFailure(streamed);
  const satelliteProblems: SatelliteProblemCount[] = [];
  const storedMode = { intervalSeconds: request.resampled ? null : request.intervalSeconds, raw: request.raw };
  await using group = new FileGroup(options.onComplete);
  // Only a command that writes files needs the formats and their libraries.
  const { WRITERS } = await import("./writers.ts");
  const written = await WRITERS[request.format](request.path, sources, {
    ...options,
    group,
    onSatelliteProblems: (counts) => satelliteProblems.push(...listProblems(counts)),
    stationDetails,
    layout: request.layout ?? "grid",
    timeSystem: request.timeSystem ?? "utc",
    coverageOf: request.isUpdate ? (id, variable) => cache.coverage(id, variable, storedMode) : null,
  });
  if (!written.ok) return failure(formatFault(written.error));

  const { files, rows, updated } = written.value;
  const { stationIdsWithoutValues: stationIdsWithoutRows } = sidecar;
  const missing = { stationIdsWithoutRows, unknownStationIds, satelliteProblems };
  if (isStream) return success({ files, sidecarPath: null, rows, ...missing });
  const description = sidecarPath(defined(files[0]).path);
  const names = files.map((f) => basename(f.path));
  const contents = await Promise.all(files.map(async (file) => group.contentOf(file.path))).catch((thrown: unknown) =>
    asFormatError(thrown, description),
  );
  if ("message" in contents) return failure(formatFault(contents));
  const text = sidecar.text({
    run: randomUUID(),
    files: files.map((file, i) => ({ name: basename(file.path), ...defined(contents[i]) })),
    howToOpen: howToOpen(request, names, options),
    ...(satelliteProblems.length > 0 ? { satelliteProblems } : {}),
  });
  const described = await writeThroughTemporary(description, (path) => writeFile(path, text), { group });
  const placed = described.ok ? await group.place() : described;
  if (!placed.ok) return failure(formatFault(placed.error));
  return success({
    files,
    sidecarPath: description,
    rows,
    ...missing,
    ...(updated ? { updated } : {}),
  });
}

/** Why the files of a request cannot be written to a stream, which takes one; null if they can. */
function streamProblem(
  { path, format }: ExportRequest,
  { series, satellites }: { readonly series: SeriesFileSource | null; readonly satellites: SeriesFileSource | null },
  stationDetails: NonNullable<ExportRequest["stationDetails"]>,
): string | null {
  if (series && satellites && format !== "sqlite")
    return `${path} takes one file, and satellites are written to a separate file. Choose either the scalar variables or the satellites.`;
  if (format === "sinex" && series !== null && series.variables.length > 1 && series.variables.includes("pwv"))
    return `${path} takes one file, and SINEX_TRO has PWV in a second one. Choose ZTD or PWV.`;
  if (format === "zarr") return `${path} takes one file, and a Zarr store is a folder. Choose another format.`;
  if (stationDetails === "file") return `${path} takes one file, and a table of stations is a second one.`;
  return null;
}

/** Returns what the format cannot contain, before anything is read; null if nothing. */
export function contentProblem(
  request: Pick<ExportRequest, "format" | "variables" | "intervalSeconds" | "resampled" | "zone" | "isUpdate">,
): AppFault | null {
  const { format, variables, intervalSeconds } = request;
  const implied = withImpliedVariables(variables);
  const problem =
    zoneProblem(request) ??
    (format === "sinex" ? sinexProblem(implied) : format === "cost" ? costProblem(implied, intervalSeconds) : null);
  return problem === null ? null : usageFault(problem);
}

/** Formats whose header states one length of all intervals. */
const EQUAL_INTERVALS: ReadonlySet<ExportFormat> = new Set(["sinex", "cost"]);

/** Why a file cannot contain means of local days; null if it can, or has none. */
function zoneProblem({
  format,
  zone,
  intervalSeconds,
  resampled,
  isUpdate,
}: Parameters<typeof contentProblem>[0]): string | null {
  if (zone === undefined) return null;
  if (intervalSeconds !== DAY_SECONDS || !resampled)
    return "Days of a time zone are averaged here from observations: choose means of 1 day that are averaged here.";
  if (EQUAL_INTERVALS.has(format))
    return `${FORMATS[format].name} has intervals of one length, and days of ${zone} have 23 to 25 hours. Choose another format, or days in UTC.`;
  if (isUpdate) return "A dataset is updated in months of UTC, which days of a time zone do not divide.";
  return null;
}

/** Returns scripts that open the files, by language, as lists of lines, which are readable in JSON. */
function howToOpen(
  request: ExportRequest,
  names: readonly string[],
  { filesOnly }: ExportOptions,
): Record<string, readonly string[]> {
  const snippets = SNIPPET_LANGUAGES.map(
    (language) => [language, snippetOf(language, request, names, filesOnly)] as const,
  );
  return Object.fromEntries(
    snippets.flatMap(([language, text]) => (text === null ? [] : [[language, text.trimEnd().split("\n")]])),
  );
}

/** Converts an error of a format to a fault. */
export function formatFault(error: FormatError): AppFault {
  const kind = error.kind === "cancelled" ? "cancelled" : error.kind === "invalid" ? "usage" : "disk";
  return { kind, message: error.message, cause: error.cause };
}

/**
 * Returns the provenance of a file, for its global attributes.
 *
 * @param variables of this file: a request may fill two
 */
function provenanceOf(
  request: ExportRequest,
  variables: readonly Variable[],
  description: ExportDescription,
): FileProvenance {
  const labels = variables.map((v) => variableInfo(v).label);
  const zone = zoneOf(request);
  const averaging =
    request.intervalSeconds === null
      ? "every observation"
      : zone === undefined
        ? `${request.intervalSeconds} s means`
        : `means of the days of ${zone}`;
  const made = request.resampled ? ", averaged locally from native observations" : "";
  return {
    title: `${description.isSimulated ? "Simulated data: " : ""}${labels.join(", ")}, ${formatUtcShort(request.range.startMs)} to ${formatUtcShort(request.range.endMs)}`,
    summary: `${description.isSimulated ? "Simulated measurements, no observations," : "GNSS-derived measurements"} of ${many(description.stationCount, "reference station")}, ${averaging}${made}.`,
    institution: description.institution,
    service: description.service,
    isSimulated: description.isSimulated,
    program: PROGRAM,
    createdAtMs: description.createdAtMs,
    query: JSON.stringify({
      station_ids: request.stationIds,
      data_vars: request.variables,
      start_time: formatUtcShort(request.range.startMs),
      end_time: formatUtcShort(request.range.endMs),
      interval_seconds: request.intervalSeconds,
      time_zone: zone,
      raw: request.raw,
    }),
    coverage: description.coverageSentence,
  };
}
