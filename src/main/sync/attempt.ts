import type { Result, ServiceError } from "#shared/service/error.ts";
import { success } from "#shared/service/error.ts";
import { addAnomaly, type Anomaly, type AnomalyCounts } from "#shared/series/rows.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { stepSeconds } from "../analysis/step.ts";
import { bytesPerRow } from "../planner/ceilings.ts";
import { finalUntil } from "../planner/finality.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { CommitReport, CacheReader } from "../store/types.ts";
import { epochSourceOf } from "./cadence.ts";
import { type Doubt, doubtIn, type Expected } from "./doubts.ts";
import type { Session } from "./session.ts";
import { hasValues, silentCoverage, spokenRange } from "./silence.ts";

/** The stations of a job, as the catalogue described them before the request was sent. */
export type AskedStations = ReadonlyMap<string, CatalogueStation>;

export interface Arrived extends CommitReport {
  readonly bodyBytes: number;
  /** The part that the response does not settle. Its rows are stored but count for nothing: it is requested again. */
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
  stations: AskedStations,
  onArriving: (bodyBytes: number, rows: number) => void,
  signal: AbortSignal,
): Promise<Result<Arrived, ServiceError>> {
  const { intervalSeconds, raw, range, stationIds, variables } = request;
  const writer = session.cache.openResponse({ stationIds, variables, intervalSeconds, raw, range });
  // An exception must not pass through the reader of the body: it is kept, and the transfer is stopped.
  const stop = new AbortController();
  let broken: { readonly reason: unknown } | null = null;
  const sentMs = session.clock.monotonicMs();
  const answer = await session.client.timeSeries(
    { stationIds, variables, intervalSeconds, raw, ...range },
    {
      onRows(block) {
        if (broken) return;
        try {
          writer.add(block);
        } catch (reason) {
          broken = { reason };
          stop.abort();
        }
      },
      onProgress: onArriving,
      requestPoints: request.points,
      usualBytes: request.points * bytesPerRow(variables),
      names: stationIds.map((id) => stations.get(id) ?? { id }),
    },
    AbortSignal.any([signal, stop.signal]),
  );
  if (broken !== null || !answer.ok) writer.abandon();
  if (broken !== null) throw (broken as { reason: unknown }).reason;
  if (!answer.ok) return answer;
  const { serverTimeMs, bodyBytes, anomalies } = answer.value;
  session.noteServerTime(serverTimeMs, sentMs);
  const time = session.time();
  const contents = writer.contents();
  const doubt = doubtIn(contents, answer.value, (id) => expectedOf(session.cache, request, stations.get(id)));
  const inDoubt = new Set(doubt?.stationIds);
  const finalUntilMs = (stationId: string): UtcMs =>
    finalUntil({
      dataLastUpdatedMs: stations.get(stationId)?.dataLastUpdatedMs ?? null,
      serverTimeMs: time.earliestMs,
      settlingMs: session.settlingMarginMs,
      intervalSeconds,
    });
  const silent = new Map(
    contents.stations.map(({ stationId, valued }) => [
      stationId,
      silentVariables(session.cache, stations.get(stationId), request, valued),
    ]),
  );
  const silentOf = (stationId: string): readonly Variable[] => silent.get(stationId) ?? [];
  const report = writer.commit({
    fetchedAtMs: time.nowMs,
    finalUntilMs,
    isDoubtful: (stationId) => inDoubt.has(stationId),
    keepsRows: (stationId) =>
      silentOf(stationId).some((variable) => hasValues(session.cache, { ...request, stationId, variable }, range)),
    coverage: (stationId, variable) =>
      silentOf(stationId).includes(variable)
        ? silentCoverage(session, { ...request, stationId, variable }, range, finalUntilMs(stationId), time.nowMs)
        : null,
  });
  session.noteCommit(stationIds);
  return success({ ...report, anomalies: sum(report.anomalies, anomalies), bodyBytes, doubt });
}

/** Variables for which the response has no value of the station, although the catalogue says that it has data then. */
function silentVariables(
  cache: CacheReader,
  station: CatalogueStation | undefined,
  request: PlannedRequest,
  valued: ReadonlySet<Variable>,
): Variable[] {
  if (!station) return [];
  const without = request.variables.filter((variable) => !valued.has(variable));
  return without.filter((variable) => spokenRange(cache, station, variable, request) !== null);
}

/** What a station should have, up to the newest measurement in the catalogue. */
function expectedOf(
  cache: CacheReader,
  { range, intervalSeconds, variables }: PlannedRequest,
  station: CatalogueStation | undefined,
): Expected {
  const source = epochSourceOf(cache, station ?? null);
  const step = Math.min(...variables.map((variable) => stepSeconds(source, variable, intervalSeconds)));
  const endMs = Math.min(range.endMs, (station?.dataLastUpdatedMs ?? Infinity) + step * 1_000);
  return { range: { startMs: range.startMs, endMs: Math.max(range.startMs, endMs) }, stepSeconds: step };
}

function sum(a: AnomalyCounts, b: AnomalyCounts): AnomalyCounts {
  const total = { ...a };
  for (const [kind, n] of Object.entries(b)) addAnomaly(total, kind as Anomaly, n);
  return total;
}
