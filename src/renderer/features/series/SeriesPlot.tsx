import { useId, useRef, useState } from "react";
import type { CursorPlace, PanelModel } from "#shared/plot/panel.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { shownOf } from "../../ask/useAsk.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { contextMenuHandlers } from "../../ui/ContextMenu.tsx";
import { count } from "../../ui/text.ts";
import { FileLegend } from "../files/FileLegend.tsx";
import { useShownSeries } from "../files/shownSeries.ts";
import { AnnotationsDialog } from "./Annotations.tsx";
import { BesideBar } from "./BesideChoice.tsx";
import { HovmollerPanels, HovmollerReadout } from "./HovmollerPanels.tsx";
import { Legend, rawStateOf, type Shown, useShown } from "./Legend.tsx";
import { Notice } from "./Notice.tsx";
import { Panels } from "./Panels.tsx";
import { causesIn, FindCauses, GapFetch, GapLegend, PlotHint, type PressedGap, pressedGap } from "./PlotGaps.tsx";
import { PlotOptions } from "./PlotOptions.tsx";
import { RAW_SHOWN } from "./query.ts";
import type { Loaded } from "./loader.ts";
import { FigureCommand, openPlotMenu, plotKeys, useRawCommand } from "./PlotTools.tsx";
import { SmallMultiples } from "./SmallMultiples.tsx";
import { Readout } from "./Readout.tsx";
import classes from "./series.module.css";
import { Statistics } from "./Statistics.tsx";
import { type Drawn, isSplit, useDrawn } from "./useDrawn.ts";
import { useCursor, useKeyCursor } from "./useKeyCursor.ts";
import { type Plot, usePlot } from "./usePlot.ts";
import { usePane } from "../../stores/pane.ts";
import { hasJointLane } from "#shared/plot/lanes.ts";

/** A row of a diagram is named at its left. */
const NO_MODELS: readonly PanelModel[] = [];
const PLOT_AREA = ".u-wrap";

/** Legend, panels, readout and statistics of the selection. */
export function SeriesPlot() {
  const range = useWorkspace((s) => s.range);
  const byId = useCatalogue((s) => s.byId);
  useRawCommand();
  const [pressed, setPressed] = useState<PressedGap | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const plot = usePlot(host, {
    onCursor: (place) => useCursor.setState({ place }),
    onPress: (place) => setPressed(gapAt(place)),
  });
  const shown = useShown(plot.subject);
  const drawn = useDrawn(plot, shown, range);
  const gapAt = (place: CursorPlace): PressedGap | null => pressedGap(place, drawn.models, plot.stage.view());
  const parts = { plot, shown, drawn, range };
  const isHovmoller = drawn.arrangement === "hovmoller";
  return (
    <div className={classes["view"]}>
      <Above {...parts} />
      <PlotBox {...parts} host={host} gapAt={gapAt} onGap={setPressed} />
      <Below {...parts} />
      <PlotHint
        stage={plot.stage}
        models={isHovmoller ? NO_MODELS : drawn.readable}
        nameOf={(id) => stationName(byId, id)}
        isOff={pressed !== null}
      />
      {pressed ? <GapFetch gap={pressed} onClose={() => setPressed(null)} /> : null}
    </div>
  );
}

interface PlotParts {
  readonly plot: Plot;
  readonly shown: Shown;
  readonly drawn: Drawn;
  readonly range: TimeRange;
}

/** Whether each line has its data, or nothing more arrives. */
function hasAll({ windows, fault }: Loaded, lineIds: readonly string[]): boolean {
  return fault !== null || lineIds.every((id) => windows.has(id));
}

/** The legend with the options of the plot, and what is to be said of its data. */
function Above({ plot, shown, drawn }: PlotParts) {
  const [isRawShown] = usePane(RAW_SHOWN);
  const { stage } = plot;
  const { query, stations, selectedCount } = shown;
  const { models, axes, arrangement } = drawn;
  const ofFiles = useShownSeries();
  const arranged = useRef(drawn.arranged);
  arranged.current = drawn.arranged;
  return (
    <>
      <div className={classes["head"]}>
        <Legend
          raw={isRawShown && !query.mode.raw ? rawStateOf(models, plot.rejected) : null}
          stations={stations}
          onHide={shown.hide}
          onHighlight={stage.highlight}
        />
        {selectedCount > stations.length ? (
          <span className={classes["quiet"]}>
            {count(stations.length)} of {count(selectedCount)} shown
          </span>
        ) : null}
        {arrangement === "hovmoller" ? null : (
          <FigureCommand
            models={arranged}
            stage={stage}
            isRead={
              (shown.panels.length === 0 || hasAll(plot.loaded, query.stationIds)) &&
              hasAll(
                plot.files,
                ofFiles.map(({ lineId }) => lineId),
              )
            }
            drawn={stations.length}
            selected={selectedCount}
          />
        )}
        <PlotOptions axes={axes} onBounds={drawn.changeBounds} />
      </div>
      {isSplit(arrangement) ? null : <BesideBar />}
      <AnnotationsDialog axes={axes} stage={stage} />
      <FileLegend shown={ofFiles} onHighlight={stage.highlight} />
      <Notice shown={shown} gaps={drawn.gaps} plot={plot} />
    </>
  );
}

