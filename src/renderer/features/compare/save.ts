import type { TimeRange } from "#shared/time/range.ts";
import { formatUtc, formatUtcShort } from "#shared/time/utc.ts";
import { lineEntry } from "#shared/plot/figure/compose.ts";
import { composeSheet } from "#shared/plot/figure/sheet.ts";
import { seriesLook } from "#shared/plot/theme.ts";
import { saveCsv } from "../../stores/saveBlob.ts";
import { fileDay } from "#shared/plot/figure/page.ts";
import { saveFigure } from "../../stores/dialogs.ts";
import { type CsvCell, type CsvColumns, csvRows, csvTable } from "#shared/file/csv.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import { columnAt } from "#shared/series/rows.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";
import type { PlottedStation, Picture } from "./figures/picture.ts";

/** The figures and tables of a part, as they are saved. */
export interface Sheet {
  /** Part of the file names: "compare-pairs-ztd". */
  readonly name: string;
  readonly title: string;
  readonly range: TimeRange;
  readonly stations: readonly PlottedStation[];
  readonly pictures: readonly Picture[];
  /** Explanations below the saved figures. */
  readonly footnotes?: readonly string[];
  readonly tables: readonly SheetTable[];
}

export interface SheetTable {
  readonly id: string;
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: () => readonly (readonly CsvCell[])[];
}

/** A table with a row for each item. */
export function itemTable<Item>(
  { id, label }: Pick<SheetTable, "id" | "label">,
  columns: CsvColumns<Item>,
  items: readonly Item[],
): SheetTable {
  return { id, label, head: Object.keys(columns), rows: () => csvRows(columns, items) };
}

/** A drawn row of a series (n is 1, or 0 without a value), or a column of time with its statistics, timed at its start. */
interface DrawnPoint {
  readonly timeMs: number;
  readonly n: number;
  readonly mean: number;
  /** Standard uncertainty. */
  readonly sigma: number;
  readonly min: number;
  readonly max: number;
}

/** Returns the rows or columns of a window as they are drawn. @param sigmaOf the variable with the uncertainty */
export function drawnPoints(window: SeriesWindow, variable: ScalarVariable, sigmaOf?: ScalarVariable): DrawnPoint[] {
  if (window.kind === "rows") {
    const { [variable]: values, [sigmaOf ?? variable]: sigmas } = window.values;
    return Array.from(values ?? [], (value, i) => {
      const sigma = sigmaOf ? (sigmas?.[i] ?? Number.NaN) : Number.NaN;
      return {
        timeMs: window.timesMs[i]!,
        n: Number(!Number.isNaN(value)),
        mean: value,
        sigma,
        min: value,
        max: value,
      };
    });
  }
  const { [variable]: data, [sigmaOf ?? variable]: sigmas } = window.variables;
  if (!data) return [];
  const { startMs, endMs } = window.range;
  const columnMs = (endMs - startMs) / window.columns;
  return Array.from({ length: window.columns }, (_, i) => {
    const { count: n, min, max, mean } = columnAt(data, i);
    const sigma = sigmaOf ? (sigmas?.mean[i] ?? Number.NaN) : Number.NaN;
    return { timeMs: Math.round(startMs + i * columnMs), n, mean, sigma, min, max };
  });
}

/** A table of series as they are drawn; columns of time without a value are left out. */
export function windowTable(
  { id, label }: Pick<SheetTable, "id" | "label">,
  windows: readonly SeriesWindow[],
  variable: ScalarVariable,
  unit: string,
): SheetTable {
  return {
    id,
    label,
    head: ["station_id", "time", "n", `mean_${unit}`, `min_${unit}`, `max_${unit}`],
    rows: () =>
      windows.flatMap((window) =>
        drawnPoints(window, variable)
          .filter(({ n }) => window.kind === "rows" || n > 0)
          .map(({ timeMs, n, mean, min, max }) => [window.stationId, formatUtc(timeMs), n, mean, min, max]),
      ),
  };
}

const MAX_PICTURE_HEIGHT = 340;
const MIN_PICTURE_HEIGHT = 180;

/** Saves all figures as one, with title, legend and notes. */
export function saveSheet(sheet: Sheet): void {
  const { startMs, endMs } = sheet.range;
  saveFigure({
    fileName: fileName(sheet),
    compose: (page) =>
      composeSheet(
        {
          title: sheet.title,
          subtitle: `${formatUtcShort(startMs)} to ${formatUtcShort(endMs)}`,
          legend: sheet.stations.map(({ name, slot }) => {
            const { variable, dash } = seriesLook(slot);
            return lineEntry(name, page.theme.colour(variable), dash);
          }),
          parts: sheet.pictures.map(({ title, note, draw }) => ({
            title,
            note,
            height: (width) => Math.min(MAX_PICTURE_HEIGHT, Math.max(MIN_PICTURE_HEIGHT, width * 0.5)),
            draw,
          })),
          notes: sheet.footnotes ?? [],
        },
        page,
      ),
  });
}

export function saveTable(sheet: Sheet, table: SheetTable): void {
  saveCsv(csvTable(table.head, table.rows()), `${fileName(sheet)}-${table.id}`);
}

function fileName({ name, range }: Sheet): string {
  return `zenith-${name}-${fileDay(range.startMs)}-${fileDay(range.endMs)}`;
}
