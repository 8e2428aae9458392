import type { Network } from "#shared/service/catalogue.ts";
import type { CacheReader } from "../../store/types.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ServiceClient } from "../../client/types.ts";
import { serviceFault } from "../../fault.ts";
import { refreshCatalogue } from "../../sync/catalogue.ts";
import type { OpenConnection } from "./openConnections.ts";
import { askedAgain } from "./connectivity.ts";

/** What a key shows of the service, or showed. */
export interface Sight {
  readonly stationIds: readonly string[];
  readonly networks: readonly Pick<Network, "id" | "isOwner">[];
}

/**
 * - same: everything that is cached may be seen with the new key, or ownership proves that it is the same organization
 * - other: the key of another organization
 * - unsure: most is the same, but of some stations with cached data the key shows nothing
 */
export type Kinship = "same" | "other" | "unsure";

/** Who shares less than this of the stations is somebody else. */
const LEAST_SHARE = 0.5;

/**
 * Whether what was cached with one key may go on under another. What one organization may see never shows under
 * another, and stations come and go within one. So a key is good where each station with cached data is open to it:
 * then nothing can show that it may not see, whosoever it is. Where it is not, only ownership tells: a network has one
 * owner, and a key that owns one of the networks is of the same organization even if stations have left it.
 *
 * @param heldIds stations of which anything is cached
 */
export function kinship(kept: Sight, heldIds: readonly string[], seen: Sight): Kinship {
  const [before, after] = [owned(kept), owned(seen)];
  if (before.size > 0 && after.size > 0) return [...before].some((id) => after.has(id)) ? "same" : "other";
  const visible = new Set(seen.stationIds);
  const shared = kept.stationIds.filter((id) => visible.has(id)).length;
  if (shared < LEAST_SHARE * kept.stationIds.length) return "other";
  return heldIds.every((id) => visible.has(id)) ? "same" : "unsure";
}

function owned({ networks }: Sight): Set<string> {
  return new Set(networks.filter((n) => n.isOwner).map((n) => n.id));
}

/** Stations of which anything is cached, be it only that they were asked. */
function heldIds(cache: Pick<CacheReader, "sizes">): string[] {
  return cache
    .sizes()
    .filter(({ totalBytes, asked }) => totalBytes > 0 || asked !== null)
    .map(({ stationId }) => stationId);
}

/** Why a key was not taken for a connection, and what can be done. */
export function strangerSentence(name: string, found: Exclude<Kinship, "same">): string {
  return found === "other"
    ? `This key shows other stations than the cache of “${name}” holds: it may be that of another organization, whose data ` +
        "must not mix with these. Nothing was changed. Add a connection of another name for this key, or remove this one first."
    : `This key shows most stations of “${name}”, but not all of those whose data is cached, and nothing tells whether it ` +
        "is of the same organization. Nothing was changed. Add a connection for this key; or forget what is cached of the " +
        "stations that are gone, and try again.";
}

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
