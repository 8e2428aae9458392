import { ChevronDown, ChevronRight } from "lucide-react";
import { memo, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { z } from "zod";
import { ToggleButton } from "react-aria-components";
import type { PanelModel } from "#shared/plot/panel.ts";
import { seriesLook } from "#shared/plot/theme.ts";
import { panelVariables } from "#shared/plot/panels.ts";
import { RAW_OPACITY, RAW_POINT_PX } from "#shared/plot/rawMarks.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { QuietButton } from "../../ui/Button.tsx";
import { MiddleCut } from "../../ui/MiddleCut.tsx";
import { many } from "../../ui/text.ts";
import { followSize } from "../../ui/useSize.ts";
import { useStable } from "../../ui/useStable.ts";
import type { Loaded } from "./loader.ts";
import { maxStations, type PlotSubject, queryOf } from "./query.ts";
import classes from "./series.module.css";
import { pane, usePane } from "../../stores/pane.ts";
import { useConnectionId } from "../../stores/connection.ts";

export interface LegendStation {
  readonly id: string;
  readonly name: string;
  readonly slot: number;
  readonly isHidden: boolean;
}

type RawState = "shown" | "none" | "loading";

const RAW_WORDS: Readonly<Record<RawState, string>> = {
  shown: "rejected data, dimmed",
  none: "no rejected data",
  loading: "loading rejected data …",
};

/** Legends of more than two lines, each of 28 px and a gap, are folded to one by default, which leaves space for the plots. */
const TWO_LINES_PX = 60;

/** null: folded if it is long. */
const FOLDED = pane("series.legendFolded", z.boolean().nullable().catch(null));
/** Ids of hidden stations. */
const HIDDEN = pane("series.hidden", z.array(z.string()).catch([]));

interface LegendProps {
  /** State of the raw rows behind the lines; null if they are not shown. */
  readonly raw: RawState | null;
  readonly stations: readonly LegendStation[];
  readonly onHide: (id: string, isHidden: boolean) => void;
  readonly onHighlight: (id: string | null) => void;
}

/** The legend of stations: hovering over a name highlights its line, pressing it hides or shows the line. */
export const Legend = memo(function Legend({ raw, stations, onHide, onHighlight }: LegendProps) {
  const box = useRef<HTMLDivElement>(null);
  const [canFold, setCanFold] = useState(false);
  const [folded, fold] = usePane(FOLDED);
  // The height of all names, also of names that a folded legend hides.
  useLayoutEffect(() => {
    const names = box.current;
    return names ? followSize(names, () => setCanFold(names.scrollHeight > TWO_LINES_PX)) : undefined;
  }, [stations, raw]);
  const isFolded = folded ?? canFold;
  return (
    <>
      <div
        ref={box}
        role="group"
        aria-label="Stations shown"
        className={classes["legend"]}
        data-folded={(canFold && isFolded) || undefined}
      >
        {stations.map(({ id, name, slot, isHidden }, place) => (
          <ToggleButton
            // Keyed by index: updating a button is cheaper than creating one, and the buttons have no state.
            key={place}
            className={classes["entry"]}
            isSelected={!isHidden}
            onChange={(isShown) => onHide(id, !isShown)}
            onHoverChange={(isOver) => onHighlight(isOver && !isHidden ? id : null)}
            onFocusChange={(isIn) => onHighlight(isIn && !isHidden ? id : null)}
          >
            <LineSwatch slot={slot} />
            <MiddleCut text={name} />
          </ToggleButton>
        ))}
        {raw === null ? null : (
          <span className="inline-row gap-1.5 h-7 px-2 text-quiet whitespace-nowrap">
            {raw === "shown" ? <RawSwatch /> : null}
            {RAW_WORDS[raw]}
          </span>
        )}
      </div>
      {canFold ? (
        <QuietButton
          label={many(stations.length, "name")}
          aria-expanded={!isFolded}
          onPress={() => fold(!isFolded)}
          icon={isFolded ? ChevronRight : ChevronDown}
        />
      ) : null}
    </>
  );
});

/** Returns whether there is rejected data behind the lines. */
export function rawStateOf(models: readonly PanelModel[], { windows }: Loaded): RawState {
  const hasRaw = models.some((model) => model.lines.some((line) => line.rejected !== null));
  return hasRaw ? "shown" : windows.size > 0 ? "none" : "loading";
}

/** A sample of raw rows, in a neutral colour. */
function RawSwatch() {
  return (
    <svg aria-hidden width="16" height="8" className={classes["swatch"]} opacity={RAW_OPACITY}>
      {[0, 6.5, 13].map((x) => (
        <rect key={x} x={x} y="2.5" width={RAW_POINT_PX} height={RAW_POINT_PX} fill="currentColor" />
      ))}
    </svg>
  );
}

/** The name of a station after a sample of its line, as the heading of a row. */
export function StationLine({ slot, name }: { readonly slot: number; readonly name: string }) {
  return (
    <span className="row gap-1.5 min-w-0">
      <LineSwatch slot={slot} />
      <MiddleCut text={name} />
    </span>
  );
}

export function LineSwatch({ slot }: { readonly slot: number }) {
  const { colour, dash } = seriesLook(slot);
  return (
    <svg aria-hidden width="16" height="8" className={classes["swatch"]}>
      <line x1="0" y1="4" x2="16" y2="4" stroke={colour} strokeWidth="2.5" strokeDasharray={dash.join(" ")} />
    </svg>
  );
}

export type Shown = ReturnType<typeof useShown>;

/** Returns the stations, variables and query of the plot. @param subject see `Plot.subject` */
export function useShown(subject: PlotSubject) {
  const connectionId = useConnectionId();
  const { stationIds, slots, variables, showSigma } = subject;
  const stationLimit = maxStations(subject);
  const byId = useCatalogue((s) => s.byId);
  const [hidden, setHidden] = usePane(HIDDEN);
  const stations = useMemo(() => {
    const hiddenIds = new Set(hidden);
    return stationIds
      .slice(0, stationLimit)
      .map((id) => ({ id, name: stationName(byId, id), slot: slots[id] ?? 0, isHidden: hiddenIds.has(id) }));
  }, [stationIds, slots, byId, hidden, stationLimit]);
  const panels = useMemo(() => panelVariables(variables, showSigma), [variables, showSigma]);
  const query = useStable(queryOf(subject, connectionId));
  const hide = useCallback(
    (id: string, isHidden: boolean) => setHidden(isHidden ? [...hidden, id] : hidden.filter((other) => other !== id)),
    [hidden, setHidden],
  );
  return {
    /** Drawn stations, including hidden ones. */
    stations,
    selectedCount: stationIds.length,
    panels,
    showSigma,
    query,
    hide,
  };
}
