import type { NearestQuery } from "#shared/service/query.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { canonicalId } from "#shared/service/stationId.ts";
import type { NearestAnswer } from "#shared/service/nearest.ts";
import { withServerTime } from "../../sync/catalogue.ts";
import { withRetries } from "../../sync/withRetries.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { serviceFault } from "../../fault.ts";
import { type AppFault } from "#shared/fault.ts";

/** The observation nearest to a moment, station by station, straight from the service. Nothing is kept. */
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
  return answer.ok ? success(asListed(answer.value, cache.catalogue().stations)) : failure(serviceFault(answer.error));
}

/** An answer about all stations names them as its rows spell them: here they have the ids of the catalogue. */
function asListed(answer: NearestAnswer, stations: readonly { readonly id: string }[]): NearestAnswer {
  const listed = new Map(stations.map(({ id }) => [canonicalId(id), id]));
  const idOf = (stationId: string): string => listed.get(canonicalId(stationId)) ?? stationId;
  return {
    ...answer,
    rows: answer.rows.map((row) => ({ ...row, stationId: idOf(row.stationId) })),
    missingStationIds: answer.missingStationIds.map(idOf),
  };
}
