import { Focus, Lasso, Map as MapIcon, Maximize, Tag, ZoomIn, ZoomOut } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { KnownStation } from "#shared/service/catalogue.ts";
import { SCALAR_VARIABLES, type ScalarVariable, type Variable, variableInfo } from "#shared/service/variables.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { NoStation } from "../catalogue/NoStation.tsx";
import { showOne, useChips } from "../../stores/oneVariable.ts";
import { MapCanvas } from "./MapCanvas.tsx";
import { MapLegend, ScaleFlyout } from "./MapLegend.tsx";
import { MAP, showMoment, useMapState } from "./mapState.ts";
import { positionOf, unplacedNote, unplacedOf } from "./places.ts";
import { REDUCED } from "./scale.ts";
import { SnapshotBar } from "./SnapshotBar.tsx";
import { useListed } from "./useListed.ts";
import { type ColouredView, type MapScale, useColoured, useScale } from "./useScale.ts";
import { findCauses, useMissing } from "./useMissing.ts";
import { type Snapshot, useSnapshot } from "./useSnapshot.ts";
import { FIT_MARGIN_PX, lookAtStations, useStage, ZOOM_STEP } from "./useStage.ts";
import { usePane } from "../../stores/pane.ts";
import type { Absence } from "#shared/series/gap.ts";
import { bridge } from "../../bridge/index.ts";
import type { MapStage } from "../../map/stage.ts";
import { saveCsv } from "../../stores/saveBlob.ts";
import { showFault } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Hint, IconButton, Toggle } from "../../ui/Button.tsx";
import { Select } from "../../ui/choices.tsx";
import { SaveMenu } from "../../ui/SaveMenu.tsx";
import { openDialog, saveFigure } from "../../stores/dialogs.ts";
import { type ColourBy, colourChoices } from "./colouring.ts";
import { fileStamp, mapAnimation, mapFigure, snapshotCsv } from "./save.ts";
import { fieldsOf } from "../../ui/fieldsOf.ts";

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

interface MapToolsProps {
  readonly stage: MapStage | null;
  readonly stations: readonly KnownStation[];
  readonly snapshot: Snapshot;
  readonly coloured: ColouredView;
  readonly scale: MapScale;
  readonly variable: ScalarVariable;
  readonly isLasso: boolean;
  readonly onLasso: (isOn: boolean) => void;
  readonly colourBy: ColourBy;
}

/** The toolbar: colouring, view, lasso and export. */
function MapTools(props: MapToolsProps) {
  const { stage, stations, isLasso, onLasso, colourBy, variable } = props;
  const [options] = usePane(MAP);
  const hasSelection = useWorkspace((s) => s.stationIds.length > 0);
  const showSelected = (): void => {
    const selected = new Set(useWorkspace.getState().stationIds);
    const shown = stations.filter((s) => selected.has(s.id));
    if (stage) lookAtStations(stage, shown);
  };
  return (
    <div role="toolbar" aria-label="Map tools" className="row flex-none flex-wrap gap-1 px-3 py-1">
      <span className="mr-1 text-quiet">Colour by</span>
      <Select label="Colour by" choices={colourChoices(variable)} value={colourBy} onChange={chooseColour} />
      <ScaleFlyout scale={props.scale} />
      <span className="flex-1" />
      <Toggle {...fieldsOf(options, MAP.change)("hasLabels")}>
        <Tag aria-hidden />
        Labels
      </Toggle>
      <Hint text="Lasso: draw around stations to select them. Shift and drag draws a box.">
        <Toggle label="Lasso" value={isLasso} onChange={onLasso}>
          <Lasso aria-hidden />
        </Toggle>
      </Hint>
      <IconButton label="Zoom in" shortcut="+" onPress={() => stage?.zoomBy(ZOOM_STEP)} icon={ZoomIn} />
      <IconButton label="Zoom out" shortcut="-" onPress={() => stage?.zoomBy(1 / ZOOM_STEP)} icon={ZoomOut} />
      <IconButton
        label="All stations"
        shortcut="0"
        onPress={() => stage?.lookAt(stage.fitAll(FIT_MARGIN_PX))}
        icon={Maximize}
      />
      <IconButton label="Selected stations" isDisabled={!hasSelection} onPress={showSelected} icon={Focus} />
      <SaveMap {...props} />
    </div>
  );
}

function chooseColour(colourBy: ColourBy): void {
  if (colourBy === REDUCED) showOne("ztd");
  MAP.change({ colourBy });
}

function SaveMap({ stage, stations, snapshot, coloured, variable, colourBy }: MapToolsProps) {
  const { frame } = snapshot;
  const variables = [variable, ...SCALAR_VARIABLES.filter((v) => v !== variable)];
  const csv = async (): Promise<void> => {
    if (!frame) return;
    const causes: Partial<Record<Variable, ReadonlyMap<string, Absence>>> = {};
    for (const each of variables) {
      const found = await findCauses(snapshot, stations, each);
      if (!found.ok) return showFault(found.error);
      causes[each] = found.value;
    }
    const text = snapshotCsv(stations, frame, { variables, causes, hasAnomaly: colourBy === REDUCED });
    saveCsv(text, `zenith-snapshot-${fileStamp(frame.momentMs)}`);
  };
  const table = { id: "csv", label: "Snapshot as CSV", detail: "all stations", isDisabled: frame === null };
  return (
    <SaveMenu
      label="Save"
      figure={stage && (() => saveFigure(mapFigure(stage, coloured.inTheme, frame)))}
      animation={
        stage &&
        frame &&
        (() => openDialog({ kind: "animation", source: mapAnimation(bridge, { stage, coloured, snapshot, variable }) }))
      }
      others={[{ ...table, onAction: () => void csv() }]}
    />
  );
}
