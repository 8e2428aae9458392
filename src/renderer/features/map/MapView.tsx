import { Focus, Lasso, Map as MapIcon, Maximize, Tag, ZoomIn, ZoomOut } from "lucide-react";
import type { KnownStation } from "#shared/service/catalogue.ts";
import { SCALAR_VARIABLES, type Variable } from "#shared/service/variables.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { NoStation } from "../catalogue/NoStation.tsx";
import { showOne } from "../../stores/oneVariable.ts";
import { MapCanvas } from "./MapCanvas.tsx";
import { MapLegend, ScaleFlyout } from "./MapLegend.tsx";
import { MAP } from "./mapState.ts";
import { positionOf, unplacedNote, unplacedOf } from "./places.ts";
import { REDUCED } from "./scale.ts";
import { SnapshotBar } from "./SnapshotBar.tsx";
import { useListed } from "./useListed.ts";
import { findCauses } from "./useMissing.ts";
import { FIT_MARGIN_PX, lookAtStations, ZOOM_STEP } from "./useStage.ts";
import { usePane } from "../../stores/pane.ts";
import type { Absence } from "#shared/series/gap.ts";
import { bridge } from "../../bridge/index.ts";
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
import { useMapParts, type MapParts } from "./useMapParts.ts";

/** The map with its toolbar above and the snapshot bar below. */
function MapDesk() {
  const parts = useMapParts();
  useListed(parts);
  const { stations, coloured } = parts;
  const hasPositions = stations.some((s) => positionOf(s) !== null);
  return (
    <div className="pane">
      <MapTools {...parts} />
      <div className="@container relative stack flex-1 min-h-40 border-t border-line overflow-hidden">
        <div className="relative flex-1 min-h-0">
          <MapCanvas {...parts} />
        </div>
        <MapLegend legend={coloured.legend} />
        {hasPositions ? null : <Unplaced stations={stations} />}
      </div>
      <SnapshotBar {...parts} />
    </div>
  );
}

/** Says why no station is on the map. */
function Unplaced({ stations }: { readonly stations: readonly KnownStation[] }) {
  return (
    <p className="absolute top-3 left-3 max-w-[420px] px-3 py-2 rounded-box bg-surface">
      {unplacedNote(unplacedOf(stations).values())} The list of stations has their values.
    </p>
  );
}

/** All stations on a map, coloured by a property or by their values at a moment. */
export function MapView() {
  const hasStations = useCatalogue((s) => s.known.length > 0);
  if (hasStations) return <MapDesk />;
  return <NoStation icon={MapIcon} />;
}

/** The toolbar: colouring, view, lasso and export. */
function MapTools(props: MapParts) {
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

function SaveMap({ stage, stations, snapshot, coloured, variable, colourBy }: MapParts) {
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
