import type { HeightReference, Station } from "#shared/service/catalogue.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { Catalogue, CatalogueStation } from "#shared/service/catalogue.ts";
import { canonicalId } from "#shared/service/stationId.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { withRetries } from "./withRetries.ts";
import type { Session } from "./session.ts";

/** A catalogue this young may decide what is final: it can only err on the safe side. */
export const CATALOGUE_AGE_MS = 60_000;

/**
 * Fetches all stations, in both height references, and all networks, and stores them. On failure the stored catalogue
 * remains unchanged.
 *
 * @param patienceMs how long an outage may last; by default, as long as a waiting person accepts
 */
export async function refreshCatalogue(
  session: Session,
  signal: AbortSignal,
  patienceMs?: number,
): Promise<Result<Catalogue>> {
  const { client, cache } = session;
  const ask = <T extends { readonly serverTimeMs: UtcMs | null }>(call: () => Promise<Result<T>>) =>
    withRetries(session, () => timed(session, call), signal, patienceMs);
  const stationsIn = (heightReference: HeightReference) => ask(() => client.allStations({ heightReference }, signal));
  const ellipsoidal = await stationsIn("WGS84_ELLIPSOID");
  if (!ellipsoidal.ok) return ellipsoidal;
  const orthometric = await stationsIn("EGM2008");
  if (!orthometric.ok) return orthometric;
  const networks = await ask(() => client.allNetworks(signal));
  if (!networks.ok) return networks;
  const stations = asKnown(joinHeights(ellipsoidal.value.items, orthometric.value.items), cache.catalogue());
  cache.replaceCatalogue(stations, networks.value.items, session.serverNowMs());
  session.noteCatalogue(ellipsoidal.value.remark ?? orthometric.value.remark ?? networks.value.remark);
  return success({ ...cache.catalogue(), remark: session.catalogueRemark() });
}

/** Makes a request, and gives the `Date` of its response to the service clock. */
export async function timed<T extends { readonly serverTimeMs: UtcMs | null }>(
  session: Session,
  call: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const sentMs = session.clock.monotonicMs();
  const answer = await call();
  if (answer.ok) session.noteServerTime(answer.value.serverTimeMs, sentMs);
  return answer;
}

/** The stored catalogue if it is young enough, otherwise a new one. */
export async function currentCatalogue(
  session: Session,
  maxAgeMs: number,
  signal: AbortSignal,
  patienceMs?: number,
): Promise<Result<Catalogue>> {
  const kept = session.cache.catalogue();
  if (kept.fetchedAtMs !== null && session.isYoung(kept.fetchedAtMs, maxAgeMs))
    return success({ ...kept, remark: session.catalogueRemark() });
  return refreshCatalogue(session, signal, patienceMs);
}

/**
 * The stations under their stored ids: if the service spells an id differently today, it means the same station, whose
 * cached data stay its own. Properties that the service leaves out today (name, begin and end of the measurements) keep
 * their stored values: a station that has sent data cannot become one that never did.
 */
export function asKnown(
  stations: readonly CatalogueStation[],
  kept: Pick<Catalogue, "stations" | "withdrawn">,
): readonly CatalogueStation[] {
  const known = new Map([...kept.withdrawn, ...kept.stations].map((station) => [canonicalId(station.id), station]));
  return stations.map((station) => {
    const before = known.get(canonicalId(station.id));
    if (before === undefined) return station;
    return {
      ...station,
      id: before.id,
      displayName: station.displayName || before.displayName,
      historicDataFromMs: station.historicDataFromMs ?? before.historicDataFromMs,
      dataLastUpdatedMs: station.dataLastUpdatedMs ?? before.dataLastUpdatedMs,
    };
  });
}

/** Merges the lists of both height references into one. */
export function joinHeights(ellipsoidal: readonly Station[], orthometric: readonly Station[]): CatalogueStation[] {
  const other = new Map(orthometric.map((s) => [canonicalId(s.id), s]));
  return ellipsoidal.map((station) => {
    // A service that ignores the parameter names the reference it used; its number is not taken for the other one.
    const pair = [station, other.get(canonicalId(station.id))];
    const heightIn = (reference: HeightReference): number | null =>
      pair.find((s) => s?.heightReference === reference)?.height ?? null;
    return { ...station, ellipsoidalHeight: heightIn("WGS84_ELLIPSOID"), orthometricHeight: heightIn("EGM2008") };
  });
}
