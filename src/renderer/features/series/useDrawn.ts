import { useCallback, useMemo } from "react";
import { z } from "zod";
import type { PanelModel } from "#shared/plot/panel.ts";
import { panelModels, type ValueBounds } from "#shared/plot/panels.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { shownOf } from "../../ask/useAsk.ts";
import { arrange, splitPanels, type Arrangement } from "../../plot/arrange.ts";
import type { Hovmoller } from "../../plot/hovmoller.ts";
import { boundsSchema } from "../../plot/view.ts";
import { useStable } from "../../ui/useStable.ts";
import { withFileSeries } from "../files/fileLines.ts";
import { useShownSeries } from "../files/shownSeries.ts";
import { ANNOTATIONS, withAnnotations } from "./Annotations.tsx";
import { BESIDE, movedBy, shiftOf, withBeside } from "./beside.ts";
import { useHovmoller } from "./HovmollerPanels.tsx";
import type { Shown } from "./Legend.tsx";
import { useGaps } from "./PlotGaps.tsx";
import { ARRANGEMENT } from "./query.ts";
import type { Plot } from "./usePlot.ts";
import { pane, usePane } from "../../stores/pane.ts";

const NO_GAPS = [] as const;
const NO_MODELS = [] as const;

/** Whether each of the small multiples has a scale of its own. */
const OWN_SCALE = pane("series.ownScale", z.boolean().catch(false));
/** Bounds of the axes that the user chose, by quantity. */
const BOUNDS = pane("series.bounds", boundsSchema);

export type Drawn = ReturnType<typeof useDrawn>;

/** Returns the content of the panels: the loaded data with their gaps, bounds, annotations and arrangement. */
export function useDrawn(plot: Plot, shown: Shown, range: TimeRange) {
  const gaps = useGaps(shown.query, shown.panels, range);
  const [bounds, changeBounds] = useValueBounds();
  const [arrangement] = usePane(ARRANGEMENT);
  const models = useModels(plot, shown, { range, bounds, gaps: shownOf(gaps) ?? NO_GAPS });
  const [isOwnScale, setOwnScale] = usePane(OWN_SCALE);
  const arranged = useMemo(
    () =>
      arrangement === "multiples"
        ? splitPanels(models, range, isOwnScale)
        : models.map((model) => arrange(model, arrangement, range, bounds)),
    [models, arrangement, range, bounds, isOwnScale],
  );
  const diagrams = useHovmoller(arrangement === "hovmoller" ? models : NO_MODELS, range);
  return {
    gaps,
    arrangement,
    /** The panels with all lines. */
    models,
    /** Their value axes: the same object until one changes. */
    axes: useStable(models.map(({ quantity, bounds: axisBounds }) => ({ quantity, bounds: axisBounds }))),
    changeBounds,
    isOwnScale,
    setOwnScale,
    /** The panels as they are arranged. */
    arranged,
    diagrams,
    /** The panels whose values are read at the cursor. Offsets are not part of the values. */
    readable: arrangement === "anomalies" ? arranged : arrangement === "hovmoller" ? byRow(models, diagrams) : models,
  };
}

interface Around {
  readonly range: TimeRange;
  readonly bounds: ValueBounds;
  readonly gaps: Parameters<typeof panelModels>[0]["gaps"];
}

function useModels(plot: Plot, shown: Shown, { range, bounds, gaps }: Around): readonly PanelModel[] {
  const { query, panels, showSigma, stations } = shown;
  const { slots } = plot.subject;
  const { windows } = plot.loaded;
  const fileWindows = plot.files.windows;
  const rejected = plot.rejected.windows;
  const beside = plot.beside.windows;
  const { intervalSeconds } = query.mode;
  const shownSeries = useShownSeries();
  const [arrangement] = usePane(ARRANGEMENT);
  const [besideChoice] = usePane(BESIDE);
  const shiftMs = isSplit(arrangement) ? 0 : shiftOf(besideChoice, range);
  const besideStartMs = range.startMs - shiftMs;
  const annotations = usePane(ANNOTATIONS)[0];
  const besideGaps = shownOf(useGaps(query, panels, shiftMs === 0 ? null : movedBy(range, -shiftMs))) ?? NO_GAPS;
  const ofStations = useMemo(() => {
    const visible = stations.filter((s) => !s.isHidden);
    const ofService = panelModels({
      panels,
      showSigma,
      intervalSeconds,
      stations: visible,
      windows,
      rejected,
      gaps,
      bounds,
    });
    return withFileSeries(ofService, shownSeries, fileWindows, { slots, bounds });
  }, [panels, showSigma, intervalSeconds, stations, windows, rejected, gaps, bounds, shownSeries, fileWindows, slots]);
  return useMemo(() => {
    const earlier = { windows: beside, gaps: besideGaps, startMs: besideStartMs, shiftMs, intervalSeconds };
    return withAnnotations(shiftMs === 0 ? ofStations : withBeside(ofStations, earlier), annotations);
  }, [ofStations, beside, besideGaps, besideStartMs, shiftMs, intervalSeconds, annotations]);
}

/** Whether each line has a plot of its own, where earlier lines would be beside nothing. */
export function isSplit(arrangement: Arrangement): boolean {
  return arrangement === "multiples" || arrangement === "hovmoller";
}

type ChangeBounds = (key: string, bounds: readonly [number, number] | null) => void;

function useValueBounds(): readonly [ValueBounds, ChangeBounds] {
  const [bounds, keep] = usePane(BOUNDS);
  const change = useCallback<ChangeBounds>(
    (key, pair) => {
      const { [key]: _, ...others } = bounds;
      keep(pair ? { ...others, [key]: pair } : others);
    },
    [bounds, keep],
  );
  return [bounds, change];
}

/** Orders the lines like the rows of the diagrams, so that the keyboard moves from top to bottom. */
function byRow(models: readonly PanelModel[], diagrams: readonly Hovmoller[]): PanelModel[] {
  return models.map((model, i) => ({
    ...model,
    lines: diagrams[i]?.rows.map(({ line }) => line) ?? [],
    fromFiles: [],
  }));
}
