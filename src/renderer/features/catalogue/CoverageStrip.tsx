import { type RefObject, useLayoutEffect, useMemo } from "react";
import { create } from "zustand";
import type { StationCoverage } from "#shared/bridge/methods/catalogue.ts";
import { percent } from "#shared/series/statistics.ts";
import type { Variable } from "#shared/service/variables.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { totalMs } from "#shared/time/rangeset.ts";
import { sharesOf, stripsOf, variableStripsOf } from "../../ask/questions.ts";
import { shownOf, useAskHere } from "../../ask/useAsk.ts";
import { jobSpecOf, useMode, useSelectionWithoutStations } from "../../stores/selection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import classes from "./strip.module.css";

/**
 * Returns the cached share of the time range, 0 to 1, for the selected variables and mode, by station. After a change of
 * the range, those of the earlier range are kept until the new ones are known: they sort and filter the list.
 */
export function useShares(isNeeded: boolean): ReadonlyMap<string, number> {
  // Without need, a change of the range does not render the list.
  const range = useWorkspace((s) => (isNeeded ? s.range : null));
  const { variables, intervalSeconds, raw } = jobSpecOf({ ...useMode(), stationIds: [], range: NO_RANGE });
  const mode = { intervalSeconds, raw };
  const input = range && { range, variables, mode };
  const answer = shownOf(useAskHere(sharesOf, input, { keepFor: [variables, mode] }));
  return useMemo(() => new Map(answer?.stationIds.map((id, i) => [id, answer.share[i] ?? 0])), [answer]);
}

const NO_RANGE = { startMs: 0, endMs: 0 };

/** How a strip is drawn. */
interface StripLook {
  readonly words: string;
  /** SVG paths over 100 × 8 units. */
  readonly final: string;
  readonly provisional: string;
}

/** The strips of the listed stations, by station; the same object until one is drawn differently. */
const useLooks = create<{ readonly byId: ReadonlyMap<string, StripLook> }>(() => ({ byId: new Map() }));

interface StripsOfProps {
  readonly stationIds: readonly string[];
  /** Has `data-stale` while the strips are those of another time range. */
  readonly gridRef: RefObject<HTMLElement | null>;
}

/** Reads the cached parts of the time range of a few stations, for all selected variables together. Draws nothing itself. */
export function StripsOf({ stationIds, gridRef }: StripsOfProps) {
  const selection = useSelectionWithoutStations();
  const { range } = selection;
  const { variables, intervalSeconds, raw } = jobSpecOf(selection);
  const whole = { range, variables, mode: { intervalSeconds, raw } };
  // While the list scrolls, the strips of stations that stay in sight remain.
  const answer = useAskHere(stripsOf, stationIds.length === 0 ? null : { ...whole, stationIds }, { keepFor: whole });
  const strips = shownOf(answer);
  useLayoutEffect(() => {
    if (gridRef.current) gridRef.current.toggleAttribute("data-stale", strips === null && stationIds.length > 0);
    if (strips === null) return;
    const before = useLooks.getState().byId;
    useLooks.setState({
      byId: new Map(
        strips.map((strip) => {
          const [next, last] = [stripLook(range, strip), before.get(strip.stationId)];
          return [strip.stationId, last && JSON.stringify(last) === JSON.stringify(next) ? last : next];
        }),
      ),
    });
    // oxlint-disable-next-line react/exhaustive-deps -- the range is the one of the strips
  }, [strips, gridRef]);
  return null;
}

/** The strip of a listed station. */
export function StripOf({ id }: { readonly id: string }) {
  return drawn(useLooks((s) => s.byId.get(id)));
}

/** Returns the cached parts of the time range of one station, for each selected variable. */
export function useVariableStrips(stationId: string | null): ReadonlyMap<Variable, StationCoverage> {
  const selection = useSelectionWithoutStations();
  const { range } = selection;
  const { variables, intervalSeconds, raw } = jobSpecOf(selection);
  const mode = { intervalSeconds, raw };
  const input = stationId === null ? null : { stationIds: [stationId], range, variables, mode };
  return useAskHere(variableStripsOf, input).value ?? NO_STRIPS;
}

const NO_STRIPS: ReadonlyMap<Variable, StationCoverage> = new Map();

interface StripProps {
  /** What the strip describes. */
  readonly label: string;
  readonly range: TimeRange;
  /** undefined while unknown. */
  readonly coverage: StationCoverage | undefined;
}

/** Describes the coverage: "62 % downloaded, 3 % may still arrive, 35 % not downloaded". */
function stripWords(range: TimeRange, { final, provisional }: StationCoverage): string {
  const whole = durationMs(range);
  const shares = { final: totalMs(final) / whole, provisional: totalMs(provisional) / whole };
  const missing = 1 - shares.final - shares.provisional;
  return [
    `${percent(shares.final, 0)} downloaded`,
    ...(shares.provisional > 0 ? [`${percent(shares.provisional, 0)} may still arrive`] : []),
    // The sum of many parts may have a rounding error.
    ...(missing > 1e-9 ? [`${percent(missing, 0)} not downloaded`] : []),
  ].join(", ");
}

/** Draws a full bar for time without a further request, half a bar for absences that may still arrive. */
function stripLook(range: TimeRange, coverage: StationCoverage): StripLook {
  const whole = durationMs(range);
  const bars = (parts: readonly TimeRange[], top: number): string =>
    parts
      .map(({ startMs, endMs }) => {
        const width = Math.max(0.4, ((endMs - startMs) / whole) * 100);
        return `M${((startMs - range.startMs) / whole) * 100} ${top}h${width}V8h${-width}z`;
      })
      .join("");
  return {
    words: stripWords(range, coverage),
    final: bars(coverage.final, 0),
    provisional: bars(coverage.provisional, 4),
  };
}

function drawn(look: StripLook | undefined, label = "") {
  const title = `${label}${look?.words ?? "Reading the cache"}`;
  return (
    <svg
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      role="img"
      aria-label={title}
      className={`${classes["strip"]} block w-full h-2`}
    >
      <title>{title}</title>
      {look ? (
        <>
          <rect className={classes["none"]} width={100} height={8} />
          <path className={classes["final"]} d={look.final + look.provisional} />
        </>
      ) : null}
    </svg>
  );
}

/** Shows which parts of the time range need no request. */
export function CoverageStrip({ label, range, coverage }: StripProps) {
  return drawn(coverage && stripLook(range, coverage), `${label}: `);
}

/** Explains the bars of a strip. */
export function StripLegend() {
  return (
    <ul className={`${classes["legend"]} caption flex flex-wrap gap-x-3 gap-y-1 list-none`}>
      <li>
        <span className={classes["key"]} data-mark="final" /> downloaded
      </li>
      <li>
        <span className={classes["key"]} data-mark="provisional" /> missing, may still arrive
      </li>
      <li>
        <span className={classes["key"]} data-mark="none" /> not downloaded
      </li>
    </ul>
  );
}
