import type { TimeRange } from "#shared/time/range.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { lineEntry } from "#shared/plot/figure/compose.ts";
import { composeSheet } from "#shared/plot/figure/sheet.ts";
import { seriesLook } from "#shared/plot/theme.ts";
import { saveCsv } from "../../stores/saveBlob.ts";
import { dayOf } from "#shared/plot/figure/page.ts";
import { saveFigure } from "../figure/open.ts";
import { csvTable, type CsvCell } from "#shared/file/csv.ts";
import type { PlottedStation, Picture } from "./figures/axes.ts";

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
  return `zenith-${name}-${dayOf(range.startMs)}-${dayOf(range.endMs)}`;
}
