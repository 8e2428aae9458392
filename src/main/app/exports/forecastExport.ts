import type { ExportForecast } from "#shared/bridge/methods/export.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { FORMATS } from "#shared/file/formats.ts";
import type { Column, SeriesSelection } from "#shared/series/rows.ts";
import { wholeRange } from "#shared/time/intervals.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { type Variable, type VariableKind, variableKind, withImpliedVariables } from "#shared/service/variables.ts";
import { type ExportPart, readBlocks, splitStations, wholeParts } from "../../export/source.ts";
import { siblingPath, sidecarPath } from "../../export/names.ts";
import { createPace } from "../pace.ts";
import type { CacheReader } from "../../store/index.ts";

/**
 * Estimates the files of an export before it is written.
 *
 * @param name of the first file
 */
export async function forecastExport(
  cache: CacheReader,
  unaligned: Omit<ExportRequest, "path">,
  name: string,
  signal: AbortSignal,
): Promise<Omit<ExportForecast, "command" | "incompleteStationIds">> {
  const request = { ...unaligned, range: wholeRange(unaligned.range, unaligned) };
  const { stations } = splitStations(cache.catalogue(), request.stationIds);
  const kinds = (["scalar", "satellite"] as const).filter((kind) => variablesOf(request, kind).length > 0);
  const fileNames: string[] = [];
  let rows = 0;
  let bytes = 0;
  let emptyShare: number | null = null;
  for (const kind of kinds) {
    const variables = variablesOf(request, kind);
    const part = { cache, request, stations, variables };
    const seen = sample(part);
    const epochs = await countEpochs(part, signal);
    const fileRows = Math.round(epochs * (seen?.rowsPerEpoch ?? 1));
    rows += fileRows;
    if (kind === "scalar" && isGrid(request)) emptyShare = emptyFraction(part, epochs);
    bytes += FORMATS[request.format].bytes({
      kind,
      epochs,
      rows: fileRows,
      stations: stations.length,
      months: monthsIn(request.range),
      charactersPerRow: seen?.charactersPerRow ?? 0,
      columns: variables.length,
    });
    const fileName = kind === "satellite" && kinds.length > 1 ? siblingPath(name, "-satellites") : name;
    if (request.format === "sqlite" && fileNames.length > 0) continue;
    fileNames.push(fileName);
    if (request.format === "sinex" && variables.includes("pwv") && variables.length > 1)
      fileNames.push(siblingPath(fileName, "-iwv"));
  }
  if (request.stationDetails === "file" && FORMATS[request.format].hasDetails === true)
    fileNames.push(siblingPath(name, "-stations"));
  const [first = name] = fileNames;
  return {
    rows,
    bytes: Math.round(bytes),
    fileNames: [...fileNames, sidecarPath(first)],
    suggestedName: name,
    emptyShare,
  };
}

function variablesOf(request: Pick<ExportRequest, "variables">, kind: VariableKind): Variable[] {
  return withImpliedVariables(request.variables).filter((v) => variableKind(v) === kind);
}

async function countEpochs({ cache, request, stations, variables }: ExportPart, signal: AbortSignal): Promise<number> {
  const { range, raw, intervalSeconds, resampled, zone } = request;
  const isScalar = variables.every((v) => variableKind(v) === "scalar");
  const omitsEmptyRows = isScalar && request.emptyRows !== true;
  const pace = createPace(signal);
  let epochs = 0;
  for (const station of stations) {
    await pace.yieldIfDue();
    const selection = { stationId: station.id, variables, range, raw };
    if (!resampled || intervalSeconds === null) {
      epochs += omitsEmptyRows
        ? mostValues(cache, selection, intervalSeconds)
        : cache.countRows({ ...selection, intervalSeconds });
      continue;
    }
    const parts = wholeParts(cache, station, variables, { range, intervalSeconds, raw, zone });
    const intervals = parts.reduce((sum, p) => sum + durationMs(p.range), 0) / (intervalSeconds * 1_000);
    epochs += Math.min(intervals, cache.countRows({ ...selection, intervalSeconds: null }));
  }
  return epochs;
}

