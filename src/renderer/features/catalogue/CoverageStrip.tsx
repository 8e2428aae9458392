import { useMemo } from "react";
import type { StationCoverage } from "#shared/bridge/methods/catalogue.ts";
import { percent } from "#shared/series/statistics.ts";
import { success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { totalMs } from "#shared/time/rangeset.ts";
import { bridge } from "../../bridge/index.ts";
import { useCacheQuery } from "../../stores/cacheQuery.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { jobSpecOf, useSelectionWithoutStations } from "../../stores/selection.ts";
import classes from "./strip.module.css";

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

interface StripProps {
  readonly range: TimeRange;
  readonly coverage: StationCoverage | undefined;
  /** Cached share, 0 to 1, shown until the coverage is loaded. */
  readonly share?: number;
}

/** Describes the coverage: "62 % cached, 3 % may still change, 35 % not downloaded". */
function stripWords(range: TimeRange, { final, provisional }: StationCoverage): string {
  const whole = durationMs(range);
  const shares = { final: totalMs(final) / whole, provisional: totalMs(provisional) / whole };
  const missing = 1 - shares.final - shares.provisional;
  return [
    `${percent(shares.final, 0)} cached`,
    ...(shares.provisional > 0 ? [`${percent(shares.provisional, 0)} may still change`] : []),
    // The sum of many parts may have a rounding error.
    ...(missing > 1e-9 ? [`${percent(missing, 0)} not downloaded`] : []),
  ].join(", ");
}

/** Shows which parts of the time range are cached: a full bar for final data, half a bar for provisional data. */
export function CoverageStrip({ range, coverage, share = 0 }: StripProps) {
  const whole = durationMs(range);
  const part = ({ startMs, endMs }: TimeRange) => ({
    x: ((startMs - range.startMs) / whole) * 100,
    width: Math.max(0.4, ((endMs - startMs) / whole) * 100),
  });
  const title = coverage ? stripWords(range, coverage) : `${percent(share, 0)} cached`;
  return (
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={title} className={classes["strip"]}>
      <title>{title}</title>
      <rect className={classes["none"]} width={100} height={8} />
      {coverage ? (
        <>
          {coverage.final.map((r) => (
            <rect key={r.startMs} className={classes["final"]} {...part(r)} height={8} />
          ))}
          {coverage.provisional.map((r) => (
            <rect key={r.startMs} className={classes["final"]} {...part(r)} y={4} height={4} />
          ))}
        </>
      ) : (
        <rect className={classes["final"]} width={share * 100} height={8} />
      )}
    </svg>
  );
}

/** Explains the bars of a strip. */
export function StripLegend() {
  return (
    <ul className={classes["legend"]}>
      <li>
        <span className={classes["key"]} data-mark="final" /> final
      </li>
      <li>
        <span className={classes["key"]} data-mark="provisional" /> may still change
      </li>
      <li>
        <span className={classes["key"]} data-mark="none" /> not downloaded
      </li>
    </ul>
  );
}
