import { Map as MapIcon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { KnownStation } from "#shared/service/catalogue.ts";
import { SCALAR_VARIABLES, variableInfo } from "#shared/service/variables.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { NoStation } from "../catalogue/NoStation.tsx";
import { useChips } from "../../stores/oneVariable.ts";
import { MapCanvas } from "./MapCanvas.tsx";
import { MapLegend } from "./MapLegend.tsx";
import { showMoment, MAP, useMapState } from "./mapState.ts";
import { MapTools } from "./MapTools.tsx";
import { positionOf, unplacedNote, unplacedOf } from "./places.ts";
import { REDUCED } from "./scale.ts";
import { SnapshotBar } from "./SnapshotBar.tsx";
import { useListed } from "./useListed.ts";
import { useColoured, useScale } from "./useScale.ts";
import { useMissing } from "./useMissing.ts";
import { type Snapshot, useSnapshot } from "./useSnapshot.ts";
import { useStage } from "./useStage.ts";
import { usePane } from "../../stores/pane.ts";

const ON_MAP = SCALAR_VARIABLES.filter((v) => variableInfo(v).map);

/** A chip asks for its values, whatever the colours showed before. */
function colourByValue(): void {
  MAP.change({ colourBy: "value" });
}

/** The map with its toolbar above and the snapshot bar below. */
function MapDesk() {
  const stations = useCatalogue((s) => s.known);
  const [options] = usePane(MAP);
  const [isLasso, setLasso] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);

  const variable = useChips(ON_MAP, colourByValue);
  // Only ZTD has an anomaly: another variable is shown by its values.
  const colourBy = options.colourBy === REDUCED && variable !== "ztd" ? "value" : options.colourBy;
  const by = colourBy === "value" ? variable : colourBy;
  const snapshot = useSnapshot(options.withinSeconds);
  usePlayer(snapshot, options.framesPerSecond);
  const missing = useMissing(stations, snapshot, variable);
  const scale = useScale(by, options, snapshot);
  const coloured = useColoured(by, snapshot.frame, familyOf(snapshot), scale);
  const { stage, visible } = useStage(canvas, box, {
    stations,
    painting: coloured.painting,
    hasLabels: options.hasLabels,
  });
  useListed({ stations, visible, snapshot, missing, variable, hasAnomaly: colourBy === REDUCED, stage });
  const hasPositions = stations.some((s) => positionOf(s) !== null);

  return (
    <div className="pane">
      <MapTools
        stage={stage}
        stations={stations}
        snapshot={snapshot}
        coloured={coloured}
        scale={scale}
        variable={variable}
        isLasso={isLasso}
        onLasso={setLasso}
        colourBy={colourBy}
      />
      <div className="@container relative stack flex-1 min-h-40 border-t border-line overflow-hidden">
        <div className="relative flex-1 min-h-0">
          <MapCanvas
            boxRef={box}
            canvasRef={canvas}
            stage={stage}
            visible={visible}
            stations={stations}
            frame={snapshot.frame}
            missing={missing}
            isLasso={isLasso}
            onLassoEnd={() => setLasso(false)}
          />
        </div>
        <MapLegend legend={coloured.legend} />
        {hasPositions ? null : <Unplaced stations={stations} />}
      </div>
      <SnapshotBar snapshot={snapshot} stations={stations} missing={missing} variable={variable} />
    </div>
  );
}

/** Identifies the snapshots whose values have a common scale. */
function familyOf({ query, firstMs, lastMs, stepMs }: Snapshot): string {
  return JSON.stringify([query.connectionId, query.mode, firstMs, Math.floor(lastMs / stepMs)]);
}

/** Says why no station is on the map. */
function Unplaced({ stations }: { readonly stations: readonly KnownStation[] }) {
  return (
    <p className="absolute top-3 left-3 max-w-[420px] px-3 py-2 rounded-box bg-surface">
      {unplacedNote(unplacedOf(stations).values())} The list of stations has their values.
    </p>
  );
}

/** Frames per second if the system is set to reduced motion. */
const REDUCED_PER_SECOND = 1;

/** Advances the moment while playing, no faster than frames arrive; stops at the end of the time range. */
function usePlayer(snapshot: Snapshot, framesPerSecond: number): void {
  const isPlaying = useMapState((s) => s.isPlaying);
  const latest = useRef(snapshot);
  latest.current = snapshot;
  useEffect(() => {
    if (!isPlaying) return;
    const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const perSecond = isReduced ? REDUCED_PER_SECOND : framesPerSecond;
    const { momentMs, firstMs, lastMs } = latest.current;
    // Starts again from the beginning.
    if (momentMs >= lastMs) showMoment(firstMs, latest.current);
    const timer = setInterval(() => {
      const now = latest.current;
      if (now.fault) return useMapState.setState({ isPlaying: false });
      if (now.isLoading) return;
      if (now.momentMs >= now.lastMs) return useMapState.setState({ isPlaying: false });
      showMoment(now.momentMs + now.stepMs, now);
    }, 1_000 / perSecond);
    return () => clearInterval(timer);
  }, [isPlaying, framesPerSecond]);
}

/** All stations on a map, coloured by a property or by their values at a moment. */
export function MapView() {
  const hasStations = useCatalogue((s) => s.known.length > 0);
  if (hasStations) return <MapDesk />;
  return <NoStation icon={MapIcon} />;
}
