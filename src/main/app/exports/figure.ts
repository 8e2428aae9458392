import { writeFile } from "node:fs/promises";
import { boxedTexts, FIGURE_FONT, figureFile } from "#formats/figure/index.ts";
import { writeThroughTemporary } from "#formats/temporary.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { AppFault } from "#shared/fault.ts";
import type { FigureSettings, VectorFormat } from "#shared/file/figure.ts";
import { pageOf, sourceWords } from "#shared/plot/figure/page.ts";
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
import { createPace } from "../pacing.ts";
import { readWindow } from "../reading/window.ts";
import type { UserStore } from "../../store/index.ts";

export interface FigureRequest extends CachedSeries {
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
  signal: AbortSignal,
) => Promise<Result<FigureReport, AppFault>>;

/** Draws cached series into a file, as the window draws them. @throws the signal's reason, StoreError */
export async function writeFigure(
  connection: OpenConnection,
  users: Pick<UserStore, "jobs" | "verdicts">,
  { path, format, look, ...requested }: FigureRequest,
  signal: AbortSignal,
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
  const scene = read.value.compose(pageOf(look, theme, sourceWords(source, PROGRAM, nowMs), nowMs));
  const file = { widthMm: look.widthMm, createdMs: nowMs, program: PROGRAM };
  const content = await figureFile(scene, format, file);
  const written = await writeThroughTemporary(path, (temporary) => writeFile(temporary, content, { signal }), {
    signal,
  });
  if (!written.ok) return failure(formatFault(written.error));
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
