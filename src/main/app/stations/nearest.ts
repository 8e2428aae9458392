import type { NearestQuery } from "#shared/service/query.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { canonicalId } from "#shared/service/stationId.ts";
import type { NearestAnswer } from "#shared/service/nearest.ts";
import { withServerTime } from "../../sync/catalogue.ts";
import { withRetries } from "../../sync/withRetries.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { serviceFault } from "../../fault.ts";
import { type AppFault } from "#shared/fault.ts";

/** Requests the observation nearest to a time for each station. The answer is not cached. */
export async function nearest(
  { session, cache }: OpenConnection,
  query: NearestQuery,
  signal: AbortSignal,
): Promise<Result<NearestAnswer, AppFault>> {
  const answer = await withRetries(
    session,
    () => withServerTime(session, () => session.client.nearest(query, signal)),
    signal,
  );
  return answer.ok
    ? success(withCatalogueIds(answer.value, cache.catalogue().stations))
    : failure(serviceFault(answer.error));
}

/** Replaces station ids as spelled in the rows of the answer by the ids of the catalogue. */
function withCatalogueIds(answer: NearestAnswer, stations: readonly { readonly id: string }[]): NearestAnswer {
  const listed = new Map(stations.map(({ id }) => [canonicalId(id), id]));
  const idOf = (stationId: string): string => listed.get(canonicalId(stationId)) ?? stationId;
  return {
    ...answer,
    rows: answer.rows.map((row) => ({ ...row, stationId: idOf(row.stationId) })),
    missingStationIds: answer.missingStationIds.map(idOf),
  };
}
