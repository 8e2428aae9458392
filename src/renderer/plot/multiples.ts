import type { TimeRange } from "#shared/time/range.ts";
import { binTrack, createBins } from "#shared/plot/bins.ts";
import { allLines, type PanelModel } from "#shared/plot/panel.ts";
import { paddedLimits } from "#shared/plot/scale.ts";

/** Time resolution at which the range of values is determined. */
const COLUMNS = 1_000;

/**
 * Splits panels into one for each station or file series and quantity, grouped by station, without time axes.
 *
 * @param isOwnScale whether each axis fits its own line; otherwise panels of a quantity share their limits
 */
export function splitPanels(models: readonly PanelModel[], view: TimeRange, isOwnScale: boolean): PanelModel[] {
  const limits = new Map(
    models.map((model) => [model, isOwnScale ? null : (model.limits ?? limitsOf(model, view))] as const),
  );
  const ids = new Set(models.flatMap(allLines).map((line) => line.stationId));
  return [...ids].flatMap((id) =>
    models.flatMap((model): PanelModel[] => {
      const line = allLines(model).find((each) => each.stationId === id);
      if (!line) return [];
      return [
        {
          quantity: model.quantity,
          heading: line.name,
          lines: model.lines.filter((each) => each === line),
          fromFiles: model.fromFiles.filter((each) => each === line),
          gaps: model.gaps.filter((each) => each.stationId === id),
          limits: limits.get(model) ?? null,
          hasTimeAxis: false,
        },
      ];
    }),
  );
}

/** Returns limits that fit all lines; null without values. */
function limitsOf(model: PanelModel, view: TimeRange): readonly [number, number] | null {
  const bins = createBins();
  let [low, high] = [Infinity, -Infinity];
  for (const { track, behind } of allLines(model)) {
    for (const each of [track, behind?.track]) {
      if (!each) continue;
      binTrack(each, view, COLUMNS, bins);
      if (bins.low < low) low = bins.low;
      if (bins.high > high) high = bins.high;
    }
  }
  return low <= high ? paddedLimits(low, high) : null;
}
