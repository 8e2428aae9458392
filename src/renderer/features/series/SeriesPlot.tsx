import { useMemo, useRef, useState } from "react";
import { readAnnotations } from "#shared/plot/annotations.ts";
import { intersectRange } from "#shared/time/range.ts";
import type { Hovmoller } from "../../plot/hovmoller.ts";
import type { CursorPlace, PanelModel } from "#shared/plot/panel.ts";
import { arrange, splitPanels } from "../../plot/arrange.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { jobSpecOf } from "../../stores/selection.ts";
import { usePane, useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { contextMenuHandlers } from "../../ui/ContextMenu.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { FileLegend } from "../files/FileLegend.tsx";
import { withFileSeries } from "../files/fileLines.ts";
import { useShownSeries } from "../files/shownSeries.ts";
import { RejectedButton, rejectedFetch, unknownGaps } from "../gaps/RejectedButton.tsx";
import { FigureCommand, openPlotMenu, plotKeys, useArrangement, useRawCommand, useRawShown } from "./PlotTools.tsx";
import { useCursor, useKeyCursor } from "./useKeyCursor.ts";
import { causesIn, GapFetch, GapLegend, PlotHint, type PressedGap, useGaps, useUnknownGaps } from "./PlotGaps.tsx";
import { HovmollerPanels, HovmollerReadout, useHovmoller } from "./HovmollerPanels.tsx";
import { AnnotationsDialog, useAnnotations, withAnnotations } from "./Annotations.tsx";
import { BESIDE, readBeside, shiftOf, withBeside } from "./beside.ts";
import { BesideBar } from "./BesideChoice.tsx";
import { Legend, useShown } from "./Legend.tsx";
import { Notice } from "./Notice.tsx";
import { Panels, readOwnScale, SmallMultiples } from "./Panels.tsx";
import { readLimits } from "../../plot/view.ts";
import { PlotOptions } from "./PlotOptions.tsx";
import { panelModels, type ValueLimits } from "#shared/plot/panels.ts";
import { Readout } from "./Readout.tsx";
import classes from "./series.module.css";
import { Statistics } from "./Statistics.tsx";
import { usePlot } from "./usePlot.ts";
import { shownOf } from "../../ask/useAsk.ts";
import { count, many } from "../../ui/text.ts";

const NO_GAPS = [] as const;
/** A row of a diagram is named at its left. */
const NO_MODELS: readonly PanelModel[] = [];
/** Plot areas of uPlot and of Hovmöller diagrams. */
const PLOT_AREA = '.u-wrap, [data-part="over"]';

/** Legend, panels, readout and statistics of the selection. */
export function SeriesPlot({ connectionId }: { readonly connectionId: string }) {
  const range = useWorkspace((s) => s.range);
  const byId = useCatalogue((s) => s.byId);
  const [limits, setLimits] = usePane("series.limits", readLimits);
  const [isRawShown, showRaw] = useRawShown();
  useRawCommand();
  const [pressed, setPressed] = useState<PressedGap | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const plot = usePlot(connectionId, host, {
    onCursor: (place) => useCursor.setState({ place }),
    onPress: (place) => setPressed(pressedGap(place)),
  });
  const shown = useShown(connectionId, plot.subject);
  const { query, panels, showSigma, stations } = shown;
  const gaps = useGaps(query, panels, range);
  const shownQuery = { ...query, stationIds: stations.filter((s) => !s.isHidden).map((s) => s.id) };
  const shownSeries = useShownSeries();
  const { slots } = plot.subject;
  const { windows } = plot.loaded;
  const fileWindows = plot.files.windows;
  const behind = plot.behind.windows;
  const found = shownOf(gaps) ?? NO_GAPS;
  const limitsKey = JSON.stringify(limits);
  const { intervalSeconds } = query.mode;
  const [arrangement] = useArrangement();
  const [besideChoice] = usePane(BESIDE, readBeside);
  // In plots of their own, earlier lines would be beside nothing.
  const isSplit = arrangement === "multiples" || arrangement === "hovmoller";
  const shiftMs = isSplit ? 0 : shiftOf(besideChoice, range);
  const besideStartMs = range.startMs - shiftMs;
  const beside = plot.beside.windows;
  const [annotated] = useAnnotations();
  const annotationsKey = JSON.stringify(annotated);
  const annotations = useMemo(() => readAnnotations(JSON.parse(annotationsKey)), [annotationsKey]);
  const models = useMemo(() => {
    const limitsByKey = JSON.parse(limitsKey) as ValueLimits;
    const ofStations = panelModels({
      panels,
      showSigma,
      intervalSeconds,
      stations: stations.filter((s) => !s.isHidden),
      windows,
      behind,
      gaps: found,
      limits: limitsByKey,
    });
    const withFiles = withFileSeries(ofStations, shownSeries, fileWindows, { slots, limits: limitsByKey });
    return withAnnotations(
      shiftMs === 0 ? withFiles : withBeside(withFiles, beside, { startMs: besideStartMs, shiftMs, intervalSeconds }),
      annotations,
    );
  }, [
    panels,
    showSigma,
    intervalSeconds,
    stations,
    windows,
    behind,
    found,
    limitsKey,
    shownSeries,
    fileWindows,
    slots,
    beside,
    besideStartMs,
    shiftMs,
    annotations,
  ]);
  const [isOwnScale, setOwnScale] = usePane("series.ownScale", readOwnScale);
  const arranged = useMemo(
    () =>
      arrangement === "multiples"
        ? splitPanels(models, range, isOwnScale)
        : models.map((model) => arrange(model, arrangement, range, JSON.parse(limitsKey) as ValueLimits)),
    [models, arrangement, range, limitsKey, isOwnScale],
  );
  const diagrams = useHovmoller(models, range);
  // Offsets are not part of the values.
  const readable =
    arrangement === "anomalies" ? arranged : arrangement === "hovmoller" ? byRow(models, diagrams) : models;
  const drawn = useRef(arranged);
  drawn.current = arranged;
  const latestReadable = useRef(readable);
  latestReadable.current = readable;
  const keyCursor = useKeyCursor(plot, range, latestReadable);
  const menu = contextMenuHandlers(
    (target, at) => {
      if (target && !target.closest(PLOT_AREA)) return false;
      const place = useCursor.getState().place;
      const gap = place && pressedGap(place);
      const fetchGap = gap ? (): void => setPressed(gap) : null;
      openPlotMenu({ at, place, models: latestReadable.current, view: plot.stage.view(), fetchGap, move: plot.move });
      return true;
    },
    // The keyboard opens the menu at the plot area.
    (box) => box.querySelector('.u-over, [data-part="over"]'),
  );
  const unknown = useUnknownGaps(shownQuery, panels, range, found);
  const hasRaw = models.some((model) => model.lines.some((line) => line.behind !== null));
  const rawState = hasRaw ? "shown" : behind.size > 0 ? "none" : "loading";
  const limit = useRef((_key: string, _limits: readonly [number, number] | null): void => {});
  limit.current = (key, pair) => {
    const { [key]: _, ...others } = limits;
    setLimits(pair ? { ...others, [key]: pair } : others);
  };
  const onLimits = useMemo(() => (k: string, pair: readonly [number, number] | null) => limit.current(k, pair), []);

  /** Returns the pressed gap with its download, if data can be downloaded or the cause can be found. */
  function pressedGap({ gap, clientX, clientY }: CursorPlace): PressedGap | null {
    if (gap?.cause !== "notRequested" && gap?.cause !== "nothingOrFiltered" && gap?.cause !== "notFinal") return null;
    const ids = gap.stationId === null ? (models[0]?.lines ?? []).map((line) => line.stationId) : [gap.stationId];
    const visible = intersectRange(gap.range, plot.stage.view());
    const gapRange = { startMs: Math.floor(visible.startMs), endMs: Math.ceil(visible.endMs) };
    // With all variables of the selection; otherwise fetching the selection would request this range a second time.
    const whole = jobSpecOf({ ...useWorkspace.getState(), stationIds: ids, range: gapRange });
    const place = {
      who: gap.stationId === null ? many(ids.length, "station") : stationName(byId, gap.stationId),
      clientX,
      cause: gap.cause,
    };
    if (gap.cause === "notRequested") return { kind: "notRequested", spec: whole, ...place, clientY };
    const gapsOfStations = models.flatMap((model) => model.gaps.filter((g) => ids.includes(g.stationId)));
    const { spec } = rejectedFetch(whole, unknownGaps(gapsOfStations, visible));
    return { kind: "unknown", spec, ...place, clientY };
  }

  return (
    <div className="pane relative overflow-x-hidden overflow-y-auto">
      <div className={classes["head"]}>
        <Legend
          raw={isRawShown && !query.mode.raw ? rawState : null}
          stations={stations}
          onHide={shown.hide}
          onHighlight={(id) => plot.stage.highlight(id)}
        />
        {shown.selectedCount > stations.length ? (
          <span className={classes["quiet"]}>
            {count(stations.length)} of {count(shown.selectedCount)} shown
          </span>
        ) : null}
        {arrangement === "hovmoller" ? null : (
          <FigureCommand models={drawn} stage={plot.stage} drawn={stations.length} selected={shown.selectedCount} />
        )}
        <PlotOptions models={models} onLimits={onLimits} />
      </div>
      {isSplit ? null : <BesideBar />}
      <AnnotationsDialog
        quantities={models.map(({ quantity }) => quantity)}
        middleMs={() => (plot.stage.view().startMs + plot.stage.view().endMs) / 2}
      />
      <FileLegend shown={shownSeries} onHighlight={(id) => plot.stage.highlight(id)} />
      {stations.length === 0 ? null : (
        <Notice
          shown={shown}
          gaps={gaps}
          loaded={{ ...plot.loaded, fault: plot.loaded.fault ?? plot.behind.fault }}
          onRetry={plot.retry}
        />
      )}
      {plot.files.fault ? (
        <div className={classes["notice"]}>
          <FaultNote fault={plot.files.fault} action={<Button onPress={plot.retry}>Try again</Button>} />
        </div>
      ) : null}
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
        onKeyDown={(event) => {
          // Ignores keys pressed on the buttons inside.
          if (event.target !== event.currentTarget || menu.onMenuKey(event)) return;
          if (keyCursor.onKey(event)) return event.preventDefault();
          const change = plotKeys(
            event,
            stations.map((s) => byId.get(s.id)),
          );
          if (!change) return;
          event.preventDefault();
          plot.move(change);
        }}
      >
        {arrangement === "hovmoller" ? (
          <HovmollerPanels stage={plot.stage} diagrams={diagrams} />
        ) : arrangement === "multiples" ? (
          <SmallMultiples
            stage={plot.stage}
            models={arranged}
            wholes={models}
            isOwnScale={isOwnScale}
            onOwnScale={setOwnScale}
            onLimits={onLimits}
          />
        ) : (
          <Panels stage={plot.stage} models={arranged} onLimits={onLimits} />
        )}
      </div>
      <p role="status" className="visually-hidden">
        {keyCursor.spoken}
      </p>
      {stations.length === 0 ? null : (
        <div className={classes["gapRow"]}>
          <GapLegend causes={causesIn(models, range)} />
          {isRawShown ? <RejectedButton connectionId={connectionId} gaps={unknown} /> : null}
        </div>
      )}
      {arrangement === "hovmoller" ? (
        <HovmollerReadout stage={plot.stage} models={readable} />
      ) : (
        <Readout stage={plot.stage} models={readable} />
      )}
      {stations.length === 0 ? null : <Statistics query={query} panels={panels} stations={stations} range={range} />}
      <PlotHint
        stage={plot.stage}
        models={arrangement === "hovmoller" ? NO_MODELS : readable}
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

/** Orders the lines like the rows of the diagrams, so that the keyboard moves from top to bottom. */
function byRow(models: readonly PanelModel[], diagrams: readonly Hovmoller[]): PanelModel[] {
  return models.map((model, i) => ({
    ...model,
    lines: diagrams[i]?.rows.map(({ line }) => line) ?? [],
    fromFiles: [],
  }));
}
