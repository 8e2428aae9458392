import { defined } from "#shared/defined.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import type { CatalogueStation, HeightReference } from "#shared/service/catalogue.ts";
import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import type { NearestAnswer, NearestQuery } from "#shared/service/query.ts";
import type { NearestResponse } from "../../client/types.ts";
import { serviceFault } from "../../fault.ts";
import { joinHeights, withServerTime } from "../../sync/catalogue.ts";
import { judgeNearest } from "../../sync/nearestDoubts.ts";
import { withRetries } from "../../sync/withRetries.ts";
import type { OpenConnection } from "../connections/connections.ts";

/** Requests one station from the service, with its height in both references. Does not change the cached catalogue. */
export async function station(
  { session }: OpenConnection,
  id: string,
  signal: AbortSignal,
): Promise<Result<CatalogueStation, AppFault>> {
  const inReference = (reference: HeightReference) =>
    withRetries(session, () => withServerTime(session, () => session.client.station(id, reference, signal)), signal);
  const ellipsoidal = await inReference("WGS84_ELLIPSOID");
  if (!ellipsoidal.ok) return failure(stationFault(id, ellipsoidal.error));
  const orthometric = await inReference("EGM2008");
  if (!orthometric.ok) return failure(stationFault(id, orthometric.error));
  const { serverTimeMs: _, ...found } = ellipsoidal.value;
  const [joined] = joinHeights([found], [orthometric.value]);
  return success(defined(joined));
}

function stationFault(id: string, error: ServiceError): AppFault {
  if (error.kind !== "notFound") return serviceFault(error);
  return usageFault(`There is no station “${id}” for this key. ${error.message}`);
}

/**
 * Requests the observation nearest to a time for each station, and compares the response with the query. The answer is
 * not cached. Its station ids are those of the catalogue. A service refuses a whole list for one of its stations: then
 * all stations of the key are requested, and the answer tells which of the list are among them.
 */
export async function nearest(
  { session, cache }: OpenConnection,
  query: NearestQuery,
  signal: AbortSignal,
): Promise<Result<NearestAnswer, AppFault>> {
  const { stations } = cache.catalogue();
  const request = (stationIds: NearestQuery["stationIds"]) =>
    withRetries(
      session,
      () => withServerTime(session, () => session.client.nearest({ ...query, stationIds }, signal, stations)),
      signal,
    );
  const requested = query.stationIds === "all" ? stations.map(({ id }) => id) : query.stationIds;
  const judged = (response: NearestResponse) =>
    success(judgeNearest(response, query, requested, session.serverNowMs()));
  const response = await request(query.stationIds);
  if (response.ok) return judged(response.value);
  const isOfList = response.error.kind === "forbidden" && query.stationIds !== "all" && requested.length > 1;
  const all = isOfList ? await request("all") : response;
  const own = all.ok ? ofStations(all.value, new Set(requested)) : null;
  return own === null ? failure(serviceFault(response.error)) : judged(own);
}

/** The part of a response for all stations that is of these; null if it has none of them. */
function ofStations(response: NearestResponse, ids: ReadonlySet<string>): NearestResponse | null {
  const rows = response.rows.filter(({ stationId }) => ids.has(stationId));
  const isOwn = (id: string): boolean => ids.has(id);
  const timelessIds = response.timelessIds.filter(isOwn);
  const missingStationIds = response.missingStationIds.filter(isOwn);
  const seen = new Set([...rows.map(({ stationId }) => stationId), ...timelessIds, ...missingStationIds]);
  if (seen.size === 0) return null;
  const lackedIds = [...ids].filter((id) => !seen.has(id));
  return { ...response, rows, timelessIds, missingStationIds, lackedIds };
}
