import { useMemo } from "react";
import type { StationCoverage } from "#shared/bridge/methods/catalogue.ts";
import { percent } from "#shared/series/statistics.ts";
import type { Variable } from "#shared/service/variables.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { totalMs } from "#shared/time/rangeset.ts";
import { sharesOf, stripsOf, variableStripsOf } from "../../ask/questions.ts";
import { shownOf, useAsk } from "../../ask/useAsk.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { jobSpecOf, useSelectionWithoutStations } from "../../stores/selection.ts";
import classes from "./strip.module.css";

/**
 * Returns the cached share of the time range, 0 to 1, for the selected variables and mode, by station. After a change of
 * the range, those of the earlier range are kept until the new ones are known: they sort and filter the list.
 */
export function useShares(): ReadonlyMap<string, number> {
  const connectionId = useConnectionId();
  const { range, variables, intervalSeconds, raw } = jobSpecOf(useSelectionWithoutStations());
  const mode = { intervalSeconds, raw };
  const answer = shownOf(
    useAsk(sharesOf, { connectionId, range, variables, mode }, { keepFor: [connectionId, variables, mode] }),
  );
  return useMemo(() => new Map(answer?.stationIds.map((id, i) => [id, answer.share[i] ?? 0])), [answer]);
}

/** Returns the cached parts of the time range of a few stations, for all selected variables together. */
export function useStrips(stationIds: readonly string[]): ReadonlyMap<string, StationCoverage> {
  const connectionId = useConnectionId();
  const { range, variables, intervalSeconds, raw } = jobSpecOf(useSelectionWithoutStations());
  const whole = { connectionId, range, variables, mode: { intervalSeconds, raw } };
  // While the list scrolls, the strips of stations that stay in sight remain.
  const answer = shownOf(
    useAsk(stripsOf, stationIds.length === 0 ? null : { ...whole, stationIds }, { keepFor: whole }),
  );
  return useMemo(() => new Map(answer?.map((strip) => [strip.stationId, strip])), [answer]);
}

/** Returns the cached parts of the time range of one station, for each selected variable. */
export function useVariableStrips(stationId: string | null): ReadonlyMap<Variable, StationCoverage> {
  const connectionId = useConnectionId();
  const { range, variables, intervalSeconds, raw } = jobSpecOf(useSelectionWithoutStations());
  const mode = { intervalSeconds, raw };
  const input = stationId === null ? null : { connectionId, stationIds: [stationId], range, variables, mode };
  return useAsk(variableStripsOf, input).value ?? NO_STRIPS;
}

const NO_STRIPS: ReadonlyMap<Variable, StationCoverage> = new Map();

interface StripProps {
  readonly range: TimeRange;
  /** undefined while unknown. */
  readonly coverage: StationCoverage | undefined;
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
export function CoverageStrip({ range, coverage }: StripProps) {
  const whole = durationMs(range);
  const part = ({ startMs, endMs }: TimeRange) => ({
    x: ((startMs - range.startMs) / whole) * 100,
    width: Math.max(0.4, ((endMs - startMs) / whole) * 100),
  });
  const title = coverage ? stripWords(range, coverage) : "Reading the cache";
  return (
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={title} className={classes["strip"]}>
      <title>{title}</title>
      {coverage ? (
        <>
          <rect className={classes["none"]} width={100} height={8} />
          {coverage.final.map((r) => (
            <rect key={r.startMs} className={classes["final"]} {...part(r)} height={8} />
          ))}
          {coverage.provisional.map((r) => (
            <rect key={r.startMs} className={classes["final"]} {...part(r)} y={4} height={4} />
          ))}
        </>
      ) : null}
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
