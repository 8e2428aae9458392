import { type SeriesMode, type SeriesSelection, sumIrregularities } from "#shared/series/rows.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import { intersect, rangeSet, type RangeSet } from "#shared/time/rangeset.ts";
import { emptyRuns, momentsOf, momentsOnlyIn } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { serviceError } from "../client/errors/refusal.ts";
import { judgeAnswer } from "../analysis/absence.ts";
import { stepSeconds, UNKNOWN_STATION } from "../analysis/requestedTimes.ts";
import { bytesPerRow } from "../planner/limits.ts";
import { requestableRange } from "../planner/missing.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { CommitReport, CoverageJudge, StationContents } from "../store/types.ts";
import type { CacheReader } from "../store/index.ts";
import type { EpochSource } from "#shared/service/points.ts";
import { epochSource, shownStep } from "./cadence.ts";
import { noteOrder } from "./rawAnswers.ts";
import type { Session } from "./session.ts";
import { type ExpectedValues, findShift, findWrongTimes } from "./wrongTimes.ts";

/** The stations of a job by id, as the catalogue described them before the request was sent. */
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
}

/**
 * Sends one request and commits its response: rows and coverage in one transaction, or nothing at all.
 *
 * @throws StoreError if the cache cannot be written; the response is then lost and the cache unchanged
 */
export async function attemptRequest(
  session: Session,
  request: PlannedRequest,
  { stations, signal, onProgress }: AttemptContext,
): Promise<Result<StoredResponse, ServiceError>> {
  const { intervalSeconds, raw, range, stationIds, variables } = request;
  const { cache, former } = session;
  const writer = cache.openResponse({ stationIds, variables, intervalSeconds, raw, range });
  // An exception must not pass through the reader of the body: it is thrown after the transfer has been stopped.
  const stop = new AbortController();
  const failures: unknown[] = [];
  let hasForeignRows = false;
  const sentMs = session.clock.monotonicMs();
  const answer = await session.client.timeSeries(
    { stationIds, variables, intervalSeconds, raw, ...range },
    {
      onRows(block) {
        if (failures.length > 0) return;
        hasForeignRows ||= !stationIds.includes(block.stationId);
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
  const sources = new Map(stationIds.map((id) => [id, epochSource(former ?? cache, stations.get(id) ?? null)]));
  const sourceOf = (stationId: string): EpochSource => sources.get(stationId) ?? UNKNOWN_STATION;
  const expectedOf = (stationId: string, of: readonly Variable[]): ExpectedValues =>
    expectedValues({ ...request, variables: of }, stations.get(stationId), sourceOf(stationId), time.earliestMs);

  const shifts = [...contents.values()].map((own) => ({
    id: own.stationId,
    shift: findShift(own, expectedOf(own.stationId, variables), intervalSeconds !== null),
  }));
  const shiftedIds = shifts.flatMap(({ id, shift }) => (shift === "shifted" ? [id] : []));
  const valued = ({ valueTimes }: StationContents): Variable[] =>
    variables.filter((variable) => (valueTimes.get(variable)?.total ?? 0) > 0);
  const why = shifts.some(({ shift }) => shift === "unclear")
    ? "its times seem to be shifted"
    : findWrongTimes([...contents.values()], intervalSeconds, (own) => expectedOf(own.stationId, valued(own)));
  if (shiftedIds.length > 0 || why !== null) {
    writer.abandon();
    if (shiftedIds.length === 0)
      return failure(serviceError("unusable", `The service's answer cannot be used: ${why}.`));
    return success({ rows: 0, bytesWritten: 0, irregularities, bodyBytes, hasAbsences: false, shiftedIds });
  }

  const oldUntilMs = session.oldUntilMs();
  // Rows that belong nowhere may be what is missing.
  const hasUnreadable = (irregularities.unreadableTime ?? 0) + (irregularities.unreadableValue ?? 0) > 0;
  const hasOffGrid = [...contents.values()].some(({ offGrid }) => offGrid > 0);
  const mayConfirm = !isPartial && !hasUnreadable && !hasForeignRows && !hasOffGrid;
  let hasAbsences = false;
  const judge: CoverageJudge = (stationId, variable, before) => {
    const times = contents.get(stationId)?.valueTimes.get(variable) ?? emptyRuns();
    const lacksFormer = (): boolean =>
      former !== null &&
      momentsOnlyIn(former.valueTimes({ stationId, variables: [variable], intervalSeconds, raw, range }), times)
        .length > 0;
    const expected = expectedOf(stationId, [variable]);
    const coverage = judgeAnswer(
      {
        ...expected,
        stepSeconds: intervalSeconds === null ? shownStep(times, expected.stepSeconds) : expected.stepSeconds,
        times,
        intervalSeconds,
        oldUntilMs,
        nowMs: time.nowMs,
        mayConfirm,
        hasLosses: !mayConfirm || hasUselessRows(contents.get(stationId)) || lacksFormer(),
        isOldEnough: (fetchedAtMs) => session.isOlder(fetchedAtMs, session.provisionalAgeMs),
        known: (open) => knownValues(cache, { stationId, variable, intervalSeconds, raw }, open),
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
      if (raw) noteOrder(cache, request);
      return committed;
    },
    signal,
    () => onProgress(bodyBytes, 0),
  );
  session.noteCommit(stationIds);
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

/**
 * Returns the times in these ranges at which the service has a value for certain, by other series in the cache: raw data
 * contain everything that passed the quality filter, and an interval with an observation has a mean (section 4.4 of the
 * specification).
 */
export function knownValues(
  cache: CacheReader,
  {
    stationId,
    variable,
    intervalSeconds,
    raw,
  }: SeriesMode & Pick<SeriesSelection, "stationId"> & { variable: Variable },
  ranges: RangeSet,
): RangeSet {
  const filters = raw ? [true, false] : [false];
  const modes = filters
    .flatMap((isRaw) => [intervalSeconds, null].map((seconds) => ({ intervalSeconds: seconds, raw: isRaw })))
    .filter((mode) => mode.intervalSeconds !== intervalSeconds || mode.raw !== raw);
  const lengthMs = (intervalSeconds ?? 1) * 1_000;
  const starts = new Set<UtcMs>();
  for (const mode of modes) {
    for (const range of ranges) {
      const times = cache.valueTimes({ stationId, variables: [variable], range, ...mode });
      for (const timeMs of momentsOf(times)) starts.add(Math.floor(timeMs / lengthMs) * lengthMs);
    }
  }
  return intersect(rangeSet([...starts].map((startMs) => ({ startMs, endMs: startMs + lengthMs }))), ranges);
}
