import type { KnownStation } from "#shared/service/catalogue.ts";
import { fitCamera } from "../../map/camera.ts";
import type { MapStage } from "../../map/stage.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { openContextMenu } from "../../ui/ContextMenu.tsx";
import type { MenuPosition } from "../../ui/contextMenuHandlers.ts";
import type { MenuEntry } from "../../ui/MenuButton.tsx";
import { many } from "../../ui/text.ts";
import { positionOf } from "./places.ts";
import { FIT_MARGIN_PX } from "./useStage.ts";

const ZOOM = 1.6;

/** Opens the context menu of the map, except on a single station. @param cluster stations of the cluster there, if any */
export function openMapMenu(stage: MapStage, at: MenuPosition, cluster: readonly KnownStation[]): void {
  const zoomTo = (stations: readonly KnownStation[]): void => {
    const positions = stations.flatMap((station) => positionOf(station) ?? []);
    if (positions.length > 0) stage.lookAt(fitCamera(positions, stage.size(), FIT_MARGIN_PX));
  };
  const these = `these ${many(cluster.length, "station")}`;
  const entries: (MenuEntry | null)[] = [
    ...(cluster.length === 0
      ? []
      : [
          { id: "cluster-zoom", label: `Zoom to ${these}`, onAction: () => zoomTo(cluster) },
          { id: "cluster-only", label: `Select ${these}`, onAction: () => selectStations(cluster.map(({ id }) => id)) },
          { id: "cluster-add", label: `Add ${these}`, onAction: () => addStations(cluster) },
          null,
        ]),
    { id: "zoom-in", label: "Zoom in", detail: "+", onAction: () => stage.zoomBy(ZOOM) },
    { id: "zoom-out", label: "Zoom out", detail: "-", onAction: () => stage.zoomBy(1 / ZOOM) },
    { id: "all", label: "Show all stations", detail: "0", onAction: () => stage.lookAt(stage.fitAll(FIT_MARGIN_PX)) },
  ];
  openContextMenu({ label: "Map", ...at, entries });
}

function addStations(stations: readonly KnownStation[]): void {
  selectStations([...new Set([...useWorkspace.getState().stationIds, ...stations.map(({ id }) => id)])]);
}
