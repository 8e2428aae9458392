import { useMemo } from "react";
import { z } from "zod";
import { useWorkspace } from "../../stores/workspace.ts";
import type { Column } from "../../ui/grid/columns.ts";
import { COLUMNS } from "./columns.ts";
import { filtersSchema, NO_FILTERS } from "./filters.ts";

const DEFAULT_COLUMNS = ["name", "cached"];

const columnId = z.enum(COLUMNS.map((c) => c.id) as [string, ...string[]]);

/** Options of the station list, saved with the workspace; each has its own fallback. */
const viewSchema = z.object({
  filters: filtersSchema.catch(NO_FILTERS).default(NO_FILTERS),
  sort: z
    .object({ column: columnId, isDescending: z.boolean() })
    .catch({ column: "name", isDescending: false })
    .default({ column: "name", isDescending: false }),
  /** Selected stations are listed first. */
  chosenFirst: z.boolean().catch(false).default(false),
  columns: z.array(columnId).min(1).catch(DEFAULT_COLUMNS).default(DEFAULT_COLUMNS),
});
export type CatalogueView = z.output<typeof viewSchema>;

/** Returns the columns to draw, always including the name. */
export function chosenColumns<C extends Pick<Column<never>, "id">>(
  all: readonly C[],
  ids: readonly string[],
): readonly C[] {
  return all.filter((c) => c.id === "name" || ids.includes(c.id));
}

export function readView(kept: unknown): CatalogueView {
  return viewSchema.parse(kept ?? {});
}

const PANE = "catalogue";
/** Separate from the other options, because it changes with every key. */
const QUERY_PANE = "catalogue.query";

/** Returns the options of the list; the same object until one changes. */
export function useCatalogueView(): CatalogueView {
  const kept = useWorkspace((s) => s.panes[PANE]);
  return useMemo(() => readView(kept), [kept]);
}

/** Changes options of the list. */
export function changeView(part: Partial<CatalogueView>): void {
  useWorkspace.setState((s) => ({ panes: { ...s.panes, [PANE]: { ...readView(s.panes[PANE]), ...part } } }));
}

export function useQuery(): string {
  const kept = useWorkspace((s) => s.panes[QUERY_PANE]);
  return typeof kept === "string" ? kept : "";
}

export function changeQuery(query: string): void {
  useWorkspace.setState((s) => ({ panes: { ...s.panes, [QUERY_PANE]: query } }));
}
