import { useMemo } from "react";
import type { StationCoverage } from "#shared/bridge/methods/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import { success } from "#shared/service/error.ts";
import { bridge } from "../../bridge/index.ts";
import { useCacheQuery } from "../../stores/cacheQuery.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { jobSpecOf, useSelectionWithoutStations } from "../../stores/selection.ts";

/** Returns the cached share of the time range, 0 to 1, for the selected variables and mode, by station. */
export function useShares(): ReadonlyMap<string, number> {
  const connectionId = useConnectionId();
  const { range, variables, intervalSeconds, raw } = jobSpecOf(useSelectionWithoutStations());
  const input = { connectionId, range, variables, mode: { intervalSeconds, raw } };
  const answer = useCacheQuery(input, bridge.catalogue.coverage);
  return useMemo(() => new Map(answer?.stationIds.map((id, i) => [id, answer.share[i] ?? 0])), [answer]);
}

/** Returns the cached parts of the time range of a few stations, for all selected variables together. */
export function useStrips(stationIds: readonly string[]): ReadonlyMap<string, StationCoverage> {
  const connectionId = useConnectionId();
  const { range, variables, intervalSeconds, raw } = jobSpecOf(useSelectionWithoutStations());
  const input = { connectionId, stationIds, range, variables, mode: { intervalSeconds, raw } };
  const answer = useCacheQuery(stationIds.length === 0 ? null : input, bridge.catalogue.strips);
  return useMemo(() => new Map(answer?.map((strip) => [strip.stationId, strip])), [answer]);
}

/** Returns the cached parts of the time range of one station, for each selected variable. */
export function useVariableStrips(stationId: string | null): ReadonlyMap<Variable, StationCoverage> {
  const connectionId = useConnectionId();
  const { range, variables, intervalSeconds, raw } = jobSpecOf(useSelectionWithoutStations());
  const input =
    stationId === null
      ? null
      : { connectionId, stationIds: [stationId], range, variables, mode: { intervalSeconds, raw } };
  const answer = useCacheQuery(input, async (all, options) => {
    const strips = new Map<Variable, StationCoverage>();
    for (const variable of all.variables) {
      const result = await bridge.catalogue.strips({ ...all, variables: [variable] }, options);
      if (!result.ok) return result;
      const [strip] = result.value;
      if (strip) strips.set(variable, strip);
    }
    return success<ReadonlyMap<Variable, StationCoverage>>(strips);
  });
  return answer ?? NO_STRIPS;
}

const NO_STRIPS: ReadonlyMap<Variable, StationCoverage> = new Map();
