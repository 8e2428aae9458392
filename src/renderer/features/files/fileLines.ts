import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { FileSeries } from "#shared/file/opened.ts";
import type { PanelLine, PanelModel, PanelQuantity } from "#shared/plot/panel.ts";
import { trackOf } from "#shared/plot/track.ts";
import { quantityOf } from "#shared/plot/values.ts";
import { seriesLook } from "#shared/plot/theme.ts";
import { type ShownSeries, FILE_VARIABLE } from "./fileSeries.ts";

/** Dash-dot, which no station uses. */
const FILE_DASH = [7, 3, 1.5, 3] as const;

/** Returns the quantity of the panel for a file's series, shared with the service's variable if it is the same. */
function quantityOfSeries({ quantity }: FileSeries): PanelQuantity {
  if (quantity.variable) return quantityOf(quantity.variable);
  const { name, longName, unit } = quantity;
  return { key: `file ${name} ${unit ?? ""}`, short: name, label: longName ?? name, unit: unit ?? "" };
}

/** Formats as "KIRK G05". */
export function nameOfSeries({ label, satellite }: FileSeries): string {
  return satellite === null ? label : `${label} ${satellite}`;
}

/** A series of a file with the look of its line. */
interface FileLine extends ShownSeries {
  readonly look: Pick<PanelLine, "colour" | "dash">;
}

/**
 * Returns the series with colour and dashes. A series of a selected station has the colour of that station; the others
 * have colours that no station uses.
 *
 * @param slots palette indices of the selected stations
 */
export function fileLines(shown: readonly ShownSeries[], slots: Readonly<Record<string, number>>): FileLine[] {
  let nextSlot = Math.max(-1, ...Object.values(slots)) + 1;
  const fileSlots = new Map<string, number>();
  return shown.map(({ lineId, file, series }) => {
    const owner = series.stationId ?? `${file.id} ${series.label}`;
    const slot = slots[owner] ?? fileSlots.get(`${file.id} ${owner}`) ?? nextSlot++;
    fileSlots.set(`${file.id} ${owner}`, slot);
    return { lineId, file, series, look: { colour: seriesLook(slot).variable, dash: FILE_DASH } };
  });
}

/** Adds file series to the panels of the stations, and panels below for quantities that only files contain. */
export function withFileSeries(
  models: readonly PanelModel[],
  shown: readonly ShownSeries[],
  windows: ReadonlyMap<string, SeriesWindow>,
  slots: Readonly<Record<string, number>>,
  limits: Readonly<Record<string, readonly [number, number]>>,
): readonly PanelModel[] {
  if (shown.length === 0) return models;
  const isAlone = models.every((model) => model.lines.length === 0);
  const byKey = Map.groupBy(fileLines(shown, slots), ({ series }) => quantityOfSeries(series).key);
  const lineOf = ({ lineId, file, series, look }: FileLine): PanelLine => {
    const window = windows.get(lineId);
    const track = window ? trackOf(window, FILE_VARIABLE, null, stepSecondsOf(series, window)) : null;
    return { stationId: lineId, name: `${nameOfSeries(series)} · ${file.name}`, track, ...look, behind: null };
  };
  const joined = models
    .map((model) => ({ ...model, fromFiles: byKey.get(model.quantity.key)?.map(lineOf) ?? [] }))
    // Without stations, panels without file series are empty.
    .filter((model) => !isAlone || model.fromFiles.length > 0);
  const known = new Set(models.map((model) => model.quantity.key));
  const added = [...byKey].flatMap(([key, lines]): PanelModel[] => {
    const [first] = lines;
    if (!first || known.has(key)) return [];
    return [
      {
        quantity: quantityOfSeries(first.series),
        lines: [],
        fromFiles: lines.map(lineOf),
        gaps: [],
        limits: limits[key] ?? null,
        hasTimeAxis: false,
      },
    ];
  });
  const all = [...joined, ...added];
  return all.map((model, i) => ({ ...model, hasTimeAxis: i === all.length - 1 }));
}

/** Returns the mean step of the epochs; null for rows, whose step is derived from the rows themselves. */
function stepSecondsOf({ rows, range }: FileSeries, window: SeriesWindow): number | null {
  if (window.kind === "rows" || !range || rows < 2) return null;
  return Math.max(1, (range.endMs - range.startMs) / (rows - 1) / 1_000);
}
