import { useMemo } from "react";
import { GAP_CAUSES, type GapCause } from "#shared/series/gap.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { readModeOf, useSelection } from "../../stores/selection.ts";
import { usePane } from "../../stores/workspace.ts";
import { gapsOf } from "../../ask/questions.ts";
import { shownOf, useAsk } from "../../ask/useAsk.ts";
import { outages, readGapSort, sortGaps } from "./list.ts";

/** Choices for the shortest listed gap, in seconds. */
export const MINIMUMS = [0, 300, 3_600, 86_400] as const;

/** Returns the duration of the shortest listed gap; saved with the workspace. */
export function useGapMinimum(): [number, (seconds: number) => void] {
  return usePane<number>("gaps.minimum", (kept) => MINIMUMS.find((m) => m === kept) ?? 300);
}

const MAX_STATIONS = 500;

export type GapList = ReturnType<typeof useGapList>;

/** Loads, filters and sorts the gaps of the selection. */
export function useGapList(connectionId: string) {
  const selection = useSelection();
  const byId = useCatalogue((s) => s.byId);
  const [sort, setSort] = usePane("gaps.sort", readGapSort);
  const [minimumSeconds, setMinimum] = useGapMinimum();
  const [cause, setCause] = usePane<GapCause | null>(
    "gaps.cause",
    (kept) => GAP_CAUSES.find((c) => c === kept) ?? null,
  );
  const input = {
    connectionId,
    stationIds: selection.stationIds.slice(0, MAX_STATIONS),
    variables: selection.variables,
    range: selection.range,
    mode: readModeOf(selection),
    minimumMs: minimumSeconds * 1_000,
  };
  const answer = useAsk(gapsOf, input.stationIds.length === 0 ? null : input, {
    keepFor: [connectionId, input.mode, input.variables],
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
