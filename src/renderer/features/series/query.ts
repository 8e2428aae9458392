import { z } from "zod";
import { MAX_LINES } from "#shared/plot/figure/seriesFigure.ts";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import { readModeOf } from "../../stores/selection.ts";
import type { Variable } from "#shared/service/variables.ts";
import { ARRANGEMENTS } from "../../plot/arrange.ts";
import { inPlotOrder } from "../../stores/groups.ts";
import type { Workspace } from "../../stores/workspace.ts";
import { requiredVariables, panelVariables } from "#shared/plot/panels.ts";
import { pane } from "../../stores/pane.ts";

export interface SeriesQuery {
  readonly connectionId: string;
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly mode: ReadMode;
}

/** How the lines of several stations are arranged. */
export const ARRANGEMENT = pane("series.arrangement", z.enum(ARRANGEMENTS).catch("lines"));

/** Whether raw rows are shown behind the lines. */
export const RAW_SHOWN = pane("series.raw", z.boolean().catch(false));

/** Maximum number of rows of a Hovmöller diagram, and of series that the core reads at once. */
const MAX_ROWS = 500;

/** Returns the maximum number of stations drawn; of more, only the first are drawn. */
export function maxStations({ isHovmoller }: Pick<PlotSubject, "isHovmoller">): number {
  return isHovmoller ? MAX_ROWS : MAX_LINES;
}

/** The part of a workspace that determines what is plotted. */
export type PlotSubject = Pick<
  Workspace,
  "slots" | "variables" | "showSigma" | "intervalSeconds" | "raw" | "resampled" | "zone"
> & {
  /** Selected stations in drawing order. */
  readonly stationIds: readonly string[];
  /** Whether stations are rows of colours instead of lines. */
  readonly isHovmoller: boolean;
};

export function subjectOf(workspace: Workspace): PlotSubject {
  const { slots, variables, showSigma, intervalSeconds, raw, resampled, zone } = workspace;
  const stationIds = inPlotOrder(workspace.stationIds);
  const isHovmoller = ARRANGEMENT.of(workspace) === "hovmoller";
  return { stationIds, slots, variables, showSigma, intervalSeconds, raw, resampled, zone, isHovmoller };
}

export function queryOf(workspace: PlotSubject, connectionId: string): SeriesQuery {
  const { stationIds, variables, showSigma } = workspace;
  return {
    connectionId,
    stationIds: stationIds.slice(0, maxStations(workspace)),
    variables: requiredVariables(panelVariables(variables, showSigma), showSigma),
    mode: readModeOf(workspace),
  };
}

/** Returns the query for rejected rows behind the lines; null if they are not shown. */
export function rejectedQueryOf(workspace: Workspace, connectionId: string): SeriesQuery | null {
  const { variables, showSigma, raw } = workspace;
  if (raw || !RAW_SHOWN.of(workspace)) return null;
  const panels = panelVariables(variables, showSigma);
  return panels.length === 0 ? null : { ...queryOf(subjectOf(workspace), connectionId), variables: panels };
}
