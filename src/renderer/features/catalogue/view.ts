import { z } from "zod";
import { type Column, COLUMNS } from "./columns.ts";
import { filtersSchema, NO_FILTERS } from "./filters.ts";

const DEFAULT_COLUMNS = ["name", "country", "rate", "cached"];
/** The first goes first. */
const YIELDING = ["country", "rate"];
export const TICK_PX = 32;

const columnId = z.enum(COLUMNS.map((c) => c.id) as [string, ...string[]]);

/** How the list of stations is shown: kept with the workspace, each part falling back on its own. */
export const viewSchema = z.object({
  filters: filtersSchema.catch(NO_FILTERS).default(NO_FILTERS),
  sort: z
    .object({ column: columnId, isDescending: z.boolean() })
    .catch({ column: "name", isDescending: false })
    .default({ column: "name", isDescending: false }),
  /** Chosen stations stand above the others. */
  chosenFirst: z.boolean().catch(false).default(false),
  columns: z.array(columnId).min(1).catch(DEFAULT_COLUMNS).default(DEFAULT_COLUMNS),
});
export type CatalogueView = z.output<typeof viewSchema>;

/** The columns to draw in so many pixels, the name always among them: where the list is as it came, the lesser ones make room in a narrow pane. */
export function shownColumns(ids: readonly string[], widthPx: number): readonly Column[] {
  const columns = COLUMNS.filter((c) => c.id === "name" || ids.includes(c.id));
  if (columns.map((c) => c.id).join() !== DEFAULT_COLUMNS.join()) return columns;
  const left = [...columns];
  for (const id of YIELDING) {
    if (leastWidthPx(left) <= widthPx) break;
    left.splice(
      left.findIndex((c) => c.id === id),
      1,
    );
  }
  return left;
}

/** What the columns take, the one for the tick among them. */
export function leastWidthPx(columns: readonly Column[]): number {
  return columns.reduce((sum, c) => sum + c.width, TICK_PX);
}

export function readView(kept: unknown): CatalogueView {
  return viewSchema.parse(kept ?? {});
}
