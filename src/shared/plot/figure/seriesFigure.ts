import type { SeriesGaps, SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import { count } from "#shared/text.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { PanelModel } from "../panel.ts";
import { requiredVariables, panelModels, panelVariables } from "../panels.ts";
import { isBlank } from "../track.ts";
import { composeFigure } from "./compose.ts";
import { fileDay, type FigureSource } from "./page.ts";
import type { VectorShape } from "./scene.ts";

/** Maximum number of lines in a plot; further stations are left out. */
export const MAX_LINES = 100;
/** Columns of a window: more than the resolution of a printed page. */
const COLUMNS = 2_000;
const MAX_ROWS = 4_000;
/** Gaps narrower than this share of the range are invisible. */
const MIN_GAP_SHARE = 1 / 600;

/** Selection of cached series for a figure. */
export interface CachedSeries {
  readonly stationIds: readonly string[];
  /** Includes an uncertainty to draw it as a band. */
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly mode: ReadMode;
  /** Default: the names of the quantities. */
  readonly title?: string | undefined;
}

/** Access to the cache: directly in the core, through the bridge in the window. See `series` of the bridge. */
export interface SeriesReader {
  window(
    query: CachedSeries & { readonly columns: number; readonly mostRows: number },
  ): Promise<Result<SeriesWindow[], AppFault>>;
  gaps(query: CachedSeries & { readonly minimumMs: number }): Promise<Result<SeriesGaps[], AppFault>>;
}

/** A figure of cached series, and the drawn stations without any value. */
interface CachedFigure extends FigureSource<VectorShape> {
  readonly stationIdsWithoutData: readonly string[];
}

/** Reads a figure of cached series: a panel for each variable, with ±σ as a band if it is selected. */
export async function readSeriesFigure(
  reader: SeriesReader,
  { stationIds, variables, range, mode, title }: CachedSeries,
  nameOf: (stationId: string) => string,
): Promise<Result<CachedFigure, AppFault>> {
  const showSigma = variables.includes("ztd_sigma");
  const panels = panelVariables(variables, showSigma);
  const drawn = stationIds.slice(0, MAX_LINES);
  const query = { stationIds: drawn, variables: requiredVariables(panels, showSigma), mode, range };
  const windows = await reader.window({ ...query, columns: COLUMNS, mostRows: MAX_ROWS });
  if (!windows.ok) return windows;
  const minimumMs = Math.round((range.endMs - range.startMs) * MIN_GAP_SHARE);
  const gaps = await reader.gaps({ ...query, variables: panels, minimumMs });
  if (!gaps.ok) return gaps;
  const models = panelModels({
    panels,
    showSigma,
    intervalSeconds: mode.intervalSeconds,
    stations: drawn.map((id, slot) => ({ id, name: nameOf(id), slot })),
    windows: new Map(windows.value.map((window) => [window.stationId, window])),
    rejected: new Map(),
    gaps: gaps.value,
    bounds: {},
  });
  const blank = drawn.filter((_, i) =>
    models.every(({ lines }) => {
      const track = lines[i]?.track ?? null;
      return track === null || isBlank(track);
    }),
  );
  const source = seriesFigure(models, range, { drawn: drawn.length, selected: stationIds.length, title });
  return success({ ...source, stationIdsWithoutData: blank });
}

interface SeriesFigureWords {
  /** Number of stations that are drawn, or hidden by the user. */
  readonly drawn: number;
  /** Number of selected stations. */
  readonly selected: number;
  readonly title?: string | undefined;
}

export function seriesFigure(
  models: readonly PanelModel[],
  view: TimeRange,
  words: SeriesFigureWords,
): FigureSource<VectorShape> {
  const { drawn, selected } = words;
  const hasRaw = models.some((model) => model.lines.some((line) => line.rejected !== null));
  const notes = [
    ...(hasRaw ? ["Dim points: observations rejected by the quality filter."] : []),
    ...(selected > drawn ? [`Drawn are the first ${count(drawn)} of ${count(selected)} selected stations.`] : []),
  ];
  const title = words.title ?? [...new Set(models.map((model) => model.quantity.label))].join(", ");
  return { fileName: fileName(models, view), compose: (page) => composeFigure(models, view, { title, notes }, page) };
}

/** "zenith-ztd-pwv-20261114-20261121" */
function fileName(models: readonly PanelModel[], view: TimeRange): string {
  const keys = new Set(models.map((model) => model.quantity.key.replaceAll(/[^a-z0-9]+/gi, "-")));
  const variables = [...keys].join("-").slice(0, 80);
  return `zenith-${variables}-${fileDay(view.startMs)}-${fileDay(view.endMs)}`;
}
