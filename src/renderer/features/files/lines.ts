import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { FileSeries } from "#shared/file/opened.ts";
import type { PanelLine, PanelModel, PanelQuantity } from "#shared/plot/panel.ts";
import { trackOf } from "#shared/plot/track.ts";
import { quantityOf } from "#shared/plot/values.ts";
import { seriesLook } from "#shared/plot/palette.ts";
import { type ShownSeries, STAND_IN } from "./choice.ts";

/** Dash, dot: what no station is drawn with. */
const FILE_DASH = [7, 3, 1.5, 3] as const;

/** What a panel with a series of a file shows; the panel of the service's own variable where it is one. */
export function quantityOfSeries({ quantity }: FileSeries): PanelQuantity {
  if (quantity.variable) return quantityOf(quantity.variable);
  const { name, longName, unit } = quantity;
  return { key: `file ${name} ${unit ?? ""}`, short: name, label: longName ?? name, unit: unit ?? "" };
}

/** As in `KIRK G05`. */
export function nameOfSeries({ label, satellite }: FileSeries): string {
  return satellite === null ? label : `${label} ${satellite}`;
}

/**
 * Colour and dashes of series of files. One of a chosen station has the colour of that station, the others those that no
 * station has yet.
 *
 * @param slots places of the chosen stations in the palette
 */
export function looksOf(
  shown: readonly ShownSeries[],
  slots: Readonly<Record<string, number>>,
): ReadonlyMap<string, Pick<PanelLine, "colour" | "dash">> {
  let free = Math.max(-1, ...Object.values(slots)) + 1;
  const places = new Map<string, number>();
  return new Map(
    shown.map(({ lineId, file, series }) => {
      const owner = series.stationId ?? `${file.id} ${series.label}`;
      const slot = slots[owner] ?? places.get(`${file.id} ${owner}`) ?? free++;
      places.set(`${file.id} ${owner}`, slot);
      return [lineId, { colour: seriesLook(slot).variable, dash: FILE_DASH }] as const;
    }),
  );
}

/** Panels of the stations with the series of files among them, and below them panels of quantities that only files have. */
export function withFiles(
  models: readonly PanelModel[],
  shown: readonly ShownSeries[],
  windows: ReadonlyMap<string, SeriesWindow>,
  slots: Readonly<Record<string, number>>,
  limits: Readonly<Record<string, readonly [number, number]>>,
): readonly PanelModel[] {
  if (shown.length === 0) return models;
  const looks = looksOf(shown, slots);
  const isAlone = models.every((model) => model.lines.length === 0);
  const byKey = Map.groupBy(shown, ({ series }) => quantityOfSeries(series).key);
  const lineOf = ({ lineId, file, series }: ShownSeries): PanelLine => {
    const window = windows.get(lineId);
    const track = window ? trackOf(window, STAND_IN, null, stepSecondsOf(series, window)) : null;
    return {
      stationId: lineId,
      name: `${nameOfSeries(series)} · ${file.name}`,
      track,
      ...looks.get(lineId)!,
      behind: null,
    };
  };
  const joined = models
    .map((model) => ({ ...model, fromFiles: byKey.get(model.quantity.key)?.map(lineOf) ?? [] }))
    // Without a station, a panel in which no file has anything says nothing.
    .filter((model) => !isAlone || model.fromFiles.length > 0);
  const known = new Set(models.map((model) => model.quantity.key));
  const own = [...byKey].filter(([key]) => !known.has(key));
  const added = own.map(([key, lines]): PanelModel => ({
    quantity: quantityOfSeries(lines[0]!.series),
    lines: [],
    fromFiles: lines.map(lineOf),
    gaps: [],
    limits: limits[key] ?? null,
    hasTimeAxis: false,
  }));
  const all = [...joined, ...added];
  return all.map((model, i) => ({ ...model, hasTimeAxis: i === all.length - 1 }));
}

/** Of rows the rows themselves tell it; of columns the mean distance of the epochs. */
function stepSecondsOf({ rows, range }: FileSeries, window: SeriesWindow): number | null {
  if (window.kind === "rows" || !range || rows < 2) return null;
  return Math.max(1, (range.endMs - range.startMs) / (rows - 1) / 1_000);
}
