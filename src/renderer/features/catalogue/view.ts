import { z } from "zod";
import { type Column, sortSchema } from "../../ui/grid/columns.ts";
import { COLUMNS } from "./columns.ts";
import { filtersSchema, NO_FILTERS } from "./filters.ts";
import { ON_MAP } from "./onMap.ts";
import { pane } from "../../stores/pane.ts";

const DEFAULT_COLUMNS = ["name", "cached"];

const columnId = z.enum(COLUMNS.map((c) => c.id) as [string, ...string[]]);

/** Options of the station list, saved with the workspace; each has its own fallback. */
const viewSchema = z.object({
  filters: filtersSchema.catch(NO_FILTERS),
  sort: sortSchema([...COLUMNS, { id: ON_MAP }], { column: "name", isDescending: false }),
  /** Selected stations are listed first. */
  chosenFirst: z.boolean().catch(false),
  columns: z.array(columnId).min(1).catch(DEFAULT_COLUMNS),
});
export type CatalogueView = z.output<typeof viewSchema>;

/** Returns the columns to draw, always including the name. */
export function chosenColumns<C extends Pick<Column<never>, "id">>(
  all: readonly C[],
  ids: readonly string[],
): readonly C[] {
  return all.filter((c) => c.id === "name" || ids.includes(c.id));
}

export const VIEW = pane("catalogue", viewSchema);
/** Separate from the other options, because it changes with every key. */
export const QUERY = pane("catalogue.query", z.string().catch(""));
