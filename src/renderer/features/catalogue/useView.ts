import { useMemo } from "react";
import { useWorkspace } from "../../stores/workspace.ts";
import { type CatalogueView, readView } from "./view.ts";

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
