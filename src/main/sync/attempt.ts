import { type SeriesMode, sumIrregularities } from "#shared/series/rows.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { intersect } from "#shared/time/rangeset.ts";
import { expandRuns } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { stepSeconds } from "../analysis/requestedTimes.ts";
import { finalUntil } from "../planner/missing.ts";
import { bytesPerRow } from "../planner/limits.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { CacheReader, CommitReport, StationContents } from "../store/types.ts";
import { serviceError } from "../client/errors/refusal.ts";
import { epochSource } from "./cadence.ts";
import { type Doubt, type ExpectedRows, findDoubt } from "./doubts.ts";
import { expectedDataRange, hasValues, unconfirmedCoverage } from "./emptyResponses.ts";
import type { Session } from "./session.ts";
import { findWrongMeans, findWrongTimes } from "./wrongTimes.ts";

const BLOCK = 4_096;

/**
 * Whether raw rows lack a time of the cached rows that passed the quality filter. Raw data contain these too (section 4.4
 * of the specification), so such a response is incomplete. Rows that may still change do not count.
 *
 * @param timesMs times of the raw rows, ascending
 */
function lacksFilteredRows(
  cache: CacheReader,
  request: Pick<SeriesMode, "intervalSeconds"> & {
    readonly stationId: string;
    readonly variables: readonly Variable[];
    readonly range: TimeRange;
  },
  timesMs: Float64Array,
): boolean {
  const { stationId, intervalSeconds } = request;
  const mode = { intervalSeconds, raw: false };
  return request.variables.some((variable) =>
    intersect(cache.coverage(stationId, variable, mode).final, [request.range]).some((range) => {
      let i = 0;
      for (const runs of cache.times({ stationId, variables: [variable], range, ...mode })) {
        for (const block of expandRuns(runs, BLOCK)) {
          for (const timeMs of block) {
            while (i < timesMs.length && timesMs[i]! < timeMs) i++;
            if (timesMs[i] !== timeMs) return true;
          }
        }
      }
      return false;
    }),
  );
}

/** The stations of a job by id, as the catalogue described them before the request was sent. */
export type RequestedStations = ReadonlyMap<string, CatalogueStation>;

export interface StoredResponse extends CommitReport {
  readonly bodyBytes: number;
  /** The part that the response does not settle: its rows are stored, but it is requested again. Null if it settles all. */
  readonly doubt: Doubt | null;
}

/**
 * Sends one request and commits its response: rows and extents in one transaction, or nothing at all.
 *
 * @throws StoreError if the cache cannot be written; the response is then lost and the cache unchanged
 */
export async function attempt(
  session: Session,
  request: PlannedRequest,
  stations: RequestedStations,
  onProgress: (bodyBytes: number, rows: number) => void,
  signal: AbortSignal,
): Promise<Result<StoredResponse, ServiceError>> {
  const { intervalSeconds, raw, range, stationIds, variables } = request;
  const writer = session.cache.openResponse({ stationIds, variables, intervalSeconds, raw, range });
  // An exception must not pass through the reader of the body: it is thrown after the transfer has been stopped.
  const stop = new AbortController();
  const failures: unknown[] = [];
  const sentMs = session.clock.monotonicMs();
  const answer = await session.client.timeSeries(
    { stationIds, variables, intervalSeconds, raw, ...range },
    {
      onRows(block) {
        if (failures.length > 0) return;
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
  const { serverTimeMs, bodyBytes, irregularities } = answer.value;
  session.noteServerTime(serverTimeMs, sentMs);
  const time = session.time();
  const contents = writer.contents();
  const expected = (stationId: string): ExpectedRows => expectedOf(session.cache, request, stations.get(stationId));
  const expectedOfValues = ({ stationId, valued }: StationContents): ExpectedRows => {
    const variables = request.variables.filter((variable) => valued.has(variable));
    return expectedOf(session.cache, { ...request, variables }, stations.get(stationId));
  };
  const why =
    findWrongTimes(contents.stations, expected) ??
    (intervalSeconds === null ? null : findWrongMeans(contents.stations, intervalSeconds, expectedOfValues));
  if (why !== null) {
    writer.abandon();
    return failure(serviceError("unusable", `The service's answer cannot be used: ${why}.`));
  }
  const doubt = findDoubt(contents, answer.value, {
    expectedOf: expected,
    isContradicted: ({ stationId, timesMs }) =>
      raw && lacksFilteredRows(session.cache, { ...request, stationId }, timesMs()),
  });
  const inDoubt = new Set(doubt?.stationIds);
  const finalUntilMs = (stationId: string): UtcMs =>
    finalUntil({
      dataLastUpdatedMs: stations.get(stationId)?.dataLastUpdatedMs ?? null,
      serverTimeMs: time.earliestMs,
      settlingMs: session.settlingMarginMs,
      intervalSeconds,
    });
  const absent = new Map(
    contents.stations.map(({ stationId, valued }) => [
      stationId,
      absentVariables(session.cache, stations.get(stationId), request, valued),
    ]),
  );
  const absentFor = (stationId: string): readonly Variable[] => absent.get(stationId) ?? [];
  const report = writer.commit({
    fetchedAtMs: time.nowMs,
    finalUntilMs,
    isDoubtful: (stationId) => inDoubt.has(stationId),
    keepsRows: (stationId) =>
      absentFor(stationId).some((variable) => hasValues(session.cache, { ...request, stationId, variable }, range)),
    coverage: (stationId, variable) =>
      absentFor(stationId).includes(variable)
        ? unconfirmedCoverage(session, { ...request, stationId, variable }, range, finalUntilMs(stationId), time.nowMs)
        : null,
  });
  session.noteCommit(stationIds);
  return success({
    ...report,
    irregularities: sumIrregularities([report.irregularities, irregularities]),
    bodyBytes,
    doubt,
  });
}

/** Variables of a station without a value in the response, although the catalogue says that it has data at that time. */
function absentVariables(
  cache: CacheReader,
  station: CatalogueStation | undefined,
  request: PlannedRequest,
  valued: ReadonlySet<Variable>,
): Variable[] {
  if (!station) return [];
  const without = request.variables.filter((variable) => !valued.has(variable));
  return without.filter((variable) => expectedDataRange(cache, station, variable, request) !== null);
}

/** The rows that a station should have, up to the newest measurement in the catalogue. */
function expectedOf(
  cache: CacheReader,
  { range, intervalSeconds, variables }: PlannedRequest,
  station: CatalogueStation | undefined,
): ExpectedRows {
  const source = epochSource(cache, station ?? null);
  const step = Math.min(...variables.map((variable) => stepSeconds(source, variable, intervalSeconds)));
  const endMs = Math.min(range.endMs, (station?.dataLastUpdatedMs ?? Infinity) + step * 1_000);
  return { range: { startMs: range.startMs, endMs: Math.max(range.startMs, endMs) }, stepSeconds: step };
}
