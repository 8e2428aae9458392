import { useMemo } from "react";
import type { Variable } from "#shared/service/variables.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { usePane } from "../../stores/workspace.ts";
import type { LegendStation } from "./Legend.tsx";
import { panelVariables } from "#shared/plot/panels.ts";
import { mostStations, queryOf, type SeriesQuery, type Subject } from "./query.ts";

export interface Shown {
  /** Drawn stations, including hidden ones. */
  readonly stations: readonly LegendStation[];
  /** How many are chosen. */
  readonly chosen: number;
  readonly panels: readonly Variable[];
  readonly showSigma: boolean;
  readonly query: SeriesQuery;
  hide(id: string, isHidden: boolean): void;
}

/** What the plot is of: the one selection, as far as it can be drawn. @param subject see `Plot.subject` */
export function useShown(connectionId: string, subject: Subject): Shown {
  const { stationIds, slots, variables, showSigma } = subject;
  const most = mostStations(subject);
  const byId = useCatalogue((s) => s.byId);
  const [hidden, setHidden] = usePane("series.hidden", readIds);
  const hiddenKey = hidden.join(" ");
  const stations = useMemo(() => {
    const away = new Set(hiddenKey.split(" "));
    return stationIds
      .slice(0, most)
      .map((id) => ({ id, name: stationName(byId, id), slot: slots[id] ?? 0, isHidden: away.has(id) }));
  }, [stationIds, slots, byId, hiddenKey, most]);
  const panels = useMemo(() => panelVariables(variables, showSigma), [variables, showSigma]);
  const key = JSON.stringify(queryOf(subject, connectionId));
  const query = useMemo(() => JSON.parse(key) as SeriesQuery, [key]);
  return {
    stations,
    chosen: stationIds.length,
    panels,
    showSigma,
    query,
    hide: (id, isHidden) => setHidden(isHidden ? [...hidden, id] : hidden.filter((other) => other !== id)),
  };
}

/** Ids that were kept in a list. */
function readIds(kept: unknown): readonly string[] {
  return Array.isArray(kept) ? kept.filter((id) => typeof id === "string") : [];
}
