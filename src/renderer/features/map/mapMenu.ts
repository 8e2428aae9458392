import type { KnownStation } from "#shared/service/catalogue.ts";
import type { MapStage } from "../../map/stage.ts";
import { openContextMenu } from "../../ui/ContextMenu.tsx";
import type { MenuPosition } from "../../ui/contextMenuHandlers.ts";
import type { MenuEntry } from "../../ui/MenuButton.tsx";
import { many } from "../../ui/text.ts";
import { selectOnMap } from "./select.ts";
import { FIT_MARGIN_PX, lookAtStations, ZOOM_STEP } from "./useStage.ts";

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
