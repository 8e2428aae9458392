import { type KeyboardEvent, useState } from "react";
import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";
import { fitCamera, scaleBar } from "../../map/camera.ts";
import type { Hit } from "../../map/picking.ts";
import type { MapStage } from "../../map/stage.ts";
import { showToast } from "../../stores/toasts.ts";
import { contextMenuHandlers, type MenuPosition, openContextMenu } from "../../ui/ContextMenu.tsx";
import { count, many } from "../../ui/text.ts";
import { openStationMenu } from "../catalogue/stationMenu.ts";
import { HoverCard } from "./HoverCard.tsx";
import classes from "./map.module.css";
import { togglePlaying } from "./mapState.ts";
import { type ModifierKeys, useGestures } from "./useGestures.ts";
import { absenceOf } from "./useMissing.ts";
import { FIT_MARGIN_PX, lookAtStations, ZOOM_STEP } from "./useStage.ts";
import { positionOf } from "./places.ts";
import { focusStation } from "../../stores/focus.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import type { MenuEntries } from "../../ui/MenuButton.tsx";
import type { MapParts } from "./useMapParts.ts";

const PAN_PX = 80;
const SCALE_PX = 120;
/** Smallest zoom factor that may split a cluster. */
const MIN_SPLIT_ZOOM = 1.2;

type Ids = (indices: readonly number[]) => string[];

/** Selects stations by pointer: one, those of a cluster, or those inside of a box or lasso. */
function useSelecting({ box, stage, stations, isLasso, onLasso }: MapParts, idsOf: Ids) {
  const openCluster = (members: readonly number[], keys: ModifierKeys): void => {
    if (!stage) return;
    const positions = members.flatMap((i) => (stations[i] ? (positionOf(stations[i]) ?? []) : []));
    const camera = fitCamera(positions, stage.size(), FIT_MARGIN_PX);
    const isSplit = selectModeOf(keys) === "only" && camera.scale > MIN_SPLIT_ZOOM * stage.camera().scale;
    if (isSplit) stage.lookAt(camera);
    else selectOnMap(idsOf(members), selectModeOf(keys));
  };
  return useGestures(box, stage, isLasso, {
    onPress(hit, keys) {
      if (hit?.kind === "station") selectOnMap(idsOf([hit.index]), selectModeOf(keys));
      else if (hit?.kind === "cluster") openCluster(hit.members, keys);
    },
    onArea(indices, keys) {
      // An empty area is probably a mistake and does not clear the selection.
      if (indices.length === 0) return showToast("No station inside.");
      // Shift draws the box, so only Ctrl adds to the selection.
      selectOnMap(idsOf(indices), keys.ctrlKey || keys.metaKey ? "add" : "only");
      onLasso(false);
    },
  });
}

/** The context menu of a station, a cluster or the map. */
function menuOf({ box: { current }, stage, stations }: MapParts) {
  return contextMenuHandlers(
    (target, at) => {
      const box = current?.getBoundingClientRect();
      if (!stage || !box || target?.closest("button")) return false;
      const hit = target ? stage.hitAt(at.x - box.left, at.y - box.top) : centralHit(stage);
      const station = hit?.kind === "station" ? stations[hit.index] : undefined;
      if (station) openStationMenu(station.id, at);
      else openMapMenu(stage, at, hit?.kind === "cluster" ? hit.members.flatMap((i) => stations[i] ?? []) : []);
      return true;
    },
    // The keyboard opens the menu of the central station, beside its name.
    (host) => host.querySelector("[role=status]"),
  );
}

/** The crosshair, shown while the map is operated by keyboard. */
function useCrosshair(stage: MapStage | null): readonly [boolean, (isShown: boolean) => void] {
  const [isShown, setShown] = useState(false);
  const show = (next: boolean): void => {
    setShown(next);
    stage?.setCrosshair(next);
  };
  return [isShown, show];
}

/** The map, operated by pointer and keyboard. */
export function MapCanvas(props: MapParts) {
  const { box, canvas, stage, visible, stations, snapshot, missing, isLasso } = props;
  const [hasCrosshair, showCrosshair] = useCrosshair(stage);
  const idsOf: Ids = (indices) => indices.flatMap((i) => stations[i]?.id ?? []);
  const { hovered, isDragging } = useSelecting(props, idsOf);
  const menu = menuOf(props);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (!stage || event.altKey || event.target !== event.currentTarget || menu.onMenuKey(event)) return;
    const action = keyAction(event, stage, idsOf);
    if (!action) return;
    event.preventDefault();
    showCrosshair(true);
    action();
  };
  const station = hovered === null ? undefined : stations[hovered];
  return (
    <div
      ref={box}
      // Focusable for its keyboard shortcuts.
      tabIndex={0}
      role="application"
      data-main
      aria-label="Map of stations"
      aria-describedby="map-keys"
      className={classes["box"]}
      data-lasso={isLasso || undefined}
      data-dragging={isDragging || undefined}
      data-pointing={hovered !== null || undefined}
      onContextMenu={menu.onContextMenu}
      onKeyDown={onKeyDown}
      onFocus={({ target, currentTarget }) =>
        showCrosshair(target === currentTarget && target.matches(":focus-visible"))
      }
      onBlur={() => showCrosshair(false)}
    >
      <canvas ref={canvas} className="block w-full h-full" aria-hidden />
      <p id="map-keys" className="visually-hidden">
        Arrows move the map, plus and minus zoom, 0 shows all stations. Enter selects the station nearest to the centre,
        with Ctrl it toggles, with Shift it adds. Space plays the snapshot. The list of stations has the same values.
      </p>
      {stage && station && hovered !== null ? (
        <HoverCard
          station={station}
          frame={snapshot.frame}
          absence={absenceOf(missing, station.id)}
          position={stage.screenPosition(hovered)}
          size={stage.size()}
        />
      ) : null}
      {hasCrosshair && stage ? <CentralStation {...props} stage={stage} /> : null}
      <Foot visible={visible} />
    </div>
  );
}

