import { focusStation } from "../../stores/focus.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";

/** `only` replaces the selection, `add` adds to it, `toggle` selects or deselects each station. */
type SelectMode = "only" | "add" | "toggle";

/** Returns the mode for the pressed modifier keys: Ctrl toggles, Shift adds. */
export function selectModeOf(event: {
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}): SelectMode {
  if (event.ctrlKey || event.metaKey) return "toggle";
  return event.shiftKey ? "add" : "only";
}

function applySelection(selected: readonly string[], ids: readonly string[], mode: SelectMode): readonly string[] {
  if (mode === "only") return ids;
  if (mode === "add") return [...selected, ...ids];
  const before = new Set(selected);
  const toggled = new Set(ids);
  return [...selected.filter((id) => !toggled.has(id)), ...ids.filter((id) => !before.has(id))];
}

/** Selects stations in all views, and shows the details of a single one. */
export function selectOnMap(ids: readonly string[], mode: SelectMode): void {
  selectStations(applySelection(useWorkspace.getState().stationIds, ids, mode));
  const [first] = ids;
  if (first !== undefined && ids.length === 1) focusStation(first);
}
