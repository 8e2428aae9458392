import { useMemo } from "react";
import { useWorkspace } from "../../stores/workspace.ts";
import { type CatalogueView, readView } from "./view.ts";

const PANE = "catalogue";
/** Apart from the rest: it changes with every key, and nothing else is to change with it. */
const QUERY_PANE = "catalogue.query";

/** How the list is shown; the same object until something changes. */
export function useCatalogueView(): CatalogueView {
  const kept = useWorkspace((s) => s.panes[PANE]);
  return useMemo(() => readView(kept), [kept]);
}

/** Changes parts of how the list is shown. */
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
