import { sumIrregularities } from "#shared/series/rows.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import { overlap } from "#shared/time/range.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import { emptyRuns, momentsOf, momentsOnlyIn, type Runs } from "#shared/time/runs.ts";
import { HOUR_MS, type UtcMs } from "#shared/time/utc.ts";
import { serviceError } from "../client/errors/refusal.ts";
import { judgeAnswer } from "../analysis/absence.ts";
import { gapsBetween } from "../analysis/gaps.ts";
import { stepSeconds, UNKNOWN_STATION } from "../analysis/requestedTimes.ts";
import { bytesPerRow } from "../planner/limits.ts";
import { requestableRange } from "../planner/missing.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { CommitReport, CoverageJudge, StationContents } from "../store/types.ts";
import type { EpochSource } from "#shared/service/points.ts";
import { epochSource, shownStep } from "./cadence.ts";
import { bringsAbsent, isContradicted, reopenContradicted } from "./contradictions.ts";
import { noteOrder } from "./rawAnswers.ts";
import type { Session } from "./session.ts";
import { confirmableUntil } from "./silence.ts";
import type { NewestMeasurements } from "./newestMeasurements.ts";
import { findWrongTimes, hasAnyValue, type RequestCounter } from "./suspicions.ts";
import type { ExpectedValues } from "./wrongTimes.ts";

/**
 * Age from which a response without a value of a series confirms what an earlier one lacked: that of the daily download
 * before. An outage of one station or variable looks like one that sent nothing.
 */
const OTHER_DAY_MS = 20 * HOUR_MS;

/**
 * The stations of a job by id, as the catalogue described them before the request was sent. Rows of another requested
 * station show only that the service delivers values; they are not stored.
 */
export type RequestedStations = ReadonlyMap<string, CatalogueStation>;

export interface StoredResponse extends CommitReport {
  readonly bodyBytes: number;
  /** Whether the response lacks values that should be there. */
  readonly hasAbsences: boolean;
  /** Stations whose times are shifted: nothing of the response was stored. */
  readonly shiftedIds: readonly string[];
}

interface AttemptContext {
  readonly stations: RequestedStations;
  readonly signal: AbortSignal;
  /** Told of bytes and rows that have arrived. */
  readonly onProgress: (bodyBytes: number, rows: number) => void;
  /** Counts further requests. */
  readonly statistics: RequestCounter;
  readonly newest: NewestMeasurements;
}

/**
 * Sends one request and commits its response: rows and coverage in one transaction, or nothing at all.
 *
 * @throws StoreError if the cache cannot be written; the response is then lost and the cache unchanged
 */
