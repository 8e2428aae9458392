import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { type Camera, fitted, type Position } from "../../map/camera.ts";
import type { Painting } from "../../map/painting.ts";
import { createMapStage, type MapStage, type Seen } from "../../map/stage.ts";
import { seriesLook } from "#shared/plot/palette.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { CAMERA_PANE } from "./mapState.ts";
import { positionOf } from "./places.ts";
import { useThemeTurn } from "./useColoured.ts";

export const FIT_MARGIN_PX = 56;

export interface StageView {
  readonly stage: MapStage | null;
  readonly seen: Seen | null;
}

/** The stage of a canvas, kept up to date with stations, colours, choice, theme and size. */
export function useStage(
  canvas: RefObject<HTMLCanvasElement | null>,
  box: RefObject<HTMLElement | null>,
  stations: readonly CatalogueStation[],
  painting: Painting,
  hasLabels: boolean,
): StageView {
  const [stage, setStage] = useState<MapStage | null>(null);
  const [seen, setSeen] = useState<Seen | null>(null);
  const positions = useMemo(() => stations.map(positionOf), [stations]);
  const stationIds = useWorkspace((s) => s.stationIds);
  const slots = useWorkspace((s) => s.slots);
  const turn = useThemeTurn();

  useLayoutEffect(() => {
    if (!canvas.current || !box.current) return;
    const element = box.current;
    const made = createMapStage(canvas.current, setSeen);
    const measure = (): void => {
      const { clientWidth, clientHeight } = element;
      if (clientWidth > 0 && clientHeight > 0)
        made.resize({ widthPx: clientWidth, heightPx: clientHeight }, devicePixelRatio);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    setStage(made);
    return () => {
      observer.disconnect();
      made.close();
    };
  }, [canvas, box]);

  const chosen = useMemo(() => {
    const places = new Map(stations.map((s, i) => [s.id, i]));
    const looks = new Map<number, string>();
    for (const id of stationIds) {
      const place = places.get(id);
      if (place !== undefined) looks.set(place, seriesLook(slots[id] ?? 0).variable);
    }
    return looks;
  }, [stations, stationIds, slots]);

  useLayoutEffect(() => stage?.setStations(positions), [stage, positions]);
  useLayoutEffect(() => stage?.setPainting(painting, chosen), [stage, painting, chosen]);
  useLayoutEffect(
    () => stage?.setLabels(hasLabels ? stations.map((s) => s.displayName) : null),
    [stage, stations, hasLabels],
  );
  useEffect(() => stage?.themeChanged(), [stage, turn]);
  useCamera(stage, seen, positions);
  return { stage, seen };
}

/** Looks where it was left, at first at all stations, and remembers where it looks. */
function useCamera(stage: MapStage | null, seen: Seen | null, positions: readonly (Position | null)[]): void {
  const isPlaced = useRef(false);
  useLayoutEffect(() => {
    if (!stage || isPlaced.current || positions.length === 0) return;
    isPlaced.current = true;
    const kept = readCamera(useWorkspace.getState().panes[CAMERA_PANE]);
    stage.look(
      kept ??
        fitted(
          positions.filter((p) => p !== null),
          stage.size(),
          FIT_MARGIN_PX,
        ),
    );
  }, [stage, positions]);
  useEffect(() => {
    if (!seen || !isPlaced.current) return;
    useWorkspace.setState((s) => ({ panes: { ...s.panes, [CAMERA_PANE]: seen.camera } }));
  }, [seen]);
}

function readCamera(kept: unknown): Camera | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { longitudeDeg, latitudeDeg, scale } = kept as Partial<Record<keyof Camera, unknown>>;
  const isCamera = [longitudeDeg, latitudeDeg, scale].every((n) => typeof n === "number" && Number.isFinite(n));
  return isCamera ? (kept as Camera) : null;
}