/** The legend of the gaps, the values at the cursor, and statistics. */
function Below({ plot: { stage }, shown, drawn, range }: PlotParts) {
  const [isRawShown] = usePane(RAW_SHOWN);
  const { query, panels, stations } = shown;
  const hasStations = stations.length > 0;
  return (
    <>
      {hasStations ? (
        <div className={classes["gapRow"]}>
          <GapLegend
            causes={causesIn(drawn.models, range)}
            isJoint={drawn.arrangement !== "hovmoller" && hasJointLane(drawn.models)}
          />
          {isRawShown ? <FindCauses shown={shown} range={range} found={shownOf(drawn.gaps)} /> : null}
        </div>
      ) : null}
      {drawn.arrangement === "hovmoller" ? (
        <HovmollerReadout stage={stage} models={drawn.readable} />
      ) : (
        <Readout stage={stage} models={drawn.readable} />
      )}
      {hasStations ? <Statistics query={query} panels={panels} stations={stations} range={range} /> : null}
    </>
  );
}

interface PlotBoxProps extends PlotParts {
  readonly host: React.RefObject<HTMLDivElement | null>;
  readonly gapAt: (place: CursorPlace) => PressedGap | null;
  readonly onGap: (gap: PressedGap) => void;
}

/** The panels, with the keys and the menu of the plot. */
function PlotBox({ host, plot, shown, drawn, range, gapAt, onGap }: PlotBoxProps) {
  const { stage } = plot;
  const { models, arranged, readable, diagrams, arrangement, changeBounds } = drawn;
  const byId = useCatalogue((s) => s.byId);
  const latestReadable = useRef(readable);
  latestReadable.current = readable;
  const keyCursor = useKeyCursor(plot, range, latestReadable);
  const keysId = useId();
  const menu = contextMenuHandlers(
    (target, at) => {
      if (target && !target.closest(PLOT_AREA)) return false;
      const { place } = useCursor.getState();
      const gap = place && gapAt(place);
      const fetchGap = gap ? (): void => onGap(gap) : null;
      openPlotMenu({ at, place, models: readable, view: stage.view(), fetchGap, move: plot.move });
      return true;
    },
    // The keyboard opens the menu at the plot area.
    (box) => box.querySelector(".u-over"),
  );
  const onKeyDown = (event: React.KeyboardEvent<HTMLElement>): void => {
    // Ignores keys pressed on the buttons inside.
    if (event.target !== event.currentTarget || menu.onMenuKey(event)) return;
    if (keyCursor.onKey(event)) return event.preventDefault();
    const stations = shown.query.stationIds.map((id) => byId.get(id));
    const change = plotKeys(event, stations);
    if (!change) return;
    event.preventDefault();
    plot.move(change);
  };
  return (
    <>
      <div
        ref={host}
        role="group"
        data-main
        aria-label="Plot"
        aria-describedby={keysId}
        // Focusable for its keyboard shortcuts.
        tabIndex={0}
        className={`${classes["panels"]} flex-[1_1_0] overflow-x-hidden overflow-y-auto low:flex-none low:overflow-visible`}
        onContextMenu={menu.onContextMenu}
        onBlur={keyCursor.onBlur}
        onKeyDown={onKeyDown}
      >
        {arrangement === "hovmoller" ? (
          <HovmollerPanels stage={stage} diagrams={diagrams} />
        ) : arrangement === "multiples" ? (
          <SmallMultiples
            stage={stage}
            models={arranged}
            wholes={models}
            isOwnScale={drawn.isOwnScale}
            onOwnScale={drawn.setOwnScale}
            onBounds={changeBounds}
          />
        ) : (
          <Panels stage={stage} models={arranged} onBounds={changeBounds} />
        )}
      </div>
      <p id={keysId} hidden>
        Left and right arrows read values, up and down arrows select a station, Page Up and Page Down move in time, plus
        and minus zoom, Home and End go to the first and the newest data.
      </p>
      <p role="status" className="visually-hidden">
        {keyCursor.spoken}
      </p>
    </>
  );
}
