import type { NearestQuery } from "#shared/service/query.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { NearestAnswer } from "#shared/service/nearest.ts";
import { withServerTime } from "../../sync/catalogue.ts";
import { judgeNearest } from "../../sync/nearestDoubts.ts";
import { withRetries } from "../../sync/withRetries.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { serviceFault } from "../../fault.ts";
import { type AppFault } from "#shared/fault.ts";

/**
 * Requests the observation nearest to a time for each station, and compares the response with the query. The answer is
 * not cached. Its station ids are those of the catalogue.
 */
export async function nearest(
  { session, cache }: OpenConnection,
  query: NearestQuery,
  signal: AbortSignal,
): Promise<Result<NearestAnswer, AppFault>> {
  const { stations } = cache.catalogue();
  const response = await withRetries(
    session,
    () => withServerTime(session, () => session.client.nearest(query, signal, stations)),
    signal,
  );
  if (!response.ok) return failure(serviceFault(response.error));
  const requested = query.stationIds === "all" ? stations.map(({ id }) => id) : query.stationIds;
  return success(judgeNearest(response.value, query, requested, session.serverNowMs()));
}
