import type { ShownSeries } from "../files/fileSeries.ts";
import type { FileTable } from "./fileRows.ts";

/** Maximum number of tables to choose from; those of drawn series are always included. */
const MAX_TABLES = 100;

/** Returns the tables to choose from: those with drawn series first, then the others. */
export function offeredTables(tables: readonly FileTable[], shown: readonly ShownSeries[]): readonly FileTable[] {
  const drawn = new Set(shown.map(({ file, series }) => `${file.id} ${series.id}`));
  const isDrawn = ({ file, series }: FileTable): boolean => series.some((s) => drawn.has(`${file.id} ${s.id}`));
  const first = tables.filter(isDrawn);
  return [...first, ...tables.filter((table) => !isDrawn(table))].slice(0, MAX_TABLES);
}
