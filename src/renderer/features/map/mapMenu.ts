import type { KnownStation } from "#shared/service/catalogue.ts";
import { fitted } from "../../map/camera.ts";
import type { MapStage } from "../../map/stage.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { openContextMenu } from "../../ui/ContextMenu.tsx";
import type { MenuPlace } from "../../ui/contextMenuKeys.ts";
import type { MenuEntry } from "../../ui/MenuButton.tsx";
import { many } from "../../ui/text.ts";
import { positionOf } from "./places.ts";
import { FIT_MARGIN_PX } from "./useStage.ts";

const ZOOM = 1.6;

/** Opens what can be done at a place of the map that is no single station. @param crowd stations drawn as one there */
export function openMapMenu(stage: MapStage, at: MenuPlace, crowd: readonly KnownStation[]): void {
  const look = (stations: readonly KnownStation[]): void => {
    const positions = stations.flatMap((station) => positionOf(station) ?? []);
    if (positions.length > 0) stage.look(fitted(positions, stage.size(), FIT_MARGIN_PX));
  };
  const these = `these ${many(crowd.length, "station")}`;
  const entries: (MenuEntry | null)[] = [
    ...(crowd.length === 0
      ? []
      : [
          { id: "crowd-zoom", label: `Zoom to ${these}`, onAction: () => look(crowd) },
          { id: "crowd-only", label: `Select ${these}`, onAction: () => selectStations(crowd.map(({ id }) => id)) },
          { id: "crowd-add", label: `Add ${these}`, onAction: () => addStations(crowd) },
          null,
        ]),
    { id: "zoom-in", label: "Zoom in", detail: "+", onAction: () => stage.zoomBy(ZOOM) },
    { id: "zoom-out", label: "Zoom out", detail: "-", onAction: () => stage.zoomBy(1 / ZOOM) },
    { id: "all", label: "Show all stations", detail: "0", onAction: () => stage.look(stage.whole(FIT_MARGIN_PX)) },
  ];
  openContextMenu({ label: "Map", ...at, entries });
}

function addStations(stations: readonly KnownStation[]): void {
  selectStations([...new Set([...useWorkspace.getState().stationIds, ...stations.map(({ id }) => id)])]);
}
