import type { TimeRange } from "#shared/time/range.ts";
import { binTrack, createBins } from "#shared/plot/bins.ts";
import { allLines, type PanelModel } from "#shared/plot/panel.ts";
import { paddedLimits } from "#shared/plot/scale.ts";

/** Columns in which the smallest and the largest value are looked for. */
const COLUMNS = 1_000;

/**
 * A panel for each station and series of a file: its panels follow each other, all without an axis of time.
 *
 * @param isOwnScale every panel fits its axis to its own line; otherwise panels of one quantity share an axis
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

/** Limits that show every line; null without values. */
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
