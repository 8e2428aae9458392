import { useMemo } from "react";
import { z } from "zod";
import { SCALAR_VARIABLES, type Variable } from "#shared/service/variables.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useChips } from "../../stores/oneVariable.ts";
import { jobSpecOf, useSelection, wholeOf } from "../../stores/selection.ts";
import { availabilityOf } from "../../ask/questions.ts";
import { shownOf, useAskHere } from "../../ask/useAsk.ts";
import { shownDays } from "./calendarGrid.ts";
import { stationLines, LINE_SORT, sortLines } from "./table.ts";
import { pane, usePane } from "../../stores/pane.ts";

export const MAX_STATIONS = 500;
const scope = z.enum(["chosen", "all"]);
export type Scope = z.output<typeof scope>;
const SCOPE = pane("availability.scope", scope.catch("chosen"));
/** A satellite has all of its columns or none. */
const OFFERED: readonly Variable[] = [...SCALAR_VARIABLES, "prn"];
const LAYER = pane("availability.layer", z.enum(["here", "service"]).catch("here"));

/** An interval without observations has no mean, so daily means show which days have data. */
const DAY_SECONDS = 86_400;

export type TableState = ReturnType<typeof useTableState>;

/** Reads the table: whole UTC days of the window's time range, for the selected stations or for all. */
export function useTableState() {
  const chosen = useSelection();
  const stations = useCatalogue((s) => s.catalogue.stations);
  const byId = useCatalogue((s) => s.byId);
  const [scope, setScope] = usePane(SCOPE);
  const variable = useChips(OFFERED);
  const [sort, setSort] = usePane(LINE_SORT);
  const [layer, setLayer] = usePane(LAYER);
  const { intervalSeconds: chosenSeconds, raw } = jobSpecOf(chosen);
  const intervalSeconds = layer === "service" ? DAY_SECONDS : chosenSeconds;
  const ids = scope === "all" ? stations.map((s) => s.id) : chosen.stationIds;
  const stationIds = ids.slice(0, MAX_STATIONS);
  const { startMs, endMs, isTruncated } = shownDays(chosen.range);
  const mode = { intervalSeconds, raw };
  const input = { stationIds, variable, range: { startMs, endMs }, mode, bin: "day" as const };
  const answer = useAskHere(availabilityOf, stationIds.length === 0 ? null : input, {
    // The earlier answer has its own days and stations; it is shown until the next one is there, never one of another series.
    keepFor: [variable, mode],
    delayMs: 80,
  });
  const found = shownOf(answer);
  const lines = useMemo(() => (found ? sortLines(stationLines(found, byId), sort) : []), [found, byId, sort]);
  return {
    layer,
    setLayer,
    scope,
    setScope,
    variable,
    sort,
    setSort,
    /** The download that would fill the table. */
    spec: { stationIds, variables: wholeOf(variable), range: { startMs, endMs }, intervalSeconds, raw },
    /** Number of stations, including those beyond `MAX_STATIONS`. */
    stationCount: ids.length,
    /** Whether the time range is longer than the table. */
    isTruncated,
    answer,
    lines,
  };
}
