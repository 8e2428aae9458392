import { useMemo } from "react";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { Variable } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { jobSpecOf, useSelection } from "../../stores/selection.ts";
import { usePane } from "../../stores/workspace.ts";
import { type QueryState, useSeriesQuery } from "../series/useSeriesQuery.ts";
import { shownDays } from "./cells.ts";
import { linesOf, readSort, type Sort, sortLines, type StationLine } from "./table.ts";

export const MOST_STATIONS = 500;
export type Scope = "chosen" | "all";

export interface Shown {
  readonly scope: Scope;
  setScope(scope: Scope): void;
  readonly variable: Variable;
  readonly variables: readonly Variable[];
  setVariable(variable: Variable): void;
  readonly sort: Sort;
  setSort(sort: Sort): void;
  /** What would have to be in the cache for the table to be full. */
  readonly spec: JobSpec;
  /** How many there are, shown or not. */
  readonly stations: number;
  readonly isCut: boolean;
  readonly answer: QueryState<SeriesAvailability>;
  readonly lines: readonly StationLine[];
}

/** What the calendar is of: whole UTC days of the one time range, of the chosen stations or of all. */
export function useShown(connectionId: string): Shown {
  const chosen = useSelection();
  const stations = useCatalogue((s) => s.catalogue.stations);
  const byId = useCatalogue((s) => s.byId);
  const [scope, setScope] = usePane<Scope>("availability.scope", (kept) => (kept === "all" ? "all" : "chosen"));
  const [wanted, setVariable] = usePane("availability.variable", (kept) => kept as Variable | undefined);
  const [sort, setSort] = usePane("availability.sort", readSort);
  const { intervalSeconds, raw, variables } = jobSpecOf(chosen);
  const variable = variables.find((v) => v === wanted) ?? variables[0] ?? "ztd";
  const ids = scope === "all" ? stations.map((s) => s.id) : chosen.stationIds;
  const stationIds = ids.slice(0, MOST_STATIONS);
  const { startMs, endMs, isCut } = shownDays(chosen.range);
  const mode = { intervalSeconds, raw };
  const input = { connectionId, stationIds, variable, range: { startMs, endMs }, mode, bin: "day" as const };
  const answer = useSeriesQuery({
    key: stationIds.length === 0 ? null : JSON.stringify(input),
    // An older answer is of other days or stations: it is drawn until the newer is there, but never of another series.
    retainFor: JSON.stringify([connectionId, variable, mode]),
    delayMs: 80,
    connectionId,
    stationIds,
    load: (signal) => bridge.availability.read(input, { signal }),
  });
  const { column, isDescending } = sort;
  const lines = useMemo(
    () => (answer.value ? sortLines(linesOf(answer.value, byId), { column, isDescending }) : []),
    [answer.value, byId, column, isDescending],
  );
  return {
    scope,
    setScope,
    variable,
    variables,
    setVariable,
    sort,
    setSort,
    spec: { stationIds, variables: [variable], range: { startMs, endMs }, intervalSeconds, raw },
    stations: ids.length,
    isCut,
    answer,
    lines,
  };
}