export async function attemptRequest(
  session: Session,
  request: PlannedRequest,
  { stations, signal, onProgress, statistics, newest }: AttemptContext,
): Promise<Result<StoredResponse, ServiceError>> {
  const { intervalSeconds, raw, range, stationIds, variables } = request;
  const { cache, former } = session;
  const storedIds = stationIds.filter((id) => stations.has(id));
  const writer = cache.openResponse({ stationIds: storedIds, variables, intervalSeconds, raw, range });
  // An exception must not pass through the reader of the body: it is thrown after the transfer has been stopped.
  const stop = new AbortController();
  const failures: unknown[] = [];
  let hasForeignRows = false;
  let hasWitness = false;
  const sentMs = session.clock.monotonicMs();
  const answer = await session.client.timeSeries(
    { stationIds, variables, intervalSeconds, raw, ...range },
    {
      onRows(block) {
        if (failures.length > 0) return;
        hasForeignRows ||= !stationIds.includes(block.stationId);
        if (!stations.has(block.stationId) && stationIds.includes(block.stationId)) {
          hasWitness ||= hasAnyValue(block, range);
          return;
        }
        try {
          writer.add(block);
        } catch (reason) {
          failures.push(reason);
          stop.abort();
        }
      },
      onProgress,
      requestPoints: request.points,
      usualBytes: request.points * bytesPerRow(variables),
      names: stationIds.map((id) => stations.get(id) ?? { id }),
    },
    AbortSignal.any([signal, stop.signal]),
  );
  if (failures.length > 0 || !answer.ok) writer.abandon();
  if (failures.length > 0) throw failures[0];
  if (!answer.ok) return answer;
  const { serverTimeMs, bodyBytes, irregularities, isPartial } = answer.value;
  session.noteServerTime(serverTimeMs, sentMs);
  const time = session.time();
  const contents = new Map(writer.contents().map((station) => [station.stationId, station]));
  const sources = new Map(storedIds.map((id) => [id, epochSource(former ?? cache, stations.get(id) ?? null)]));
  const sourceOf = (stationId: string): EpochSource => sources.get(stationId) ?? UNKNOWN_STATION;
  const expectedOf = (stationId: string, of: readonly Variable[]): ExpectedValues =>
    expectedValues({ ...request, variables: of }, stations.get(stationId), sourceOf(stationId), time.earliestMs);

  const valued = ({ valueTimes }: StationContents): Variable[] =>
    variables.filter((variable) => (valueTimes.get(variable)?.total ?? 0) > 0);
  const { shiftedIds, why } = await findWrongTimes(session, request, contents.values(), {
    signal,
    statistics,
    expectedOf: (own) => ({
      all: expectedOf(own.stationId, variables),
      valued: expectedOf(own.stationId, valued(own)),
    }),
  });
  if (shiftedIds.length > 0 || why !== null) {
    writer.abandon();
    if (why !== null) return failure(serviceError("unusable", `The service's answer cannot be used: ${why}.`));
    return success({ rows: 0, bytesWritten: 0, irregularities, bodyBytes, hasAbsences: false, shiftedIds });
  }

  // Rows that belong nowhere may be what is missing.
  const hasUnreadable = (irregularities.unreadableTime ?? 0) + (irregularities.unreadableValue ?? 0) > 0;
  const hasOffGrid = [...contents.values()].some(({ offGrid }) => offGrid > 0);
  // An outage behind a status 200 looks like stations that sent nothing.
  const hasValues = hasWitness || [...contents.values()].some((own) => valued(own).length > 0);
  const valuedOf = (id: string): Variable[] => {
    const own = contents.get(id);
    return own ? valued(own) : [];
  };
  const mayConfirm = !isPartial && !hasUnreadable && !hasForeignRows && !hasOffGrid;
  const timesOf = (stationId: string, variable: Variable): Runs =>
    contents.get(stationId)?.valueTimes.get(variable) ?? emptyRuns();
  const stepOf = (times: Runs, expected: ExpectedValues): number =>
    intervalSeconds === null ? shownStep(times, expected.stepSeconds) : expected.stepSeconds;
  const absentOf = (stationId: string, variable: Variable): RangeSet => {
    const expected = expectedOf(stationId, [variable]);
    const times = timesOf(stationId, variable);
    return gapsBetween(times, expected.range, stepOf(times, expected));
  };
  const contradicted = new Set(storedIds.filter((id) => isContradicted(cache, request, id, absentOf)));
  const bringing = new Set(
    storedIds.flatMap((id) =>
      variables.flatMap((v) =>
        bringsAbsent(cache, request, { stationId: id, variable: v }, timesOf(id, v)) ? [`${v} ${id}`] : [],
      ),
    ),
  );
  const isDue = (fetchedAtMs: UtcMs): boolean => session.isOlder(fetchedAtMs, session.provisionalAgeMs);
  const isOfOtherDay = (fetchedAtMs: UtcMs): boolean =>
    isDue(fetchedAtMs) && session.isOlder(fetchedAtMs, OTHER_DAY_MS);
  const silentIds = storedIds.filter(
    (id) =>
      valuedOf(id).length === 0 &&
      variables.some((variable) =>
        cache
          .coverage(id, variable, request)
          .provisional.some((old) => overlap(old.range, range) && isOfOtherDay(old.fetchedAtMs)),
      ),
  );
  const undelivered = mayConfirm && hasValues ? await newest.undelivered(silentIds) : new Set(silentIds);
  let hasAbsences = false;
  const judge: CoverageJudge = (stationId, variable, before) => {
    const times = timesOf(stationId, variable);
    const lacksFormer = (): boolean =>
      former !== null &&
      momentsOnlyIn(former.valueTimes({ stationId, variables: [variable], intervalSeconds, raw, range }), times)
        .length > 0;
    const expected = expectedOf(stationId, [variable]);
    const coverage = judgeAnswer(
      {
        ...expected,
        stepSeconds: stepOf(times, expected),
        times,
        intervalSeconds,
        oldUntilMs: confirmableUntil(session, { stationId, variable, intervalSeconds, raw }, stations.get(stationId), {
          range,
          times,
        }),
        nowMs: time.nowMs,
        hasValues,
        mayConfirm:
          mayConfirm &&
          !contradicted.has(stationId) &&
          !undelivered.has(stationId) &&
          !bringing.has(`${variable} ${stationId}`),
        hasLosses:
          !mayConfirm || contradicted.has(stationId) || hasUselessRows(contents.get(stationId)) || lacksFormer(),
        isOldEnough: (fetchedAtMs) => (times.total > 0 ? isDue(fetchedAtMs) : isOfOtherDay(fetchedAtMs)),
        isDue,
      },
      before,
    );
    hasAbsences ||= coverage.provisional.length > 0;
    return coverage;
  };
  const report = await session.writes.run(
    () => {
      hasAbsences = false;
      if (!raw) noteOrder(cache, request);
      const committed = writer.commit(judge);
      if (intervalSeconds !== null)
        for (const own of contents.values()) reopenContradicted(session, request, own, sourceOf(own.stationId));
      if (raw) noteOrder(cache, request);
      return committed;
    },
    signal,
    () => onProgress(bodyBytes, 0),
  );
  session.noteCommit(storedIds);
  const all = sumIrregularities([report.irregularities, irregularities]);
  return success({ ...report, irregularities: all, bodyBytes, hasAbsences, shiftedIds });
}

/** Whether a station has rows outside of the range, or without a value: they may be what is missing. */
function hasUselessRows(contents: StationContents | undefined): boolean {
  if (contents === undefined) return false;
  const { before, beyond, times, valueTimes } = contents;
  if (before + beyond > 0) return true;
  const ofVariables = [...valueTimes.values()];
  if (ofVariables.some(({ total }) => total === times.total)) return false;
  const left = new Set(momentsOf(times));
  for (const own of ofVariables) for (const timeMs of momentsOf(own)) left.delete(timeMs);
  return left.size > 0;
}

/** The values that a station should have in a response, up to now. */
function expectedValues(
  { range, intervalSeconds, variables }: PlannedRequest,
  station: CatalogueStation | undefined,
  source: EpochSource,
  nowMs: number,
): ExpectedValues {
  const facts = {
    historicDataFromMs: station?.historicDataFromMs ?? null,
    hasNeverSent: station?.hasNeverSent ?? false,
  };
  return {
    range: requestableRange(range, { intervalSeconds, nowMs, ...facts }),
    stepSeconds: Math.min(...variables.map((variable) => stepSeconds(source, variable, intervalSeconds))),
  };
}
