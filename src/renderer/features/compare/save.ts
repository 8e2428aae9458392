import { formatUtcShort } from "#shared/time/utc.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { paintScene } from "../../plot/figure/paint.ts";
import { pageTheme } from "../../plot/theme.ts";
import { showFault } from "../../stores/toasts.ts";
import { provenance, saveBlob } from "../series/image.ts";
import { csvOf, type Field } from "./csv.ts";
import { composeSheet } from "./figures/compose.ts";
import type { Drawn, Picture } from "./figures/picture.ts";

/** Pixels of a PNG for each of the picture's: sharp in print and on fine screens. */
const PNG_RATIO = 2;

/** What is in sight, as files. */
export interface Sheet {
  /** Part of the file names: "compare-pairs-ztd". */
  readonly name: string;
  readonly title: string;
  readonly range: TimeRange;
  readonly stations: readonly Drawn[];
  readonly pictures: readonly Picture[];
  /** What the pictures need beside their notes to be understood on their own. */
  readonly footnotes?: readonly string[];
  readonly tables: readonly SheetTable[];
}

export interface SheetTable {
  readonly id: string;
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: () => readonly (readonly Field[])[];
}

/** All figures in one picture that can be understood on its own. */
export async function savePng(sheet: Sheet): Promise<void> {
  const { startMs, endMs } = sheet.range;
  const words = {
    title: sheet.title,
    subtitle: `${formatUtcShort(startMs)} to ${formatUtcShort(endMs)}`,
    footnotes: [...(sheet.footnotes ?? []), await provenance()],
  };
  const scene = composeSheet(sheet.pictures, sheet.stations, words, pageTheme());
  await document.fonts.ready;
  const canvas = document.createElement("canvas");
  paintScene(scene, canvas, PNG_RATIO);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) saveBlob(blob, `${fileName(sheet)}.png`);
  else
    showFault({
      kind: "engine",
      message: "The picture is too large for this computer. Choose fewer stations.",
      cause: null,
    });
}

export function saveCsv(sheet: Sheet, table: SheetTable): void {
  const text = csvOf(table.head, table.rows());
  saveBlob(new Blob([text], { type: "text/csv;charset=utf-8" }), `${fileName(sheet)}-${table.id}.csv`);
}

function fileName({ name, range }: Sheet): string {
  return `zenith-${name}-${day(range.startMs)}-${day(range.endMs)}`;
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");
}