/** The scale, and the source of the coastlines. */
function Foot({ visible }: Pick<MapParts, "visible">) {
  const bar = visible ? scaleBar(visible.camera.scale, SCALE_PX) : null;
  return (
    <div className={classes["foot"]}>
      {bar ? (
        <span className={`${classes["scale"]} inline-row gap-1.5`}>
          <i style={{ width: bar.widthPx }} />
          {bar.text}
        </span>
      ) : null}
      <span>Natural Earth</span>
    </div>
  );
}

function centralHit(stage: MapStage): Hit | null {
  const index = stage.centralStation();
  return index === null ? null : { kind: "station", index };
}

/** Announces and shows the station that Enter would select. */
function CentralStation({ stage, stations, visible }: MapParts & { readonly stage: MapStage }) {
  const station = stations[stage.centralStation() ?? -1];
  return (
    <p role="status" className={classes["middle"]}>
      {station ? `Nearest to the centre: ${stationLabel(station)}` : "No station is visible"}
      {visible ? ` · ${count(visible.stations.length)} visible` : ""}
    </p>
  );
}

function keyAction(event: KeyboardEvent, stage: MapStage, idsOf: Ids): (() => void) | null {
  const index = event.key === "Enter" ? stage.centralStation() : null;
  if (index !== null) return () => selectOnMap(idsOf([index]), selectModeOf(event));
  if (event.ctrlKey || event.metaKey) return null;
  const distancePx = PAN_PX * (event.shiftKey ? 3 : 1);
  const closer = (): void => stage.zoomBy(ZOOM_STEP);
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => stage.panBy(distancePx, 0),
    ArrowRight: () => stage.panBy(-distancePx, 0),
    ArrowUp: () => stage.panBy(0, distancePx),
    ArrowDown: () => stage.panBy(0, -distancePx),
    "+": closer,
    "=": closer,
    "-": () => stage.zoomBy(1 / ZOOM_STEP),
    "0": () => stage.lookAt(stage.fitAll(FIT_MARGIN_PX)),
    " ": togglePlaying,
  };
  return actions[event.key] ?? null;
}

/** `only` replaces the selection, `add` adds to it, `toggle` selects or deselects each station. */
type SelectMode = "only" | "add" | "toggle";

/** Returns the mode for the pressed modifier keys: Ctrl toggles, Shift adds. */
function selectModeOf(event: ModifierKeys): SelectMode {
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
function selectOnMap(ids: readonly string[], mode: SelectMode): void {
  selectStations(applySelection(useWorkspace.getState().stationIds, ids, mode));
  const [first] = ids;
  if (first !== undefined && ids.length === 1) focusStation(first);
}

/** Opens the context menu of the map, except on a single station. @param cluster stations of the cluster there, if any */
function openMapMenu(stage: MapStage, at: MenuPosition, cluster: readonly KnownStation[]): void {
  const ids = cluster.map(({ id }) => id);
  const these = `these ${many(cluster.length, "station")}`;
  const isCluster = cluster.length > 0;
  const entries: MenuEntries = [
    isCluster && { id: "cluster-zoom", label: `Zoom to ${these}`, onAction: () => lookAtStations(stage, cluster) },
    isCluster && { id: "cluster-only", label: `Select ${these}`, onAction: () => selectOnMap(ids, "only") },
    isCluster && { id: "cluster-add", label: `Add ${these}`, onAction: () => selectOnMap(ids, "add") },
    isCluster && null,
    { id: "zoom-in", label: "Zoom in", detail: "+", onAction: () => stage.zoomBy(ZOOM_STEP) },
    { id: "zoom-out", label: "Zoom out", detail: "-", onAction: () => stage.zoomBy(1 / ZOOM_STEP) },
    { id: "all", label: "Show all stations", detail: "0", onAction: () => stage.lookAt(stage.fitAll(FIT_MARGIN_PX)) },
  ];
  openContextMenu({ label: "Map", ...at, entries });
}
