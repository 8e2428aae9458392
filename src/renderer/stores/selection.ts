import { useShallow } from "zustand/react/shallow";
import type { JobSpec } from "#shared/job/job.ts";
import type { ReadMode } from "#shared/bridge/methods/words.ts";
import {
  type Variable,
  VARIABLE_NAMES,
  variableKind,
  withImpliedVariables,
  withUncertainty,
} from "#shared/service/variables.ts";
import type { Workspace } from "./workspaceSchema.ts";
import { useWorkspace } from "./workspace.ts";

/** What of a workspace says what is chosen. */
export type Chosen = Pick<
  Workspace,
  "stationIds" | "range" | "variables" | "showSigma" | "intervalSeconds" | "raw" | "resampled"
>;

/** What the views show: the chosen variables, and the uncertainty of ZTD where it is drawn as a band. */
export function shownVariables({ variables, showSigma }: Pick<Chosen, "variables" | "showSigma">): Variable[] {
  const all = new Set(showSigma ? variables.flatMap(withUncertainty) : variables);
  return VARIABLE_NAMES.filter((v) => all.has(v));
}

/** How rows of the selection are read from the cache. */
export function readModeOf({ intervalSeconds, raw, resampled }: Omit<Chosen, "stationIds">): ReadMode {
  return { intervalSeconds, raw, resampled: resampled && intervalSeconds !== null };
}

/** What has to be in the cache for the selection: native rows where averages are computed here. */
export function jobSpecOf(chosen: Chosen): JobSpec {
  const { intervalSeconds, resampled } = readModeOf(chosen);
  return {
    stationIds: chosen.stationIds,
    variables: withImpliedVariables(shownVariables(chosen)),
    range: chosen.range,
    intervalSeconds: resampled ? null : intervalSeconds,
    raw: chosen.raw,
  };
}

/** The part of the workspace that says what is chosen; changes only with it. */
export function useChosen(): Chosen {
  return useWorkspace(
    useShallow((s) => ({
      stationIds: s.stationIds,
      range: s.range,
      variables: s.variables,
      showSigma: s.showSigma,
      intervalSeconds: s.intervalSeconds,
      raw: s.raw,
      resampled: s.resampled,
    })),
  );
}

/** The same without the stations: for what is said of any of them, and need not be drawn again for others. */
export function useConditions(): Chosen {
  return useWorkspace(
    useShallow((s) => ({
      stationIds: NO_STATIONS,
      range: s.range,
      variables: s.variables,
      showSigma: s.showSigma,
      intervalSeconds: s.intervalSeconds,
      raw: s.raw,
      resampled: s.resampled,
    })),
  );
}

const NO_STATIONS: string[] = [];

/** Averages are of numbers; what is told per satellite has none. */
export function canAverage(variables: readonly Variable[]): boolean {
  return variables.every((v) => variableKind(v) === "scalar");
}
