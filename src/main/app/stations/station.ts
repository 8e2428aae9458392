import { type AppFault, usageFault } from "#shared/fault.ts";
import type { CatalogueStation, HeightReference } from "#shared/service/catalogue.ts";
import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import { serviceFault } from "../../fault.ts";
import { joinHeights, timed } from "../../sync/catalogue.ts";
import { withRetries } from "../../sync/withRetries.ts";
import type { OpenConnection } from "../connections/connections.ts";

/** One station straight from the service, with its height in both references. The kept catalogue stays as it is. */
export async function station(
  { session }: OpenConnection,
  id: string,
  signal: AbortSignal,
): Promise<Result<CatalogueStation, AppFault>> {
  const inReference = (reference: HeightReference) =>
    withRetries(session, () => timed(session, () => session.client.station(id, reference, signal)), signal);
  const ellipsoidal = await inReference("WGS84_ELLIPSOID");
  if (!ellipsoidal.ok) return failure(stationFault(id, ellipsoidal.error));
  const orthometric = await inReference("EGM2008");
  if (!orthometric.ok) return failure(stationFault(id, orthometric.error));
  const { serverTimeMs: _, ...found } = ellipsoidal.value;
  return success(joinHeights([found], [orthometric.value])[0]!);
}

function stationFault(id: string, error: ServiceError): AppFault {
  if (error.kind !== "notFound") return serviceFault(error);
  return usageFault(`There is no station “${id}” for this key. ${error.message}`);
}
