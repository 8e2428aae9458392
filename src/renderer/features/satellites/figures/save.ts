import { composeSheet } from "../../../plot/figure/sheet.ts";
import { saveBlob } from "../../../stores/saveBlob.ts";
import { saveFigure } from "../../figure/open.ts";
import { figureTheme } from "../draw/theme.ts";
import type { Paint } from "./FigureCanvas.tsx";

export interface FigureFile {
  readonly title: string;
  /** Station, time and what was left out: a figure stands alone. */
  readonly subtitle: string;
  /** Without the extension. */
  readonly fileName: string;
  readonly paint: Paint;
  /** Height for each unit of width, as it is on the screen. */
  readonly aspect: number;
}

/** Offers a drawing of this view to be saved, with title, what it is of, and where the data come from. */
export function saveDrawing({ title, subtitle, fileName, paint, aspect }: FigureFile): void {
  saveFigure({
    fileName,
    compose: (page) =>
      composeSheet(
        {
          title,
          subtitle,
          legend: [],
          notes: [],
          parts: [
            {
              height: (width) => width * aspect,
              draw: (width, height, theme) => [
                {
                  kind: "image",
                  x: 0,
                  y: 0,
                  width,
                  height,
                  paint: (ctx, w, h) => paint(ctx, w, h, figureTheme(theme)),
                },
              ],
            },
          ],
        },
        page,
      ),
  });
}

export function saveCsv(content: string, fileName: string): void {
  saveBlob(new Blob([content], { type: "text/csv" }), `${fileName}.csv`);
}
