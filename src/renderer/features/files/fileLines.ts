import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { FileSeries, OpenedFile } from "#shared/file/opened.ts";
import type { PanelLine, PanelModel, PanelQuantity } from "#shared/plot/panel.ts";
import { seriesLook } from "#shared/plot/theme.ts";
import { trackOf } from "#shared/plot/track.ts";
import { quantityOf } from "#shared/plot/values.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** Returns the id of a file's series among the lines of a plot. */
export function lineIdOf(fileId: string, seriesId: string): string {
  return JSON.stringify([fileId, seriesId]);
}

/** Splits a line id made by `lineIdOf`. */
export function parseLineId(lineId: string): { readonly fileId: string; readonly seriesId: string } {
  const [fileId, seriesId] = JSON.parse(lineId) as [string, string];
  return { fileId, seriesId };
}

/** A series of a file has one quantity of any kind. In structures keyed by variables of the service it has this key. */
export const FILE_VARIABLE = "ztd" satisfies Variable;

/** A series of a file that is drawn. */
export interface ShownSeries {
  readonly lineId: string;
  readonly file: OpenedFile;
  readonly series: FileSeries;
}

/** Maximum number of lines that can be distinguished in addition to those of stations. */
export const MAX_FILE_LINES = 12;
const MAX_FIRST_LINES = 4;

/** Returns the ticked series of open files; ids of closed files are ignored. */
export function shownOf(files: readonly OpenedFile[], ticked: readonly string[]): readonly ShownSeries[] {
  const wanted = new Set(ticked);
  return files
    .flatMap((file) => file.series.map((series) => ({ lineId: lineIdOf(file.id, series.id), file, series })))
    .filter(({ lineId }) => wanted.has(lineId))
    .slice(0, MAX_FILE_LINES);
}

/** Adds series to the drawn ones, which all stay: those beyond the maximum are left out, and counted. */
export function withShown(
  drawn: readonly string[],
  added: readonly string[],
): { readonly shown: readonly string[]; readonly leftOut: number } {
  const all = [...new Set([...drawn, ...added])];
  return { shown: all.slice(0, MAX_FILE_LINES), leftOut: Math.max(0, all.length - MAX_FILE_LINES) };
}

/** Returns the series to draw when a file is opened: ZTD and PWV if it contains them, else the first series. */
export function firstSeries(file: OpenedFile): readonly FileSeries[] {
  const filled = file.series.filter((series) => series.range !== null);
  const ours = filled.filter(({ quantity }) => quantity.variable === "ztd" || quantity.variable === "pwv");
  return (ours.length > 0 ? ours : filled.slice(0, 1)).slice(0, MAX_FIRST_LINES);
}

/** Returns the range from the first to the last epoch of the series, in whole seconds; null without epochs. */
export function rangeOf(series: readonly FileSeries[]): TimeRange | null {
  const ranges = series.flatMap(({ range }) => range ?? []);
  if (ranges.length === 0) return null;
  return {
    startMs: Math.floor(Math.min(...ranges.map((r) => r.startMs)) / 1_000) * 1_000,
    endMs: Math.ceil(Math.max(...ranges.map((r) => r.endMs)) / 1_000) * 1_000,
  };
}

/** Dash-dot, which no station uses. */
const FILE_DASH = [7, 3, 1.5, 3] as const;

/** Returns the quantity of the panel for a file's series, shared with the service's variable if it is the same. */
function quantityOfSeries({ quantity }: FileSeries): PanelQuantity {
  if (quantity.variable) return quantityOf(quantity.variable);
  const { name, longName, unit } = quantity;
  return { key: `file ${name} ${unit ?? ""}`, short: name, label: longName ?? name, unit: unit ?? "" };
}

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
  {
    slots,
    bounds,
  }: {
    /** Palette indices of the selected stations. */
    readonly slots: Readonly<Record<string, number>>;
    readonly bounds: Readonly<Record<string, readonly [number, number]>>;
  },
): readonly PanelModel[] {
  if (shown.length === 0) return models;
  const isAlone = models.every((model) => model.lines.length === 0);
  const byKey = Map.groupBy(fileLines(shown, slots), ({ series }) => quantityOfSeries(series).key);
  const lineOf = ({ lineId, file, series, look }: FileLine): PanelLine => {
    const window = windows.get(lineId);
    const times = (rows: SeriesWindow) => ({
      stepSeconds: stepSecondsOf(series, rows),
      cell: series.cell ?? null,
    });
    const track = window ? trackOf(window, FILE_VARIABLE, null, times(window)) : null;
    const name = `${series.label} · ${file.name}`;
    return { stationId: lineId, name, track, ...look, rejected: null, place: series.position };
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
        bounds: bounds[key] ?? null,
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
