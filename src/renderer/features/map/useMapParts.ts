import { useEffect, useRef, useState } from "react";
import { SCALAR_VARIABLES, variableInfo } from "#shared/service/variables.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useChips } from "../../stores/oneVariable.ts";
import { MAP, showMoment, useMapState } from "./mapState.ts";
import { REDUCED } from "./scale.ts";
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

/** What the toolbar, the map and the bar below share. */
export type MapParts = ReturnType<typeof useMapParts>;

export function useMapParts() {
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
  const lasso = { isLasso, onLasso: setLasso };
  return { box, canvas, stage, visible, stations, snapshot, missing, coloured, scale, variable, colourBy, ...lasso };
}

/** Identifies the snapshots whose values have a common scale. */
function familyOf({ query, firstMs, lastMs, stepMs }: Snapshot): string {
  return JSON.stringify([query.connectionId, query.mode, firstMs, Math.floor(lastMs / stepMs)]);
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
