import type { JobSpec } from "#shared/job/job.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { stationPoints } from "#shared/service/points.ts";
import { type Variable, withImpliedVariables } from "#shared/service/variables.ts";
import { alignOutward, type TimeRange } from "#shared/time/range.ts";
import { difference, rangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { answeredTime } from "../analysis/requestedTimes.ts";
import { allowedPoints } from "../planner/limits.ts";
import { planRequests } from "../planner/plan.ts";
import type { EpochSecondsLookup, PlannedRequest } from "../planner/types.ts";
import { HOUR_S } from "./contradictions.ts";
import type { Session } from "./session.ts";
import type { Targets } from "./targets.ts";

/** A range in which values of a variable of a station are to be looked for. */
export interface Question {
  readonly stationId: string;
  readonly variable: Variable;
  readonly range: TimeRange;
}

/** What the requests for a question depend on. */
export interface AskContext {
  readonly session: Session;
  readonly spec: JobSpec;
  readonly targets: Targets;
  readonly epochSecondsOf: EpochSecondsLookup;
}

/** Stations that are asked about beside a question: one of them may have been silent, too. */
const MAX_WITNESSES = 3;
/** Points for which a question reaches to the newest measurement of its stations: fewer than another request costs. */
const MAX_REACH_POINTS = 2_000;

/**
 * Lets questions ask for something that exists, too: a response without any value confirms nothing, and one without a
 * value of the series only after a day. A question reaches an hour beyond the absence, and means to the newest measurement.
 * Beside series of which the cache has nothing there, it asks for another variable of the same stations, or for another
 * station: one with cached values, else some that had measurements before and after, by the catalogue. A service that
 * shortens ranges at an end would shorten one without anything around it in the same way.
 *
 * @param absences what the requests ask about; what this job found itself is not confirmed yet, and needs no other station
 */
export function witnessed(
  { session, spec, targets, epochSecondsOf }: AskContext,
  requests: readonly PlannedRequest[],
  absences: readonly { readonly isFresh: boolean }[],
): PlannedRequest[] {
  const confirms = absences.some(({ isFresh }) => !isFresh);
  const all = withImpliedVariables(spec.variables);
  const hasValues = ({ raw, range }: PlannedRequest, stationId: string, variables: readonly Variable[]): boolean =>
    variables.some(
      (v) => session.cache.countValues({ stationId, variables: [v], intervalSeconds: null, raw, range }) > 0,
    );
  /** The larger request, if it is allowed. */
  const enlarged = (
    request: PlannedRequest,
    change: Partial<PlannedRequest>,
    maxPoints: number = Infinity,
  ): PlannedRequest => {
    const larger = { ...request, ...change };
    const { range, intervalSeconds } = larger;
    let points = 0;
    for (const id of larger.stationIds) points += stationPoints(range, epochSecondsOf(id), intervalSeconds);
    return points > Math.min(allowedPoints(session.limits()), maxPoints) ? request : { ...larger, points };
  };
  return requests.map((asked) => {
    const stepSeconds = asked.intervalSeconds ?? Math.max(...asked.stationIds.map(epochSecondsOf));
    const small = { ...asked, range: around(asked.range, stepSeconds) };
    const near = enlarged(small, { range: around(asked.range, asked.intervalSeconds ?? HOUR_S) });
    const { stationIds, variables } = near;
    const silent = stationIds.filter((id) => variables.some((variable) => !hasValues(near, id, [variable])));
    if (silent.length === 0) return near;
    const newestMs = Math.max(...silent.map((id) => targets.stations.get(id)?.dataLastUpdatedMs ?? -Infinity));
    const isLong = confirms && (near.intervalSeconds ?? 0) >= HOUR_S && newestMs > -Infinity;
    const request = isLong ? enlarged(near, { range: upTo(near, newestMs) }, MAX_REACH_POINTS) : near;
    if (stationIds.some((id) => hasValues(near, id, variables))) return request;
    if (stationIds.some((id) => hasValues(near, id, all))) return { ...request, variables: all };
    const cached = [...targets.stations.keys()].find((id) => hasValues(near, id, all));
    const likely = confirms ? likelyWitnesses(session, near) : [];
    const witnesses = cached === undefined ? likely : [cached];
    if (witnesses.length === 0) return request;
    return enlarged(request, { stationIds: [...stationIds, ...witnesses], variables: all });
  });
}

/** The range of a request of means with the interval of a moment, and what is between. */
function upTo({ range: { startMs, endMs }, intervalSeconds }: PlannedRequest, momentMs: UtcMs): TimeRange {
  const whole = { startMs: Math.min(startMs, momentMs), endMs: Math.max(endMs, momentMs + 1) };
  return alignOutward(whole, intervalSeconds ?? HOUR_S);
}

/** Other stations that had measurements before and after the range of a request, by the catalogue. */
function likelyWitnesses({ cache, profile, random }: Session, { stationIds, range }: PlannedRequest): string[] {
  const refused = profile.refusedStations();
  const others = cache
    .catalogue()
    .stations.filter(
      ({ id, historicDataFromMs: firstMs, dataLastUpdatedMs: lastMs }) =>
        firstMs !== null && firstMs <= range.startMs && (lastMs ?? -Infinity) >= range.endMs && !refused.has(id),
    )
    .map(({ id }) => id)
    .filter((id) => !stationIds.includes(id));
  return startingAnywhere(others, random()).slice(0, MAX_WITNESSES);
}

/** The list from an element on, at a fraction from 0 to below 1, then the others: the first ones might always be the wrong ones. */
export function startingAnywhere<T>(list: readonly T[], fraction: number): T[] {
  const from = Math.floor(fraction * list.length);
  return [...list.slice(from), ...list.slice(0, from)];
}

export function around({ startMs, endMs }: TimeRange, besideSeconds: number): TimeRange {
  return { startMs: startMs - besideSeconds * 1_000, endMs: endMs + besideSeconds * 1_000 };
}

/** The requests for the means of this mode that answer questions, except for what recent answers have told. */
export function meansRequests(
  { session, epochSecondsOf }: Pick<AskContext, "session" | "epochSecondsOf">,
  questions: readonly Question[],
  mode: SeriesMode,
): PlannedRequest[] {
  const open = questions.flatMap(({ stationId, variable, range }) => {
    const { final, provisional } = session.cache.coverage(stationId, variable, mode);
    const young = provisional.filter((part) => session.isYoung(part.fetchedAtMs, session.provisionalAgeMs));
    const parts = difference([range], answeredTime({ final, provisional: young }));
    return parts.map((part) => ({ stationId, variable, range: part }));
  });
  return requestsFor({ session, epochSecondsOf }, open, mode);
}

/** The requests that ask all questions in a mode. */
export function requestsFor(
  { session, epochSecondsOf }: Pick<AskContext, "session" | "epochSecondsOf">,
  questions: readonly Question[],
  mode: SeriesMode,
): PlannedRequest[] {
  const stations = [...Map.groupBy(questions, ({ stationId }) => stationId)].map(([id, own]) => {
    const byVariable = [...Map.groupBy(own, ({ variable }) => variable)];
    const missing = Object.fromEntries(byVariable.map(([v, asked]) => [v, rangeSet(asked.map(({ range }) => range))]));
    return { id, epochSeconds: epochSecondsOf(id), missing };
  });
  const maxPoints = (): number => allowedPoints(session.limits());
  return [...planRequests({ stations, mode, maxPoints, joinsApart: true })];
}
