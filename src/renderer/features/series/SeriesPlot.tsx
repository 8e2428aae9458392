import { useRef, useState } from "react";
import type { CursorPlace, PanelModel } from "#shared/plot/panel.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { shownOf } from "../../ask/useAsk.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { contextMenuHandlers } from "../../ui/ContextMenu.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { count } from "../../ui/text.ts";
import { FileLegend } from "../files/FileLegend.tsx";
import { useShownSeries } from "../files/shownSeries.ts";
import { AnnotationsDialog } from "./Annotations.tsx";
import { BesideBar } from "./BesideChoice.tsx";
import { HovmollerPanels, HovmollerReadout } from "./HovmollerPanels.tsx";
import { Legend, rawStateOf, useShown } from "./Legend.tsx";
import { Notice } from "./Notice.tsx";
import { Panels } from "./Panels.tsx";
import { causesIn, FindCauses, GapFetch, GapLegend, PlotHint, type PressedGap, pressedGap } from "./PlotGaps.tsx";
import { PlotOptions } from "./PlotOptions.tsx";
import { FigureCommand, openPlotMenu, plotKeys, useRawCommand, useRawShown } from "./PlotTools.tsx";
import { SmallMultiples } from "./SmallMultiples.tsx";
import { Readout } from "./Readout.tsx";
import classes from "./series.module.css";
import { Statistics } from "./Statistics.tsx";
import { type Drawn, isSplit, useDrawn } from "./useDrawn.ts";
import { useCursor, useKeyCursor } from "./useKeyCursor.ts";
import { type Plot, usePlot } from "./usePlot.ts";

/** A row of a diagram is named at its left. */
const NO_MODELS: readonly PanelModel[] = [];
/** Plot areas of uPlot and of Hovmöller diagrams. */
const PLOT_AREA = '.u-wrap, [data-part="over"]';

/** Legend, panels, readout and statistics of the selection. */
export function SeriesPlot({ connectionId }: { readonly connectionId: string }) {
  const range = useWorkspace((s) => s.range);
  const byId = useCatalogue((s) => s.byId);
  const [isRawShown, showRaw] = useRawShown();
  useRawCommand();
  const [pressed, setPressed] = useState<PressedGap | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const plot = usePlot(connectionId, host, {
    onCursor: (place) => useCursor.setState({ place }),
    onPress: (place) => setPressed(gapAt(place)),
  });
  const { stage } = plot;
  const shown = useShown(connectionId, plot.subject);
  const { query, panels, stations } = shown;
  const drawn = useDrawn(plot, shown, range);
  const { gaps, models, axes, readable, arrangement } = drawn;
  const shownSeries = useShownSeries();
  const arranged = useRef(drawn.arranged);
  arranged.current = drawn.arranged;
  const hasStations = stations.length > 0;
  const isHovmoller = arrangement === "hovmoller";

  function gapAt(place: CursorPlace): PressedGap | null {
    return pressedGap(place, models, stage.view());
  }

  return (
    <div className="pane relative overflow-x-hidden overflow-y-auto">
      <div className={classes["head"]}>
        <Legend
          raw={isRawShown && !query.mode.raw ? rawStateOf(models, plot.behind) : null}
          stations={stations}
          onHide={shown.hide}
          onHighlight={stage.highlight}
        />
        {shown.selectedCount > stations.length ? (
          <span className={classes["quiet"]}>
            {count(stations.length)} of {count(shown.selectedCount)} shown
          </span>
        ) : null}
        {isHovmoller ? null : (
          <FigureCommand models={arranged} stage={stage} drawn={stations.length} selected={shown.selectedCount} />
        )}
        <PlotOptions axes={axes} onLimits={drawn.changeLimits} />
      </div>
      {isSplit(arrangement) ? null : <BesideBar />}
      <AnnotationsDialog axes={axes} stage={stage} />
      <FileLegend shown={shownSeries} onHighlight={stage.highlight} />
      {hasStations ? <Notice shown={shown} gaps={gaps} plot={plot} /> : null}
      {plot.files.fault ? (
        <div className={classes["notice"]}>
          <FaultNote fault={plot.files.fault} action={<Button onPress={plot.retry}>Try again</Button>} />
        </div>
      ) : null}
      <PlotBox
        host={host}
        plot={plot}
        drawn={drawn}
        stationIds={query.stationIds}
        range={range}
        gapAt={gapAt}
        onGap={setPressed}
      />
      {hasStations ? (
        <div className={classes["gapRow"]}>
          <GapLegend causes={causesIn(models, range)} />
          {isRawShown ? (
            <FindCauses connectionId={connectionId} shown={shown} range={range} found={shownOf(gaps)} />
          ) : null}
        </div>
      ) : null}
      {isHovmoller ? <HovmollerReadout stage={stage} models={readable} /> : <Readout stage={stage} models={readable} />}
      {hasStations ? <Statistics query={query} panels={panels} stations={stations} range={range} /> : null}
      <PlotHint
        stage={stage}
        models={isHovmoller ? NO_MODELS : readable}
        nameOf={(id) => stationName(byId, id)}
        isOff={pressed !== null}
      />
      {pressed ? (
        <GapFetch
          connectionId={connectionId}
          gap={pressed}
          onClose={() => setPressed(null)}
          onRaw={() => showRaw(true)}
        />
      ) : null}
    </div>
  );
}

interface PlotBoxProps {
  readonly host: React.RefObject<HTMLDivElement | null>;
  readonly plot: Plot;
  readonly drawn: Drawn;
  readonly stationIds: readonly string[];
  readonly range: TimeRange;
  readonly gapAt: (place: CursorPlace) => PressedGap | null;
  readonly onGap: (gap: PressedGap) => void;
}

/** The panels, with the keys and the menu of the plot. */
function PlotBox({ host, plot, drawn, stationIds, range, gapAt, onGap }: PlotBoxProps) {
  const { stage } = plot;
  const { models, arranged, readable, diagrams, arrangement, changeLimits } = drawn;
  const byId = useCatalogue((s) => s.byId);
  const latestReadable = useRef(readable);
  latestReadable.current = readable;
  const keyCursor = useKeyCursor(plot, range, latestReadable);
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
    (box) => box.querySelector('.u-over, [data-part="over"]'),
  );
  const onKeyDown = (event: React.KeyboardEvent<HTMLElement>): void => {
    // Ignores keys pressed on the buttons inside.
    if (event.target !== event.currentTarget || menu.onMenuKey(event)) return;
    if (keyCursor.onKey(event)) return event.preventDefault();
    const stations = stationIds.map((id) => byId.get(id));
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
        aria-label="Plot. Left and right arrows read values, up and down arrows select a station, Page Up and Page Down move in time, plus and minus zoom, Home and End go to the first and the newest data."
        // Focusable for its keyboard shortcuts.
        tabIndex={0}
        className={classes["panels"]}
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
            onLimits={changeLimits}
          />
        ) : (
          <Panels stage={stage} models={arranged} onLimits={changeLimits} />
        )}
      </div>
      <p role="status" className="visually-hidden">
        {keyCursor.spoken}
      </p>
    </>
  );
}
