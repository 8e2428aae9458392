import { rename, rm, stat, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { writeSatelliteCsv, writeTimeSeriesCsv } from "#formats/csv/index.ts";
import type { FormatError } from "#formats/error.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { writeSatelliteNetcdf } from "#formats/satellites/netcdf.ts";
import type { SeriesFileSource, WriteOptions } from "#formats/source.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { alignOutward } from "#shared/time/interval.ts";
import { isEmpty } from "#shared/time/range.ts";
import { variableKind, withImpliedVariables } from "#shared/service/variables.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import type { CacheReader } from "../store/types.ts";
import { describeExport } from "./describe.ts";
import { siblingPath, sidecarPath } from "./paths.ts";
import { provenanceOf } from "./provenance.ts";
import { cacheSource } from "./source.ts";
import type { ExportReport, ExportRequest } from "#shared/file/export.ts";

export type ExportOptions = WriteOptions;

interface Written {
  readonly paths: readonly string[];
  readonly rows: number;
}

/**
 * Writes a selection of the cache to files: one for the scalar variables, one for the per-satellite ones, and a sidecar
 * that tells what was asked, what is missing, and why. Memory stays flat for any range. Each file appears under its
 * name only when it is complete; after a failure or a cancellation none of an unfinished one is left.
 *
 * @param serviceOrigin where the rows came from, without key, user or path
 */
export async function exportSeries(
  cache: CacheReader,
  serviceOrigin: string,
  asked: ExportRequest,
  options: ExportOptions,
): Promise<Result<ExportReport, AppFault>> {
  const { intervalSeconds } = asked;
  // A row of an interval is that of the whole interval, so the range is one of whole intervals too.
  const request = intervalSeconds === null ? asked : { ...asked, range: alignOutward(asked.range, intervalSeconds) };
  const known = new Map(cache.catalogue().stations.map((s) => [s.id, s]));
  const stations = [...new Set(request.stationIds)].flatMap((id) => known.get(id) ?? []);
  const unknown = request.stationIds.find((id) => !known.has(id));
  if (unknown !== undefined)
    return failure(usageFault(`Station ${unknown} is not in the catalogue of this connection.`));
  if (stations.length === 0) return failure(usageFault("No station is selected: choose at least one to export."));
  if (request.variables.length === 0)
    return failure(usageFault("No variable is selected: choose at least one to export."));
  if (isEmpty(request.range)) return failure(usageFault("The range is empty: its end must be after its start."));

  const sidecar = describeExport(cache, request, stations, serviceOrigin);
  const written: Written[] = [];
  for (const kind of ["scalar", "satellite"] as const) {
    const variables = withImpliedVariables(request.variables).filter((v) => variableKind(v) === kind);
    if (variables.length === 0) continue;
    const path = kind === "scalar" ? request.path : satellitePath(request);
    const source = cacheSource(cache, request, stations, variables, provenanceOf(request, sidecar));
    const result = await write(kind, path, source, request, options);
    if (!result.ok) {
      await takeBack(written);
      return failure(formatFault(result.error));
    }
    written.push(result.value);
  }

  const paths = written.flatMap((w) => w.paths);
  const description = sidecarPath(paths[0]!);
  const kept = await writeSidecar(description, sidecar.text(paths.map((p) => basename(p))));
  if (!kept.ok) {
    await takeBack(written);
    return kept;
  }
  return success({
    files: await Promise.all(paths.map(async (path) => ({ path, bytes: (await stat(path)).size }))),
    sidecarPath: description,
    rows: written.reduce((n, w) => n + w.rows, 0),
    stationIdsWithoutRows: sidecar.stationIdsWithoutValues,
  });
}

/** Half of an export, without what describes it, would pass for the whole. */
async function takeBack(written: readonly Written[]): Promise<void> {
  for (const path of written.flatMap((w) => w.paths)) await rm(path, { force: true });
}

function satellitePath(request: ExportRequest): string {
  const alone = request.variables.every((v) => variableKind(v) === "satellite");
  return alone ? request.path : siblingPath(request.path, "-satellites");
}

async function write(
  kind: "scalar" | "satellite",
  path: string,
  source: SeriesFileSource,
  request: ExportRequest,
  options: ExportOptions,
): Promise<Result<Written, FormatError>> {
  if (request.format === "netcdf") {
    const done = await (kind === "scalar" ? writeTimeSeriesNetcdf : writeSatelliteNetcdf)(path, source, options);
    if (!done.ok) return done;
    return success({ paths: [path], rows: done.value.rows });
  }
  const preset = request.format === "excel" ? "excel" : "standard";
  const done = await (kind === "scalar" ? writeTimeSeriesCsv : writeSatelliteCsv)(path, source, { ...options, preset });
  if (!done.ok) return done;
  return success({ paths: done.value.paths, rows: done.value.rows });
}

async function writeSidecar(path: string, text: string): Promise<Result<null, AppFault>> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text, { flush: true });
    await rename(temporary, path);
    return success(null);
  } catch (reason) {
    await rm(temporary, { force: true });
    const cause = reason instanceof Error ? reason.message : String(reason);
    return failure({ kind: "disk", message: `The description ${path} could not be written: ${cause}`, cause });
  }
}

function formatFault(error: FormatError): AppFault {
  const kind = error.kind === "cancelled" ? "cancelled" : error.kind === "invalid" ? "usage" : "disk";
  return { kind, message: error.message, cause: error.cause };
}
