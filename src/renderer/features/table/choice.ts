import type { ShownSeries } from "../files/shownSeries.ts";
import type { FileTable } from "./fileRows.ts";

/** A list of more is not read: what is ticked among the series stands in it in any case. */
const MOST_TABLES = 100;

/** The tables of files that are offered: those of which something is drawn, then the others. */
export function offered(tables: readonly FileTable[], shown: readonly ShownSeries[]): readonly FileTable[] {
  const drawn = new Set(shown.map(({ file, series }) => `${file.id} ${series.id}`));
  const isDrawn = ({ file, series }: FileTable): boolean => series.some((s) => drawn.has(`${file.id} ${s.id}`));
  const first = tables.filter(isDrawn);
  return [...first, ...tables.filter((table) => !isDrawn(table))].slice(0, MOST_TABLES);
}
