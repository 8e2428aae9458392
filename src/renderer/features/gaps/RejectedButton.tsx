import { Layers } from "lucide-react";
import { useMemo } from "react";
import type { Estimate, JobSpec } from "#shared/job/job.ts";
import type { Gap } from "#shared/series/gap.ts";
import type { Variable } from "#shared/service/variables.ts";
import { intersectRange, isEmpty, type TimeRange } from "#shared/time/range.ts";
import { hull, rangeSet } from "#shared/time/rangeset.ts";
import { jobSpecOf, useSelection } from "../../stores/selection.ts";
import { count, many } from "../../ui/text.ts";
import { FetchButton } from "../fetch/FetchButton.tsx";
import { costWords } from "../fetch/labels.ts";

interface GapPlace {
  readonly stationId: string;
  readonly range: TimeRange;
}

/** More gaps would cause too many requests. */
const MAX_GAPS = 2_000;

/** Returns the download of the raw rows of gaps. @param whole the download of the whole selection */
export function rejectedFetch(whole: JobSpec, places: readonly GapPlace[]) {
  const only = [...Map.groupBy(places, (place) => place.stationId)].map(([stationId, own]) => ({
    stationId,
    ranges: rangeSet(own.map(({ range }) => ({ startMs: Math.floor(range.startMs), endMs: Math.ceil(range.endMs) }))),
  }));
  const range = hull(rangeSet(only.flatMap((station) => station.ranges))) ?? whole.range;
  // More variables cost nothing. The uncertainty shows whether a solution has converged.
  const variables = [...new Set<Variable>([...whole.variables, "ztd_sigma"])];
  const stationIds = only.map((station) => station.stationId);
  const spec: JobSpec = { ...whole, variables, stationIds, range, raw: true, only };
  // Gaps of several variables at the same time count once.
  return { spec, gaps: only.reduce((n, { ranges }) => n + ranges.length, 0) };
}

/** Label with the cost: "Find causes: 12 gaps, 3,400 points · ~4 requests · ~2 s". */
export function rejectedWords(gaps: number, cost: Estimate, isOffline: boolean): string {
  return `Find causes${isOffline ? " when online" : ""}: ${many(gaps, "gap")}, ${costWords(cost)}`;
}

/** Label with the cost for a single gap. */
export function rejectedCost(cost: Estimate, isOffline: boolean): string {
  return `Find the cause${isOffline ? " when online" : ""} · ${costWords(cost)}`;
}

/** Whether raw data would tell more about a gap; a reason says that they were requested. */
function isUnexplained({ cause, reason }: Gap): boolean {
  return cause === "nothingOrFiltered" || (cause === "mayStillArrive" && reason === undefined);
}

/** Returns the gaps within a range whose cause is known only from the raw series: nothing sent, or filtered out. */
export function unknownGaps(
  stations: readonly { readonly stationId: string; readonly gaps: readonly Gap[] }[],
  within: TimeRange,
): GapPlace[] {
  return stations.flatMap(({ stationId, gaps }) =>
    gaps
      .filter(isUnexplained)
      .map((gap) => ({ stationId, range: intersectRange(gap.range, within) }))
      .filter((place) => !isEmpty(place.range)),
  );
}

interface RejectedButtonProps {
  /** Gaps for which it is unknown whether anything was sent. */
  readonly gaps: readonly GapPlace[];
}

/** Fetches the raw rows of gaps as one download, with the cost on the button; absent if there is nothing to fetch. */
export function RejectedButton({ gaps }: RejectedButtonProps) {
  const selection = useSelection();
  const found = useMemo(() => rejectedFetch(jobSpecOf(selection), gaps), [selection, gaps]);
  const isTooMany = found.gaps > MAX_GAPS;
  if (isTooMany)
    return (
      <p className="text-faint">
        {count(found.gaps)} gaps have an unknown cause: shorten the time range to find their causes.
      </p>
    );
  return (
    <FetchButton
      spec={found.spec}
      words={(cost, isOffline) => rejectedWords(found.gaps, cost, isOffline)}
      icon={Layers}
    />
  );
}
