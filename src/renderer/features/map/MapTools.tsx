import { Focus, Lasso, Maximize, Tag, ZoomIn, ZoomOut } from "lucide-react";
import type { Absence } from "#shared/series/gap.ts";
import type { KnownStation } from "#shared/service/catalogue.ts";
import { SCALAR_VARIABLES, type ScalarVariable, type Variable } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import type { MapStage } from "../../map/stage.ts";
import { saveCsv } from "../../stores/saveBlob.ts";
import { showFault } from "../../stores/toasts.ts";
import { showOne } from "../../stores/oneVariable.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Hint, IconButton, Toggle } from "../../ui/Button.tsx";
import { Select } from "../../ui/choices.tsx";
import { SaveMenu } from "../../ui/SaveMenu.tsx";
import { openDialog, saveFigure } from "../../stores/dialogs.ts";
import { type ColourBy, colourChoices } from "./colouring.ts";
import { fileStamp, mapAnimation, mapFigure, snapshotCsv } from "./save.ts";
import { MAP } from "./mapState.ts";
import { REDUCED } from "./scale.ts";
import { ScaleFlyout } from "./MapLegend.tsx";
import type { ColouredView, MapScale } from "./useScale.ts";
import { findCauses } from "./useMissing.ts";
import type { Snapshot } from "./useSnapshot.ts";
import { FIT_MARGIN_PX, lookAtStations, ZOOM_STEP } from "./useStage.ts";
import { usePane } from "../../stores/pane.ts";
import { fieldsOf } from "../../ui/fieldsOf.ts";

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
export function MapTools(props: MapToolsProps) {
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
