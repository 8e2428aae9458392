import { useMemo } from "react";
import type { Variable } from "#shared/service/variables.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { usePane } from "../../stores/workspace.ts";
import type { LegendStation } from "./Legend.tsx";
import { panelVariables } from "#shared/plot/panels.ts";
import { maxStations, type PlotSubject, queryOf, type SeriesQuery } from "./query.ts";

export interface Shown {
  /** Drawn stations, including hidden ones. */
  readonly stations: readonly LegendStation[];
  readonly selectedCount: number;
  readonly panels: readonly Variable[];
  readonly showSigma: boolean;
  readonly query: SeriesQuery;
  hide(id: string, isHidden: boolean): void;
}

/** Returns the stations, variables and query of the plot. @param subject see `Plot.subject` */
export function useShown(connectionId: string, subject: PlotSubject): Shown {
  const { stationIds, slots, variables, showSigma } = subject;
  const stationLimit = maxStations(subject);
  const byId = useCatalogue((s) => s.byId);
  const [hidden, setHidden] = usePane("series.hidden", readIds);
  const hiddenKey = hidden.join(" ");
  const stations = useMemo(() => {
    const hiddenIds = new Set(hiddenKey.split(" "));
    return stationIds
      .slice(0, stationLimit)
      .map((id) => ({ id, name: stationName(byId, id), slot: slots[id] ?? 0, isHidden: hiddenIds.has(id) }));
  }, [stationIds, slots, byId, hiddenKey, stationLimit]);
  const panels = useMemo(() => panelVariables(variables, showSigma), [variables, showSigma]);
  const key = JSON.stringify(queryOf(subject, connectionId));
  const query = useMemo(() => JSON.parse(key) as SeriesQuery, [key]);
  return {
    stations,
    selectedCount: stationIds.length,
    panels,
    showSigma,
    query,
    hide: (id, isHidden) => setHidden(isHidden ? [...hidden, id] : hidden.filter((other) => other !== id)),
  };
}

function readIds(kept: unknown): readonly string[] {
  return Array.isArray(kept) ? kept.filter((id) => typeof id === "string") : [];
}
