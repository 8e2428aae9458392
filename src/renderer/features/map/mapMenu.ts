import type { KnownStation } from "#shared/service/catalogue.ts";
import type { MapStage } from "../../map/stage.ts";
import { focusStation } from "../../stores/focus.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { type MenuPosition, openContextMenu } from "../../ui/ContextMenu.tsx";
import type { MenuEntry } from "../../ui/MenuButton.tsx";
import { many } from "../../ui/text.ts";
import { FIT_MARGIN_PX, lookAtStations, ZOOM_STEP } from "./useStage.ts";

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

/** Opens the context menu of the map, except on a single station. @param cluster stations of the cluster there, if any */
export function openMapMenu(stage: MapStage, at: MenuPosition, cluster: readonly KnownStation[]): void {
  const ids = cluster.map(({ id }) => id);
  const these = `these ${many(cluster.length, "station")}`;
  const entries: (MenuEntry | null)[] = [
    ...(cluster.length === 0
      ? []
      : [
          { id: "cluster-zoom", label: `Zoom to ${these}`, onAction: () => lookAtStations(stage, cluster) },
          { id: "cluster-only", label: `Select ${these}`, onAction: () => selectOnMap(ids, "only") },
          { id: "cluster-add", label: `Add ${these}`, onAction: () => selectOnMap(ids, "add") },
          null,
        ]),
    { id: "zoom-in", label: "Zoom in", detail: "+", onAction: () => stage.zoomBy(ZOOM_STEP) },
    { id: "zoom-out", label: "Zoom out", detail: "-", onAction: () => stage.zoomBy(1 / ZOOM_STEP) },
    { id: "all", label: "Show all stations", detail: "0", onAction: () => stage.lookAt(stage.fitAll(FIT_MARGIN_PX)) },
  ];
  openContextMenu({ label: "Map", ...at, entries });
}
