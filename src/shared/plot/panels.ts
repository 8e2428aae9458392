import type { SeriesGaps, SeriesWindow } from "#shared/bridge/methods/series.ts";
import { cellOfInterval } from "#shared/series/cell.ts";
import { SCALAR_VARIABLES, uncertaintyOf, type Variable, variableInfo } from "#shared/service/variables.ts";
import type { Rejected, PanelLine, PanelModel } from "./panel.ts";
import { isBlank, trackOf } from "./track.ts";
import { quantityOf } from "./values.ts";
import { seriesLook } from "./theme.ts";

/** Returns the variables with a panel: selected scalars, without uncertainties that are drawn as bands. */
export function panelVariables(chosen: readonly Variable[], showSigma: boolean): Variable[] {
  const scalars = SCALAR_VARIABLES.filter((variable) => chosen.includes(variable));
  return scalars.filter((variable) => {
    const value = variableInfo(variable).uncertaintyOf;
    return value === undefined || !showSigma || !scalars.includes(value);
  });
}

/** Returns the variables that the panels need from the cache. */
export function requiredVariables(panels: readonly Variable[], showSigma: boolean): Variable[] {
  const bands = showSigma ? panels.map(uncertaintyOf) : [];
  return SCALAR_VARIABLES.filter((variable) => panels.includes(variable) || bands.includes(variable));
}

/** By the key of the panel's quantity. */
export type ValueBounds = Readonly<Record<string, readonly [number, number]>>;

interface PanelInput {
  readonly panels: readonly Variable[];
  readonly showSigma: boolean;
  /** null: observations. */
  readonly intervalSeconds: number | null;
  /** Stations to draw, in the order of selection, without hidden ones. */
  readonly stations: readonly { readonly id: string; readonly name: string; readonly slot: number }[];
  readonly windows: ReadonlyMap<string, SeriesWindow>;
  /** Windows of rejected data; empty if it is not shown. */
  readonly rejected: ReadonlyMap<string, SeriesWindow>;
  readonly gaps: readonly SeriesGaps[];
  readonly bounds: ValueBounds;
}

export function panelModels(input: PanelInput): PanelModel[] {
  const { panels, showSigma, intervalSeconds, stations, windows, rejected, gaps, bounds } = input;
  const cell = cellOfInterval(intervalSeconds);
  return panels.map((variable, index) => {
    const ofVariable = new Map(gaps.filter((g) => g.variable === variable).map((g) => [g.stationId, g]));
    const lines = stations.map(({ id, name, slot }): PanelLine => {
      const window = windows.get(id);
      const sigmaOf = showSigma ? uncertaintyOf(variable) : null;
      const stepSeconds = ofVariable.get(id)?.stepSeconds ?? null;
      const look = seriesLook(slot);
      const times = { stepSeconds, cell };
      const track = window ? trackOf(window, variable, sigmaOf, times) : null;
      const raw = rejectedOf(rejected.get(id), variable, times);
      return { stationId: id, name, track, colour: look.variable, dash: look.dash, rejected: raw };
    });
    return {
      quantity: quantityOf(variable),
      lines,
      fromFiles: [],
      gaps: stations.flatMap(({ id }) => {
        const found = ofVariable.get(id);
        return found ? [{ stationId: id, gaps: found.gaps }] : [];
      }),
      bounds: bounds[variable] ?? null,
      hasTimeAxis: index === panels.length - 1,
    };
  });
}

function rejectedOf(
  window: SeriesWindow | undefined,
  variable: Variable,
  times: Parameters<typeof trackOf>[3],
): Rejected | null {
  const track = window ? trackOf(window, variable, null, times) : null;
  return track && !isBlank(track) ? { track, judged: window?.judged?.[variable] ?? [] } : null;
}
