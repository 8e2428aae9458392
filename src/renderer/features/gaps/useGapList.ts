import { useMemo } from "react";
import { z } from "zod";
import { GAP_CAUSES } from "#shared/series/gap.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { readModeOf, useSelection } from "../../stores/selection.ts";
import { gapsOf } from "../../ask/questions.ts";
import { shownOf, useAskHere } from "../../ask/useAsk.ts";
import { outages, GAP_SORT, sortGaps } from "./list.ts";
import { pane, usePane } from "../../stores/pane.ts";

/** Choices for the shortest listed gap, in seconds. */
export const MINIMUMS = [0, 300, 3_600, 86_400] as const;

/** The duration of the shortest listed gap, in seconds. */
export const GAP_MINIMUM = pane("gaps.minimum", z.literal(MINIMUMS).catch(300));
const CAUSE = pane("gaps.cause", z.enum(GAP_CAUSES).nullable().catch(null));

const MAX_STATIONS = 500;

export type GapList = ReturnType<typeof useGapList>;

/** Loads, filters and sorts the gaps of the selection. */
export function useGapList() {
  const selection = useSelection();
  const byId = useCatalogue((s) => s.byId);
  const [sort, setSort] = usePane(GAP_SORT);
  const [minimumSeconds, setMinimum] = usePane(GAP_MINIMUM);
  const [cause, setCause] = usePane(CAUSE);
  const input = {
    stationIds: selection.stationIds.slice(0, MAX_STATIONS),
    variables: selection.variables,
    range: selection.range,
    mode: readModeOf(selection),
    minimumMs: minimumSeconds * 1_000,
  };
  const answer = useAskHere(gapsOf, input.stationIds.length === 0 ? null : input, {
    keepFor: [input.mode, input.variables],
    delayMs: 200,
  });
  const found = shownOf(answer);
  const all = useMemo(() => outages(found ?? [], (id) => stationName(byId, id)), [found, byId]);
  const lines = useMemo(
    () =>
      sortGaps(
        all.filter((line) => cause === null || line.cause === cause),
        sort,
      ),
    [all, cause, sort],
  );
  return {
    answer,
    lines,
    /** Outages of all causes, including unlisted ones. */
    all,
    sort,
    setSort,
    minimumSeconds,
    setMinimum,
    /** null: every cause. */
    cause,
    setCause,
  };
}
