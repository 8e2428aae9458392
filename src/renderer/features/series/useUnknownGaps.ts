import { useMemo } from "react";
import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import type { GapPlace } from "../gaps/rejected.ts";
import { useGapMinimum } from "../gaps/useGapList.ts";
import type { SeriesQuery } from "./query.ts";
import { placesOf } from "./unknownGaps.ts";
import { useAnswer } from "./useAnswer.ts";

const REST_MS = 250;

/**
 * Gaps in the range of which only the raw series can tell whether anything was sent: as short as the list of gaps has
 * them, also where they are too narrow to be drawn.
 *
 * @param found what is known of the gaps already: where it has none of these, there is nothing to look for
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
  const key = JSON.stringify(input);
  const { value } = useAnswer({
    key: hasAny && query.stationIds.length > 0 ? key : null,
    family: key,
    restMs: REST_MS,
    connectionId: query.connectionId,
    stationIds: query.stationIds,
    ask: (signal) => bridge.series.gaps(input, { signal }),
  });
  return useMemo(() => placesOf(value ?? [], range), [value, range]);
}
