import { z } from "zod";
import { COLUMNS } from "./columns.ts";
import { filtersSchema, NO_FILTERS } from "./filters.ts";

const DEFAULT_COLUMNS = ["name", "country", "rate", "cached"];

const columnId = z.enum(COLUMNS.map((c) => c.id) as [string, ...string[]]);

/** How the list of stations is shown: kept with the workspace, each part falling back on its own. */
export const viewSchema = z.object({
  query: z.string().catch("").default(""),
  filters: filtersSchema.catch(NO_FILTERS).default(NO_FILTERS),
  sort: z
    .object({ column: columnId, isDescending: z.boolean() })
    .catch({ column: "name", isDescending: false })
    .default({ column: "name", isDescending: false }),
  columns: z.array(columnId).min(1).catch(DEFAULT_COLUMNS).default(DEFAULT_COLUMNS),
});
export type CatalogueView = z.output<typeof viewSchema>;

export function readView(kept: unknown): CatalogueView {
  return viewSchema.parse(kept ?? {});
}
