import { MOST_LINES } from "#shared/plot/figure/seriesFigure.ts";
import type { ReadMode } from "#shared/bridge/methods/words.ts";
import type { Variable } from "#shared/service/variables.ts";
import { readArrangement } from "../../plot/arrange.ts";
import { inPlotOrder } from "../../stores/groups.ts";
import type { Workspace } from "../../stores/workspaceSchema.ts";
import { askedVariables, panelVariables } from "#shared/plot/panels.ts";

export interface SeriesQuery {
  readonly connectionId: string;
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly mode: ReadMode;
}

/** Name of the pane that keeps how the lines are arranged. */
export const ARRANGEMENT = "series.arrangement";

/** Rows of a Hovmöller diagram: as many as the core reads at once. */
const MOST_ROWS = 500;

/** Of more stations the first ones are drawn. */
export function mostStations({ isHovmoller }: Pick<Subject, "isHovmoller">): number {
  return isHovmoller ? MOST_ROWS : MOST_LINES;
}

/** What of a workspace says what is drawn. */
export type Subject = Pick<Workspace, "slots" | "variables" | "showSigma" | "intervalSeconds" | "raw" | "resampled"> & {
  /** Selected stations in drawing order. */
  readonly stationIds: readonly string[];
  /** Whether stations are rows of colours instead of lines. */
  readonly isHovmoller: boolean;
};

export function subjectOf(workspace: Workspace): Subject {
  const { stationIds, slots, variables, showSigma, intervalSeconds, raw, resampled, panes } = workspace;
  const isHovmoller = readArrangement(panes[ARRANGEMENT]) === "hovmoller";
  return {
    stationIds: inPlotOrder(stationIds),
    slots,
    variables,
    showSigma,
    intervalSeconds,
    raw,
    resampled,
    isHovmoller,
  };
}

/** The query for the series that a workspace draws. */
export function queryOf(workspace: Subject, connectionId: string): SeriesQuery {
  const { stationIds, variables, showSigma, intervalSeconds, raw, resampled } = workspace;
  return {
    connectionId,
    stationIds: stationIds.slice(0, mostStations(workspace)),
    variables: askedVariables(panelVariables(variables, showSigma), showSigma),
    mode: { intervalSeconds, raw, resampled },
  };
}

/** The query for the rejected rows behind the lines; null if none are to be shown. */
export function rejectedQueryOf(workspace: Workspace, connectionId: string): SeriesQuery | null {
  const { variables, showSigma, raw, panes } = workspace;
  if (raw || !readRawShown(panes[RAW_SHOWN])) return null;
  const panels = panelVariables(variables, showSigma);
  return panels.length === 0 ? null : { ...queryOf(subjectOf(workspace), connectionId), variables: panels };
}

/** Name of the pane that keeps whether raw rows are shown behind the lines. */
export const RAW_SHOWN = "series.raw";

export function readRawShown(kept: unknown): boolean {
  return kept === true;
}
