import { sumIrregularities } from "#shared/series/rows.ts";
import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import { serviceError } from "../client/index.ts";
import { bytesPerRow } from "../planner/limits.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { CommitReport } from "../store/types.ts";
import { reopen, REOPENED_UNSEEN_MS } from "./contradictions.ts";
import { Judgement, type ReceivedResponse, type RequestedStations } from "./judgement.ts";
import type { NewestMeasurements } from "./newestMeasurements.ts";
import { noteOrder } from "./rawAnswers.ts";
import type { Session } from "./session.ts";
import { findWrongTimes, hasAnyValue, type RequestCounter } from "./suspicions.ts";

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
  context: AttemptContext,
): Promise<Result<StoredResponse, ServiceError>> {
  const { stations, signal, onProgress, statistics, newest } = context;
  const received = await receive(session, request, context);
  if (!received.ok) return received;
  const { writer, bodyBytes, irregularities } = received.value;
  const judgement = new Judgement(session, request, stations, received.value);
  const { shiftedIds, why } = await findWrongTimes(session, request, judgement.contents.values(), {
    signal,
    statistics,
    expectedOf: (own) => ({
      all: judgement.expected(own.stationId, request.variables),
      valued: judgement.expected(own.stationId, judgement.valued(own)),
    }),
  });
  if (shiftedIds.length > 0 || why !== null) {
    writer.abandon();
    if (why !== null) return failure(serviceError("unusable", `The service's answer cannot be used: ${why}.`));
    return success({ rows: 0, bytesWritten: 0, irregularities, bodyBytes, hasAbsences: false, shiftedIds });
  }
  await judgement.compare(newest);
  const report = await session.writes.run(
    () => {
      judgement.hasAbsences = false;
      if (!request.raw) noteOrder(session.cache, request);
      const silences = judgement.endedSilences();
      const committed = writer.commit(judgement.judge);
      if (request.intervalSeconds !== null) judgement.reopen();
      reopen(session.cache, silences, REOPENED_UNSEEN_MS);
      if (request.raw) noteOrder(session.cache, request);
      return committed;
    },
    signal,
    () => onProgress(bodyBytes, 0),
  );
  session.noteCommit(request.stationIds.filter((id) => stations.has(id)));
  const all = sumIrregularities([report.irregularities, irregularities]);
  const { hasAbsences } = judgement;
  return success({ ...report, irregularities: all, bodyBytes, hasAbsences, shiftedIds });
}

/**
 * Sends one request and receives its rows.
 *
 * @throws StoreError if the cache cannot take them; the response is then lost and the cache unchanged
 */
async function receive(
  session: Session,
  request: PlannedRequest,
  { stations, signal, onProgress }: AttemptContext,
): Promise<Result<ReceivedResponse, ServiceError>> {
  const { intervalSeconds, raw, range, stationIds, variables, points } = request;
  const storedIds = stationIds.filter((id) => stations.has(id));
  const writer = session.cache.openResponse({ stationIds: storedIds, variables, intervalSeconds, raw, range });
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
      requestPoints: points,
      usualBytes: points * bytesPerRow(variables),
      names: stationIds.map((id) => stations.get(id) ?? { id }),
    },
    AbortSignal.any([signal, stop.signal]),
  );
  if (failures.length > 0 || !answer.ok) writer.abandon();
  if (failures.length > 0) throw failures[0];
  if (!answer.ok) return answer;
  session.noteServerTime(answer.value.serverTimeMs, sentMs);
  return success({ ...answer.value, writer, hasForeignRows, hasWitness });
}
