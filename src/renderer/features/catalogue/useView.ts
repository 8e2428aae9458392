import { useMemo } from "react";
import { useWorkspace } from "../../stores/workspace.ts";
import { type CatalogueView, readView } from "./view.ts";

const PANE = "catalogue";

/** How the list is shown, and a way to change parts of it; the same object until something changes. */
export function useCatalogueView(): [CatalogueView, (part: Partial<CatalogueView>) => void] {
  const kept = useWorkspace((s) => s.panes[PANE]);
  return [useMemo(() => readView(kept), [kept]), changeView];
}

function changeView(part: Partial<CatalogueView>): void {
  useWorkspace.setState((s) => ({ panes: { ...s.panes, [PANE]: { ...readView(s.panes[PANE]), ...part } } }));
}