function isGrid({ format, layout }: Pick<ExportRequest, "format" | "layout">): boolean {
  return FORMATS[format].kind === "array" && layout !== "ragged";
}

/** Approximate fraction of empty cells in a grid, whose axis has for each day the epochs of the station with most rows. */
function emptyFraction({ cache, request, stations, variables }: ExportPart, epochs: number): number {
  const { range, raw, intervalSeconds, resampled } = request;
  const longest: number[] = [];
  for (const { id: stationId } of stations) {
    const selection = { stationId, range, raw, intervalSeconds: resampled ? null : intervalSeconds };
    for (const variable of variables)
      cache
        .countBins({ ...selection, variables: [variable] }, DAY_MS)
        .values.forEach((rows, day) => (longest[day] = Math.max(longest[day] ?? 0, rows)));
  }
  const perDay = resampled && intervalSeconds !== null ? DAY_MS / 1_000 / intervalSeconds : Number.POSITIVE_INFINITY;
  const cells = stations.length * longest.reduce((sum, rows) => sum + Math.min(rows, perDay), 0);
  return cells === 0 ? 0 : Math.max(0, 1 - epochs / cells);
}

/** Approximate number of rows with a value: that of the variable with most values. */
function mostValues(
  cache: CacheReader,
  { variables, ...selection }: Omit<SeriesSelection, "intervalSeconds">,
  intervalSeconds: number | null,
): number {
  const valuesOf = (variable: Variable): number =>
    cache
      .countBins({ ...selection, intervalSeconds, variables: [variable] }, DAY_MS)
      .values.reduce((sum, n) => sum + n, 0);
  return Math.max(...variables.map(valuesOf));
}

function monthsIn({ startMs, endMs }: TimeRange): number {
  const [first, last] = [new Date(startMs), new Date(endMs - 1)];
  return 12 * (last.getUTCFullYear() - first.getUTCFullYear()) + last.getUTCMonth() - first.getUTCMonth() + 1;
}

/** Averages over a few rows, from which the size of a file is estimated without reading it all. */
interface Sample {
  /** Rows of the file per epoch: 1 for scalar variables, else the number of satellites in view. */
  readonly rowsPerEpoch: number;
  /** Characters of one row's values, written as text. */
  readonly charactersPerRow: number;
}

const SAMPLED_ROWS = 300;

/** Samples the first station with rows; null if none has any. */
function sample({ cache, request, stations, variables }: ExportPart): Sample | null {
  for (const station of stations) {
    for (const block of readBlocks(cache, { ...request, variables }, station)) {
      const epochs = Math.min(SAMPLED_ROWS, block.timesMs.length);
      if (epochs === 0) continue;
      const characters = variables.reduce((sum, v) => sum + charactersOf(block.columns[v], epochs), 0);
      if (variables.every((v) => variableKind(v) === "scalar"))
        return { rowsPerEpoch: 1, charactersPerRow: characters / epochs };
      const satellites = satellitesOf(block.columns.prn, epochs);
      return satellites === 0 ? null : { rowsPerEpoch: satellites / epochs, charactersPerRow: characters / satellites };
    }
  }
  return null;
}

function charactersOf(column: Column | undefined, epochs: number): number {
  if (!column) return 0;
  let sum = 0;
  for (let i = 0; i < epochs; i++) {
    const value = column.values[i];
    if (typeof value === "string") sum += value.length;
    else if (typeof value === "number" && !Number.isNaN(value)) sum += String(value).length;
  }
  return sum;
}

function satellitesOf(prn: Column | undefined, epochs: number): number {
  if (prn?.kind !== "text") return 0;
  let sum = 0;
  for (const text of prn.values.slice(0, epochs)) if (text) sum += text.split(",").length;
  return sum;
}
