import type { Result, ServiceError } from "#shared/service/error.ts";
import { success } from "#shared/service/error.ts";
import { addAnomaly, type Anomaly, type AnomalyCounts } from "#shared/series/rows.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { finalUntil } from "../planner/finality.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { AnswerReport } from "../store/types.ts";
import type { Session } from "./session.ts";

/** Latest measurement per station, as the catalogue told it before the request was sent. */
export type LatestData = ReadonlyMap<string, UtcMs | null>;

export interface Arrived extends AnswerReport {
  readonly bodyBytes: number;
}

/**
 * An answer in which rows or values were lost to the reader is kept, but never taken as final: what it lacks would be
 * a proven gap otherwise.
 */
const DOUBTS = ["countDisagrees", "unreadableTime", "unreadableValue"] as const satisfies readonly Anomaly[];

/**
 * Sends one request and commits its answer: rows and extents in one transaction, or nothing at all.
 *
 * @throws StoreError where the cache cannot be written; the answer is lost then, the cache as it was
 */
export async function attempt(
  session: Session,
  request: PlannedRequest,
  latest: LatestData,
  onArriving: (bodyBytes: number, rows: number) => void,
  signal: AbortSignal,
): Promise<Result<Arrived, ServiceError>> {
  const { intervalSeconds, raw, range, stationIds, variables } = request;
  const writer = session.cache.openAnswer({ stationIds, variables, intervalSeconds, raw, range });
  // An exception must not travel through the reader of the body: it is kept, and the transfer stopped.
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
    },
    AbortSignal.any([signal, stop.signal]),
  );
  if (broken !== null || !answer.ok) writer.abandon();
  if (broken !== null) throw (broken as { reason: unknown }).reason;
  if (!answer.ok) return answer;
  const { serverTimeMs, bodyBytes, anomalies } = answer.value;
  session.noteServerTime(serverTimeMs, sentMs);
  const time = session.time();
  const doubtful = DOUBTS.some((kind) => (anomalies[kind] ?? 0) > 0);
  const report = writer.commit({
    fetchedAtMs: time.nowMs,
    finalUntilMs: (stationId) =>
      doubtful
        ? -Infinity
        : finalUntil({
            dataLastUpdatedMs: latest.get(stationId) ?? null,
            serverTimeMs: time.earliestMs,
            settlingMs: session.settlingMarginMs,
            intervalSeconds,
          }),
  });
  session.noteCommit(stationIds);
  return success({ ...report, anomalies: sum(report.anomalies, anomalies), bodyBytes });
}

function sum(a: AnomalyCounts, b: AnomalyCounts): AnomalyCounts {
  const total = { ...a };
  for (const [kind, n] of Object.entries(b)) addAnomaly(total, kind as Anomaly, n);
  return total;
}
