import { useShallow } from "zustand/react/shallow";
import type { JobSpec } from "#shared/job/job.ts";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import {
  SATELLITE_VARIABLES,
  type Variable,
  VARIABLE_NAMES,
  variableKind,
  withImpliedVariables,
  withUncertainty,
} from "#shared/service/variables.ts";
import { wholeRange, zoneOf } from "#shared/time/intervals.ts";
import { useWorkspace, type Workspace } from "./workspace.ts";

/** The part of a workspace that determines which data are shown. */
export type Selection = Pick<
  Workspace,
  "stationIds" | "range" | "variables" | "showSigma" | "intervalSeconds" | "raw" | "resampled" | "zone"
>;

type Mode = Omit<Selection, "stationIds" | "range">;

/** Returns the variables that the views show: the selected ones, and the uncertainty of ZTD if it is drawn as a band. */
export function shownVariables({ variables, showSigma }: Pick<Selection, "variables" | "showSigma">): Variable[] {
  const all = new Set(showSigma ? variables.flatMap(withUncertainty) : variables);
  return VARIABLE_NAMES.filter((v) => all.has(v));
}

/** Returns the variable and what is fetched with it: satellites are of use with all of their columns. */
export function wholeOf(shown: Variable): Variable[] {
  return variableKind(shown) === "satellite" ? [...new Set([shown, ...SATELLITE_VARIABLES])] : [shown];
}

/** Returns how rows of the selection are read from the cache. */
export function readModeOf(selection: Pick<Selection, "intervalSeconds" | "raw" | "resampled" | "zone">): ReadMode {
  const { intervalSeconds, raw } = selection;
  const resampled = selection.resampled && intervalSeconds !== null;
  const zone = resampled ? zoneOf(selection) : undefined;
  return { intervalSeconds, raw, resampled, zone };
}

/**
 * Returns the download that the selection needs: if averages are computed locally, native rows of all intervals that begin
 * or end in the range.
 */
export function jobSpecOf(selection: Selection): JobSpec {
  const mode = readModeOf(selection);
  const { intervalSeconds, resampled } = mode;
  return {
    stationIds: selection.stationIds,
    variables: withImpliedVariables(shownVariables(selection)),
    range: resampled ? wholeRange(selection.range, mode) : selection.range,
    intervalSeconds: resampled ? null : intervalSeconds,
    raw: selection.raw,
  };
}

function modeOf({ variables, showSigma, intervalSeconds, raw, resampled, zone }: Workspace): Mode {
  return { variables, showSigma, intervalSeconds, raw, resampled, zone };
}

function selectionOf(workspace: Workspace): Selection {
  const { stationIds, range } = workspace;
  return { stationIds, range, ...modeOf(workspace) };
}

/** Returns the selection; rerenders only when it changes. */
export function useSelection(): Selection {
  return useWorkspace(useShallow(selectionOf));
}

/** Returns the selection without stations, for components that need not rerender when other stations are selected. */
export function useSelectionWithoutStations(): Selection {
  return useWorkspace(useShallow((workspace) => ({ ...selectionOf(workspace), stationIds: NO_STATIONS })));
}

const NO_STATIONS: string[] = [];

/** Returns how the selection is read, for components that need not rerender when stations or the time range change. */
export function useMode(): Mode {
  return useWorkspace(useShallow(modeOf));
}

/** Whether all variables can be averaged: those given per satellite cannot. */
export function canAverage(variables: readonly Variable[]): boolean {
  return variables.every((v) => variableKind(v) === "scalar");
}
