import { failure, type Result, success } from "#shared/service/error.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ServiceClient } from "../../client/types.ts";
import { serviceFault } from "../../fault.ts";
import { refreshCatalogue } from "../../sync/catalogue.ts";
import type { OpenConnection } from "./openConnections.ts";
import { askedAgain } from "./askedAgain.ts";
import { heldIds, type Kinship, kinship } from "./organization.ts";

/**
 * Whose a new key is, by what it shows; see `kinship`. Not being able to ask is no answer. Where it is good, the
 * catalogue is at once that of the new key: what it may not see is not even named any more.
 *
 * @param client asks with the new key
 */
export async function kinshipOfKey(
  { cache, session }: OpenConnection,
  client: ServiceClient,
  signal: AbortSignal,
): Promise<Result<Kinship, AppFault>> {
  const kept = cache.catalogue();
  const { clock } = session;
  const stations = await askedAgain(() => client.allStations({}, signal), signal, clock);
  if (!stations.ok) return failure(serviceFault(stations.error));
  // A cache without a catalogue has no rows either: there is nothing that could mix.
  if (kept.fetchedAtMs === null) return success("same");
  const networks = await askedAgain(() => client.allNetworks(signal), signal, clock);
  if (!networks.ok) return failure(serviceFault(networks.error));
  const before = { stationIds: kept.stations.map((s) => s.id), networks: kept.networks };
  const seen = { stationIds: stations.value.items.map((s) => s.id), networks: networks.value.items };
  const found = kinship(before, heldIds(cache), seen);
  if (found !== "same") return success(found);
  const fresh = await refreshCatalogue({ ...session, client }, signal);
  return fresh.ok ? success(found) : failure(serviceFault(fresh.error));
}
