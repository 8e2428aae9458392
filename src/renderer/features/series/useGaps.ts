import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { around } from "../../plot/view.ts";
import type { SeriesQuery } from "./query.ts";
import { type Answer, useAnswer } from "./useAnswer.ts";

const REST_MS = 120;
/** Gaps narrower than this share of the view are drawn as breaks of the line alone. */
const NARROWEST_SHARE = 1 / 600;

/** Why values are absent, somewhat beyond the range on both sides, so that a move of the view shows no blank. */
export function useGaps(query: SeriesQuery, panels: readonly Variable[], range: TimeRange): Answer<SeriesGaps[]> {
  const input = {
    ...query,
    variables: panels,
    range: around(range, 3),
    minimumMs: Math.round((range.endMs - range.startMs) * NARROWEST_SHARE),
  };
  return useAnswer({
    key: JSON.stringify(input),
    family: JSON.stringify([query.connectionId, query.mode]),
    restMs: REST_MS,
    connectionId: query.connectionId,
    stationIds: query.stationIds,
    ask: (signal) => bridge.series.gaps(input, { signal }),
  });
}
