import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { cleanupOf } from "#shared/async.ts";
import { type CatalogueStation, stationLabel } from "#shared/service/catalogue.ts";
import { fitCamera, type Position } from "../../map/camera.ts";
import type { Painting } from "../../map/painting.ts";
import { MapStage, type VisibleMap } from "../../map/stage.ts";
import { seriesLook } from "#shared/plot/theme.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { followSize } from "../../ui/useSize.ts";
import { CAMERA } from "./mapState.ts";
import { positionOf } from "./places.ts";
import { useThemeTurn } from "./useScale.ts";

export const FIT_MARGIN_PX = 56;
/** Zoom factor of a button or menu entry. */
export const ZOOM_STEP = 1.6;

/** Shows all of the stations that have a position. */
export function lookAtStations(stage: MapStage, stations: readonly CatalogueStation[]): void {
  const positions = stations.flatMap((station) => positionOf(station) ?? []);
  if (positions.length > 0) stage.lookAt(fitCamera(positions, stage.size(), FIT_MARGIN_PX));
}

interface StageContent {
  readonly stations: readonly CatalogueStation[];
  readonly painting: Painting;
  readonly hasLabels: boolean;
}

/** Creates the stage of a canvas and keeps its stations, colours, selection, theme and size up to date. */
export function useStage(
  canvas: RefObject<HTMLCanvasElement | null>,
  box: RefObject<HTMLElement | null>,
  { stations, painting, hasLabels }: StageContent,
) {
  const [stage, setStage] = useState<MapStage | null>(null);
  const [visible, setVisible] = useState<VisibleMap | null>(null);
  const positions = useMemo(() => stations.map(positionOf), [stations]);
  const stationIds = useWorkspace((s) => s.stationIds);
  const slots = useWorkspace((s) => s.slots);
  const turn = useThemeTurn();

  useLayoutEffect(() => {
    if (!canvas.current || !box.current) return;
    const element = box.current;
    const created = new MapStage(canvas.current, setVisible);
    const unfollow = followSize(element, () => {
      const { clientWidth, clientHeight } = element;
      if (clientWidth > 0 && clientHeight > 0)
        created.resize({ widthPx: clientWidth, heightPx: clientHeight }, devicePixelRatio);
    });
    setStage(created);
    return cleanupOf(unfollow, () => created.close());
  }, [canvas, box]);

  const selected = useMemo(() => {
    const indexOf = new Map(stations.map((s, i) => [s.id, i]));
    const colours = new Map<number, string>();
    for (const id of stationIds) {
      const index = indexOf.get(id);
      if (index !== undefined) colours.set(index, seriesLook(slots[id] ?? 0).variable);
    }
    return colours;
  }, [stations, stationIds, slots]);

  useLayoutEffect(() => stage?.setStations(positions), [stage, positions]);
  useLayoutEffect(() => stage?.setPainting(painting, selected), [stage, painting, selected]);
  useLayoutEffect(
    () => stage?.setLabels(hasLabels ? stations.map((station) => stationLabel(station)) : null),
    [stage, stations, hasLabels],
  );
  useEffect(() => stage?.themeChanged(), [stage, turn]);
  useCamera(stage, visible, positions);
  return { stage, visible };
}

/** Restores the saved camera, or shows all stations, and saves the camera when it changes. */
function useCamera(stage: MapStage | null, visible: VisibleMap | null, positions: readonly (Position | null)[]): void {
  const isPlaced = useRef(false);
  useLayoutEffect(() => {
    if (!stage || isPlaced.current || positions.length === 0) return;
    isPlaced.current = true;
    const saved = CAMERA.of(useWorkspace.getState());
    stage.lookAt(saved ?? stage.fitAll(FIT_MARGIN_PX));
  }, [stage, positions]);
  useEffect(() => {
    if (!visible || !isPlaced.current) return;
    CAMERA.set(visible.camera);
  }, [visible]);
}
