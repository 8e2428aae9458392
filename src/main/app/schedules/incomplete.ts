import type { JobSpec } from "#shared/job/job.ts";
import type { Verdict, VerdictState } from "#shared/job/verdict.ts";
import { MAX_CAUSES, MAX_STATIONS_PER_CAUSE, type ScheduleRun } from "#shared/schedule/run.ts";
import { completeness, percent, roundedShare } from "#shared/series/statistics.ts";
import { stationLabels } from "#shared/service/catalogue.ts";
import { shortName, VALUE_VARIABLES, type Variable } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { readAvailability } from "../reading/availability.ts";
import { createPace } from "../pace.ts";

/** States without data, worst first. */
const ABSENT_STATES: readonly VerdictState[] = ["failed", "forbidden", "notRequested", "empty", "partial", "stale"];

/** Causes of missing data with the number of their stations, worst first. */
export function missingOf(verdicts: readonly Verdict[]): ScheduleRun["missing"] {
  const absent = verdicts
    .filter((v) => ABSENT_STATES.includes(v.state) && (v.state !== "stale" || v.rows === 0))
    // How much is missing differs from station to station.
    .map((v) => (v.state === "partial" ? { ...v, reason: null } : v));
  const causes = Map.groupBy(absent, ({ state, reason }) => `${state} ${reason ?? ""}`);
  return [...causes.values()]
    .flatMap((cells) => {
      const [first] = cells;
      if (!first) return [];
      const stationIds = [...new Set(cells.map((v) => v.stationId))];
      const { state, reason } = first;
      return { state, reason, stations: stationIds.length, stationIds: stationIds.slice(0, MAX_STATIONS_PER_CAUSE) };
    })
    .toSorted((a, b) => ABSENT_STATES.indexOf(a.state) - ABSENT_STATES.indexOf(b.state) || b.stations - a.stations)
    .slice(0, MAX_CAUSES);
}

/** Share from which a station counts as complete: single epochs are missing everywhere. */
const COMPLETE = 0.99;
const MAX_NAMES = 10;

interface StationShare {
  readonly name: string;
  /** Completeness; null if no time was answered. */
  readonly complete: number | null;
  /** Share of the time with possible data that was answered. */
  readonly answered: number;
}

/**
 * Lists incomplete stations, the worst first: "Less than 99 % of ZTD: Blitzstein (0 % of the time answered), Kallio
 * 50.9 %."; null if all are complete.
 */
export function incompleteText(quantity: string, shares: readonly StationShare[]): string | null {
  const received = ({ complete, answered }: StationShare): number => (complete ?? 0) * answered;
  const incomplete = shares
    .filter(({ complete, answered }) => isLow(complete ?? 1) || isLow(answered))
    .toSorted((a, b) => received(a) - received(b));
  if (incomplete.length === 0) return null;
  const named = incomplete.slice(0, MAX_NAMES).map(shareText);
  const more = incomplete.length > MAX_NAMES ? ` and ${incomplete.length - MAX_NAMES} more stations` : "";
  return `Less than 99 % of ${quantity}: ${named.join(", ")}${more}.`;
}

/** Compares the share as it is written, so that none is listed with the limit itself. */
function isLow(share: number): boolean {
  return roundedShare(share) < COMPLETE;
}

function shareText({ name, complete, answered }: StationShare): string {
  return [
    name,
    ...(complete === null ? [] : [percent(complete)]),
    ...(isLow(answered) ? [`(${percent(answered)} of the time answered)`] : []),
  ].join(" ");
}

/** What has been received of one quantity. */
export interface Reception {
  readonly variable: Variable;
  /** Received share of the expected values; null if no values are expected. */
  readonly complete: number | null;
  readonly received: number;
  readonly stations: readonly { readonly name: string; readonly share: number | null }[];
  /** A sentence on the stations whose data are incomplete, whatever the cause; null if all are complete. */
  readonly sentence: string | null;
}

/** Counts the cached values of each quantity of a download; satellites have no expected number. */
export async function countReceived(
  { cache, session }: OpenConnection,
  { stationIds, variables, range, intervalSeconds, raw }: JobSpec,
  signal: AbortSignal,
): Promise<Reception[]> {
  const names = stationLabels(cache.catalogue());
  const receptions = [];
  for (const variable of VALUE_VARIABLES.filter((one) => variables.includes(one))) {
    const query = { stationIds, variable, range, mode: { intervalSeconds, raw }, binMs: DAY_MS };
    const found = await readAvailability(
      cache,
      { ...query, nowMs: session.serverNowMs() },
      { failed: () => [], isForbidden: () => false, reason: () => null },
      createPace(signal),
    );
    const sum = (counts: Uint32Array, i: number): number =>
      counts.subarray(i * found.bins, (i + 1) * found.bins).reduce((all, n) => all + n, 0);
    const stations = stationIds.map((id, i) => {
      const expected = sum(found.expected, i);
      const answered = expected - sum(found.notRequested, i) - sum(found.failed, i);
      return { name: names.get(id) ?? id, expected, answered, received: sum(found.received, i) };
    });
    receptions.push(receptionOf(variable, stations));
  }
  return receptions;
}

interface StationCounts {
  readonly name: string;
  readonly expected: number;
  readonly answered: number;
  readonly received: number;
}

function receptionOf(variable: Variable, stations: readonly StationCounts[]): Reception {
  const total = (field: "expected" | "received"): number => stations.reduce((all, one) => all + one[field], 0);
  const shares = stations.map(({ name, expected, answered, received }) => ({
    name,
    complete: completeness(received, answered),
    answered: expected === 0 ? 1 : answered / expected,
  }));
  return {
    variable,
    complete: completeness(total("received"), total("expected")),
    received: total("received"),
    stations: stations.map(({ name, expected, received }) => ({ name, share: completeness(received, expected) })),
    sentence: incompleteText(shortName(variable), shares),
  };
}

/** The least complete quantity; null if none is expected. */
export function leastComplete(receptions: readonly Reception[]): Reception | null {
  const known = receptions.filter(({ complete }) => complete !== null);
  return known.toSorted((a, b) => (a.complete ?? 0) - (b.complete ?? 0))[0] ?? null;
}
