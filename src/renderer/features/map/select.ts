import { focusStation } from "../../stores/focus.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";

/** `only` chooses these and no others, `add` these too, `toggle` those that are not chosen and no longer those that are. */
export type ChooseHow = "only" | "add" | "toggle";

/** How the keys that are held want it: Ctrl toggles, Shift adds. */
export function howOf(event: {
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}): ChooseHow {
  if (event.ctrlKey || event.metaKey) return "toggle";
  return event.shiftKey ? "add" : "only";
}

export function chosenAfter(chosen: readonly string[], ids: readonly string[], how: ChooseHow): readonly string[] {
  if (how === "only") return ids;
  const before = new Set(chosen);
  const fresh = ids.filter((id) => !before.has(id));
  if (how === "add") return [...chosen, ...fresh];
  const leaving = new Set(ids.filter((id) => before.has(id)));
  return [...chosen.filter((id) => !leaving.has(id)), ...fresh];
}

/** Chooses stations for all views, and shows the details of a single one. */
export function choose(ids: readonly string[], how: ChooseHow): void {
  selectStations(chosenAfter(useWorkspace.getState().stationIds, ids, how));
  const [first] = ids;
  if (first !== undefined && ids.length === 1) focusStation(first);
}
