import { useMemo } from "react";
import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { widen } from "../../plot/view.ts";
import { type GapPlace, unknownGaps } from "../gaps/RejectedButton.tsx";
import { useGapMinimum } from "../gaps/useGapList.ts";
import type { SeriesQuery } from "./query.ts";
import { type QueryState, useSeriesQuery } from "./useSeriesQuery.ts";

const DELAY_MS = 120;
/** Gaps narrower than this share of the view appear only as breaks of the line. */
const MIN_SHARE = 1 / 600;

/** Returns the gaps of the series, also beyond the range on both sides, so that panning shows no blanks. */
export function useGaps(query: SeriesQuery, panels: readonly Variable[], range: TimeRange): QueryState<SeriesGaps[]> {
  const input = {
    ...query,
    variables: panels,
    range: widen(range, 3),
    minimumMs: Math.round((range.endMs - range.startMs) * MIN_SHARE),
  };
  return useSeriesQuery({
    input,
    load: bridge.series.gaps,
    retainFor: [query.connectionId, query.mode],
    delayMs: DELAY_MS,
  });
}

const UNKNOWN_GAPS_DELAY_MS = 250;

/**
 * Loads the gaps of `unknownGaps` in the range, down to the minimum duration of the gap list, also those too narrow to be drawn.
 *
 * @param found gaps that are already known: without one of these causes, nothing is loaded
 */
export function useUnknownGaps(
  query: SeriesQuery,
  panels: readonly Variable[],
  range: TimeRange,
  found: readonly SeriesGaps[],
): readonly GapPlace[] {
  const [minimumSeconds] = useGapMinimum();
  const input = { ...query, variables: panels, range, minimumMs: minimumSeconds * 1_000 };
  const hasAny = found.some((series) => (series.secondsByCause.nothingOrFiltered ?? 0) > 0);
  const { value } = useSeriesQuery({
    input: hasAny && query.stationIds.length > 0 ? input : null,
    load: bridge.series.gaps,
    retainFor: input,
    delayMs: UNKNOWN_GAPS_DELAY_MS,
  });
  return useMemo(() => unknownGaps(value ?? [], range), [value, range]);
}
