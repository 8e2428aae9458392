import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { composeFigure } from "#shared/plot/figure/compose.ts";
import type { FigureSource } from "#shared/plot/figure/page.ts";
import type { PanelModel } from "#shared/plot/panel.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { count } from "../../ui/text.ts";
import { dayOf } from "../figure/open.ts";
import { askedVariables, panelModels, panelVariables } from "#shared/plot/panels.ts";
import { mostStations, type SeriesQuery } from "./query.ts";

/** Columns of a window: more than a page of a paper shows. */
const COLUMNS = 2_000;
const MOST_ROWS = 4_000;
/** Gaps narrower than this part of the range are not seen. */
const NARROWEST_SHARE = 1 / 600;

/** What a figure shows of the cache, whatever the window shows. */
export interface CachedSeries extends Pick<SeriesQuery, "connectionId" | "stationIds" | "mode"> {
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
}

/** The figure of the series as the cache has them: a panel for each variable, ±σ as a band where it is among them. */
export async function cachedFigure({
  connectionId,
  stationIds,
  variables,
  range,
  mode,
}: CachedSeries): Promise<Result<FigureSource, AppFault>> {
  const showSigma = variables.includes("ztd_sigma");
  const panels = panelVariables(variables, showSigma);
  const drawn = stationIds.slice(0, mostStations({ isHovmoller: false }));
  const query = { connectionId, stationIds: drawn, variables: askedVariables(panels, showSigma), mode };
  const windows = await bridge.series.window({ ...query, range, columns: COLUMNS, mostRows: MOST_ROWS });
  if (!windows.ok) return windows;
  const minimumMs = Math.round((range.endMs - range.startMs) * NARROWEST_SHARE);
  const gaps = await bridge.series.gaps({ ...query, variables: panels, range, minimumMs });
  if (!gaps.ok) return gaps;
  const { byId } = useCatalogue.getState();
  const models = panelModels({
    panels,
    showSigma,
    stations: drawn.map((id, slot) => ({ id, name: stationName(byId, id), slot })),
    windows: new Map(windows.value.map((window) => [window.stationId, window])),
    behind: new Map(),
    gaps: gaps.value,
    limits: {},
  });
  return success(seriesFigure(models, range, drawn.length, stationIds.length));
}

/**
 * @param drawn stations that are drawn, or hidden by the user
 * @param selected all that are selected
 */
export function seriesFigure(
  models: readonly PanelModel[],
  view: TimeRange,
  drawn: number,
  selected: number,
): FigureSource {
  const hasRaw = models.some((model) => model.lines.some((line) => line.behind !== null));
  const notes = [
    ...(hasRaw ? ["Dim points: observations rejected by the quality filter."] : []),
    ...(selected > drawn ? [`Drawn are the first ${count(drawn)} of ${count(selected)} selected stations.`] : []),
  ];
  const title = [...new Set(models.map((model) => model.quantity.label))].join(", ");
  return { fileName: fileName(models, view), compose: (page) => composeFigure(models, view, { title, notes }, page) };
}

/** "zenith-ztd-pwv-20261114-20261121" */
function fileName(models: readonly PanelModel[], view: TimeRange): string {
  const keys = new Set(models.map((model) => model.quantity.key.replaceAll(/[^a-z0-9]+/gi, "-")));
  const variables = [...keys].join("-").slice(0, 80);
  return `zenith-${variables}-${dayOf(view.startMs)}-${dayOf(view.endMs)}`;
}
