import type { SeriesGaps, SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { ReadMode } from "#shared/bridge/methods/words.ts";
import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import { count } from "#shared/text.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { PanelModel } from "../panel.ts";
import { askedVariables, panelModels, panelVariables } from "../panels.ts";
import { isBlank } from "../track.ts";
import { composeFigure } from "./compose.ts";
import { dayOf, type FigureSource } from "./page.ts";

/** Lines that a plot can draw; of more stations the first ones are drawn. */
export const MOST_LINES = 100;
/** Columns of a window: more than a page of a paper shows. */
const COLUMNS = 2_000;
const MOST_ROWS = 4_000;
/** Gaps narrower than this part of the range are not seen. */
const NARROWEST_SHARE = 1 / 600;

/** What a figure shows of the cache, whatever the window shows. */
export interface CachedSeries {
  readonly stationIds: readonly string[];
  /** With the deviation of a variable among them, its band is drawn. */
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly mode: ReadMode;
  /** Of the quantities where it is left out. */
  readonly title?: string | undefined;
}

/** Reads the cache: the core itself, the window through the bridge. See `series` of the bridge. */
export interface SeriesReader {
  window(
    query: CachedSeries & { readonly columns: number; readonly mostRows: number },
  ): Promise<Result<SeriesWindow[], AppFault>>;
  gaps(query: CachedSeries & { readonly minimumMs: number }): Promise<Result<SeriesGaps[], AppFault>>;
}

/** A figure of the cache, and the drawn stations of which it has no value. */
export interface CachedFigure extends FigureSource {
  readonly stationIdsWithoutData: readonly string[];
}

/** The figure of the series as the cache has them: a panel for each variable, ±σ as a band where it is among them. */
export async function readSeriesFigure(
  reader: SeriesReader,
  { stationIds, variables, range, mode, title }: CachedSeries,
  nameOf: (stationId: string) => string,
): Promise<Result<CachedFigure, AppFault>> {
  const showSigma = variables.includes("ztd_sigma");
  const panels = panelVariables(variables, showSigma);
  const drawn = stationIds.slice(0, MOST_LINES);
  const query = { stationIds: drawn, variables: askedVariables(panels, showSigma), mode, range };
  const windows = await reader.window({ ...query, columns: COLUMNS, mostRows: MOST_ROWS });
  if (!windows.ok) return windows;
  const minimumMs = Math.round((range.endMs - range.startMs) * NARROWEST_SHARE);
  const gaps = await reader.gaps({ ...query, variables: panels, minimumMs });
  if (!gaps.ok) return gaps;
  const models = panelModels({
    panels,
    showSigma,
    stations: drawn.map((id, slot) => ({ id, name: nameOf(id), slot })),
    windows: new Map(windows.value.map((window) => [window.stationId, window])),
    behind: new Map(),
    gaps: gaps.value,
    limits: {},
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

export interface SeriesFigureWords {
  /** Stations that are drawn, or hidden by the user. */
  readonly drawn: number;
  /** All that are selected. */
  readonly selected: number;
  readonly title?: string | undefined;
}

export function seriesFigure(models: readonly PanelModel[], view: TimeRange, words: SeriesFigureWords): FigureSource {
  const { drawn, selected } = words;
  const hasRaw = models.some((model) => model.lines.some((line) => line.behind !== null));
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
  return `zenith-${variables}-${dayOf(view.startMs)}-${dayOf(view.endMs)}`;
}
