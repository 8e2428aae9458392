import { writeFile } from "node:fs/promises";
import { boxedTexts, FIGURE_FONT, figureFile } from "#formats/figure/index.ts";
import { FileGroup, type OnComplete } from "#formats/fileGroup.ts";
import { writeThroughTemporary } from "#formats/temporary.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { FigureSettings, VectorFormat } from "#shared/file/figure.ts";
import { figurePage, sourceWords } from "#shared/plot/figure/page.ts";
import { type CachedSeries, MAX_LINES, readSeriesFigure, type SeriesReader } from "#shared/plot/figure/seriesFigure.ts";
import { figureTheme } from "#shared/plot/figure/themes.ts";
import { stationLabels } from "#shared/service/catalogue.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { formatFault } from "../../export/exportSeries.ts";
import { NO_KNOWN_STATION, splitStations } from "../../export/source.ts";
import { PROGRAM } from "../../program.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { dataSource } from "./dataSource.ts";
import { readAllGaps } from "../reading/gaps.ts";
import { createPace } from "../pace.ts";
import { readWindow } from "../reading/window.ts";
import type { UserStore } from "../../store/index.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { withExtension } from "#shared/file/fileName.ts";
import { isScalar } from "#shared/service/variables.ts";
import { firstFileName } from "./place.ts";

interface FigureRequest extends CachedSeries {
  readonly path: string;
  readonly format: VectorFormat;
  /** Size and appearance; format and resolution apply to the window only. */
  readonly look: FigureSettings;
}

export interface FigureReport {
  readonly path: string;
  readonly bytes: number;
  readonly widthMm: number;
  readonly heightMm: number;
  readonly stationIdsWithoutData: readonly string[];
  /** Title and station names with characters that the fonts of the file lack; the file shows boxes instead. */
  readonly boxedTexts: readonly string[];
  /** Number of stations that did not fit into the figure. */
  readonly notDrawn: number;
}

/** See `writeFigure`. */
export type DrawFigure = (
  connection: OpenConnection,
  request: FigureRequest,
  options: FigureOptions,
) => Promise<Result<FigureReport, AppFault>>;

interface FigureOptions {
  readonly signal: AbortSignal;
  readonly onComplete?: OnComplete;
}

/** Draws cached series into a file, as the window draws them. @throws the signal's reason, StoreError */
export async function writeFigure(
  connection: OpenConnection,
  users: Pick<UserStore, "jobs" | "verdicts">,
  { path, format, look, ...requested }: FigureRequest,
  { signal, onComplete }: FigureOptions,
): Promise<Result<FigureReport, AppFault>> {
  const catalogue = connection.cache.catalogue();
  const { stations, unknownIds } = splitStations(catalogue, requested.stationIds);
  if (stations.length === 0) return NO_KNOWN_STATION;
  const series = { ...requested, stationIds: stations.map((s) => s.id) };
  const names = stationLabels(catalogue);
  const nameOf = (id: string): string => names.get(id) ?? id;
  const read = await readSeriesFigure(readerOf(connection, users, signal), series, nameOf);
  if (!read.ok) return read;
  const nowMs = Date.now();
  const source = { ...connection.record, isSimulated: dataSource(connection).isSimulated };
  // The core does not know the current theme of the window.
  const theme = figureTheme(look.theme === "dark" ? "dark" : "light", FIGURE_FONT);
  const scene = read.value.compose(figurePage(look, theme, sourceWords(source, PROGRAM, nowMs), nowMs));
  const file = { widthMm: look.widthMm, createdMs: nowMs, program: PROGRAM };
  const content = await figureFile(scene, format, file);
  await using group = new FileGroup(onComplete);
  const write = (temporary: string): Promise<void> => writeFile(temporary, content, { signal });
  const written = await writeThroughTemporary(path, write, { signal, group });
  if (!written.ok) return failure(formatFault(written.error));
  const placed = await group.place();
  if (!placed.ok) return failure(formatFault(placed.error));
  return success({
    path,
    bytes: written.value.bytes,
    widthMm: look.widthMm,
    heightMm: (scene.height / scene.width) * look.widthMm,
    stationIdsWithoutData: [...read.value.stationIdsWithoutData, ...unknownIds],
    boxedTexts: boxedTexts([series.title ?? "", ...series.stationIds.slice(0, MAX_LINES).map(nameOf)], format),
    notDrawn: Math.max(0, series.stationIds.length - MAX_LINES),
  });
}

function readerOf(
  { cache, record, session }: OpenConnection,
  users: Pick<UserStore, "jobs" | "verdicts">,
  signal: AbortSignal,
): SeriesReader {
  const pace = createPace(signal);
  return {
    async window({ stationIds, ...query }) {
      const windows: SeriesWindow[] = [];
      for (const stationId of stationIds) {
        windows.push(await readWindow(cache, query, stationId, pace));
        await pace.yieldIfDue();
      }
      return success(windows);
    },
    async gaps(query) {
      const sources = { cache, users, connectionId: record.id, nowMs: session.time().latestMs };
      return success(await readAllGaps(sources, query, pace));
    },
  };
}

/** A figure that accompanies an exported file, without its path. */
export interface WantedFigure {
  readonly series: Pick<
    ExportRequest,
    "stationIds" | "variables" | "range" | "intervalSeconds" | "raw" | "resampled" | "zone"
  >;
  readonly format: VectorFormat;
  readonly template: string;
  /** For `{name}`. */
  readonly exportName: string;
}

/** The format of figures drawn without a window: the user's last choice, or PDF if that was a pixel format. */
export function vectorFormat({ format }: Pick<FigureSettings, "format">): VectorFormat {
  return format === "svg" ? "svg" : "pdf";
}

/** The figure of a saved export or a schedule, without its path. @returns a fault if no variable can be plotted */
export function figureRequest(
  { series, format }: Pick<WantedFigure, "series" | "format">,
  look: FigureSettings,
): Result<Omit<FigureRequest, "path">, AppFault> {
  const { stationIds, range, intervalSeconds, raw, resampled, zone } = series;
  const variables = series.variables.filter((variable) => isScalar(variable));
  if (variables.length === 0)
    return usageFailure("A figure shows variables with one value per epoch, such as ZTD, and none was chosen.");
  return success({ stationIds, variables, range, mode: { intervalSeconds, raw, resampled, zone }, format, look });
}

/** The file name by the template, with the ending of the figure. */
export function figureName(
  connection: OpenConnection,
  { series, format, ...naming }: WantedFigure,
): Result<string, AppFault> {
  const named = firstFileName(connection, { ...series, format: "csv", heightReference: "WGS84_ELLIPSOID" }, naming);
  return named.ok ? success(withExtension(named.value, format)) : named;
}
