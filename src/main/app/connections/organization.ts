import { type Network, stationLabels } from "#shared/service/catalogue.ts";
import { firstNames } from "#shared/text.ts";
import type { CacheReader } from "../../store/index.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { ServiceClient } from "../../client/types.ts";
import { serviceFault } from "../../fault.ts";
import { refreshCatalogue } from "../../sync/catalogue.ts";
import type { OpenConnection } from "./openConnections.ts";
import { firstContact } from "./contact.ts";

/** Stations and networks that a key can see. */
export interface VisibleData {
  readonly stationIds: readonly string[];
  readonly networks: readonly Pick<Network, "id" | "isOwner">[];
}

/**
 * - same: the new key can see everything that is cached, or network ownership proves the same organization
 * - other: the key belongs to another organization
 * - unsure: most stations are the same, but the key cannot see some that have cached data
 */
type OrganizationMatch = "same" | "other" | "unsure";

/** A key that sees a smaller fraction of the known stations belongs to another organization. */
const MIN_SHARED_FRACTION = 0.5;

/**
 * Whether data cached with one key may be shown with another. Organizations must not see each other's data, but an
 * organization's stations change over time. A key that can see every station with cached data is accepted, whoever it
 * belongs to. Otherwise ownership decides: a network has one owner, so a key that owns one of the networks belongs to the
 * same organization even if stations have left it.
 *
 * @param cachedIds stations with cached data
 */
export function compareOrganizations(
  kept: VisibleData,
  cachedIds: readonly string[],
  seen: VisibleData,
): OrganizationMatch {
  const [before, after] = [owned(kept), owned(seen)];
  if (before.size > 0 && after.size > 0) return [...before].some((id) => after.has(id)) ? "same" : "other";
  const visible = new Set(seen.stationIds);
  const shared = kept.stationIds.filter((id) => visible.has(id)).length;
  if (shared < MIN_SHARED_FRACTION * kept.stationIds.length) return "other";
  return cachedIds.every((id) => visible.has(id)) ? "same" : "unsure";
}

function owned({ networks }: VisibleData): Set<string> {
  return new Set(networks.filter((n) => n.isOwner).map((n) => n.id));
}

/** Stations with cached rows or extents. */
function cachedStationIds(cache: Pick<CacheReader, "sizes">): string[] {
  return cache
    .sizes()
    .filter(({ totalBytes, asked }) => totalBytes > 0 || asked !== null)
    .map(({ stationId }) => stationId);
}

const MAX_NAMES = 3;

/** Explains why a key was not accepted for a connection, and what to do. @param lacked names of the stations it cannot see */
function otherOrganizationSentence(
  name: string,
  found: Exclude<OrganizationMatch, "same">,
  lacked: readonly string[],
): string {
  return found === "other"
    ? `The stations of this key are not those in the cache of “${name}”. The key may belong to another organization, whose ` +
        "data must not mix with the cached data. Nothing was changed. Add a connection of another name for this key, or remove this one first."
    : `This key shows most stations of “${name}”, but not ${firstNames(lacked, MAX_NAMES)}, so its organization is unknown. ` +
        "Nothing was changed. If it is the same organization, whose station has closed, confirm that: in the form of the key, or with " +
        "“connect --same-organization”. Otherwise add a connection of another name for this key.";
}

/**
 * Determines whose key this is from the stations and networks it can see; see `compareOrganizations`. If it is accepted,
 * the catalogue becomes the one of the new key, so that stations it cannot see are no longer listed; their data stay.
 *
 * @param client uses the new key
 * @param isSame whether the user says that it is of the same organization; not believed of another one
 */
export async function acceptKey(
  { cache, session, record }: OpenConnection,
  client: ServiceClient,
  isSame: boolean,
  signal: AbortSignal,
): Promise<Result<null, AppFault>> {
  const kept = cache.catalogue();
  const waiting = { signal, clock: session.clock, patienceMs: session.patience.callMs };
  const stations = await firstContact(() => client.allStations({}, signal), waiting);
  if (!stations.ok) return failure(serviceFault(stations.error));
  // A cache without a catalogue has no rows that could be mixed.
  if (kept.fetchedAtMs === null) return success(null);
  const networks = await firstContact(() => client.allNetworks(signal), waiting);
  if (!networks.ok) return failure(serviceFault(networks.error));
  const before = { stationIds: kept.stations.map((s) => s.id), networks: kept.networks };
  const seen = { stationIds: stations.value.items.map((s) => s.id), networks: networks.value.items };
  const cachedIds = cachedStationIds(cache);
  const found = compareOrganizations(before, cachedIds, seen);
  if (found === "other" || (found === "unsure" && !isSame)) {
    const names = stationLabels(kept);
    const lackedIds = cachedIds.filter((id) => !seen.stationIds.includes(id));
    const lacked = lackedIds.map((id) => names.get(id) ?? id);
    return usageFailure(otherOrganizationSentence(record.name, found, lacked));
  }
  session.profile.allow(null);
  const fresh = await refreshCatalogue({ ...session, client }, signal);
  return fresh.ok ? success(null) : failure(serviceFault(fresh.error));
}
