import { besideName } from "#shared/file/besideName.ts";
import { maxRowsPerFile } from "#formats/csv/options.ts";
import type { ExportForecast } from "#shared/bridge/export.ts";
import type { ExportFormat, ExportRequest } from "#shared/file/export.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { alignOutward } from "#shared/time/interval.ts";
import { type CatalogueStation, knownStations } from "#shared/service/catalogue.ts";
import { type Variable, type VariableKind, variableKind, withImpliedVariables } from "#shared/service/variables.ts";
import { siblingPath, sidecarPath } from "../../export/paths.ts";
import { wholeIntervals } from "../../export/wholeIntervals.ts";
import type { CacheReader } from "../../store/types.ts";
import { politely } from "../politely.ts";
import { expectedBytes } from "./size.ts";
import { sample } from "./sample.ts";

/**
 * The files of an export before it is written, without the stations of which parts are missing.
 *
 * @param name of the first file
 */
export async function forecast(
  cache: CacheReader,
  asked: Omit<ExportRequest, "path">,
  name: string,
  signal: AbortSignal,
): Promise<Omit<ExportForecast, "incompleteStationIds">> {
  const { intervalSeconds } = asked;
  const request = intervalSeconds === null ? asked : { ...asked, range: alignOutward(asked.range, intervalSeconds) };
  const known = new Map(knownStations(cache.catalogue()).map((s) => [s.id, s]));
  const stations = [...new Set(request.stationIds)].flatMap((id) => known.get(id) ?? []);
  const kinds = (["scalar", "satellite"] as const).filter((kind) => variablesOf(request, kind).length > 0);
  const fileNames: string[] = [];
  let rows = 0;
  let bytes = 0;
  for (const kind of kinds) {
    const variables = variablesOf(request, kind);
    const seen = sample(cache, request, stations, variables);
    const epochs = await countEpochs(cache, request, stations, variables, signal);
    // Parquet has the texts of the service as they are; elsewhere each satellite has a row.
    const rowsPerEpoch = request.format === "parquet" ? 1 : (seen?.rowsPerEpoch ?? 1);
    const ownRows = Math.round(epochs * rowsPerEpoch);
    rows += ownRows;
    bytes += expectedBytes(request.format, {
      kind,
      epochs,
      rows: ownRows,
      stations: stations.length,
      months: monthsIn(request.range),
      charactersPerRow: seen ? (seen.charactersPerRow * seen.rowsPerEpoch) / rowsPerEpoch : 0,
      columns: variables.length,
    });
    const own = kind === "satellite" && kinds.length > 1 ? siblingPath(name, "-satellites") : name;
    if (request.format === "sqlite" && fileNames.length > 0) continue;
    fileNames.push(...partNames(own, request.format, ownRows));
  }
  const [first = name] = fileNames;
  return { rows, bytes: Math.round(bytes), fileNames: [...fileNames, sidecarPath(first)], suggestedName: name };
}

function variablesOf(request: Pick<ExportRequest, "variables">, kind: VariableKind): Variable[] {
  return withImpliedVariables(request.variables).filter((v) => variableKind(v) === kind);
}

async function countEpochs(
  cache: CacheReader,
  request: Omit<ExportRequest, "path">,
  stations: readonly CatalogueStation[],
  variables: readonly Variable[],
  signal: AbortSignal,
): Promise<number> {
  const { range, raw, intervalSeconds, resampled } = request;
  let epochs = 0;
  const count = (station: CatalogueStation): void => {
    const selection = { stationId: station.id, variables, range, raw };
    if (!resampled || intervalSeconds === null) {
      epochs += cache.countRows({ ...selection, intervalSeconds });
      return;
    }
    const whole = wholeIntervals(cache, station, variables, range, intervalSeconds, raw);
    const intervals = whole.reduce((sum, r) => sum + durationMs(r), 0) / (intervalSeconds * 1_000);
    epochs += Math.min(intervals, cache.countRows({ ...selection, intervalSeconds: null }));
  };
  await politely(stations, count, signal);
  return epochs;
}

function monthsIn({ startMs, endMs }: TimeRange): number {
  const [first, last] = [new Date(startMs), new Date(endMs - 1)];
  return 12 * (last.getUTCFullYear() - first.getUTCFullYear()) + last.getUTCMonth() - first.getUTCMonth() + 1;
}

/** As the writer of spreadsheets names its parts. */
function partNames(name: string, format: ExportFormat, rows: number): string[] {
  const most = maxRowsPerFile({ preset: format === "excel" ? "excel" : "standard" });
  if (rows <= most) return [name];
  return Array.from({ length: Math.ceil(rows / most) }, (_, i) => besideName(name, `-${i + 1}`));
}
