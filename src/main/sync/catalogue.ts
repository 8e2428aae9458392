import type { Catalogue, CatalogueStation, HeightReference, Network, Station } from "#shared/service/catalogue.ts";
import { type Result, success } from "#shared/service/error.ts";
import { canonicalId } from "#shared/service/stationId.ts";
import { startOfDay, type UtcMs } from "#shared/time/utc.ts";
import { withRetries } from "./withRetries.ts";
import type { Session } from "./session.ts";

/** A catalogue of at most this age may decide what is final: it can only err on the safe side. */
export const MAX_CATALOGUE_AGE_MS = 60_000;

const EMPTY_LIST =
  "The service lists no station for this key, so the earlier list is kept. If your access has ended, ask the service's operator.";

/** A growing list is stored when it has grown by this factor, so that long lists are not written for each page. */
const GROWTH = 1.25;

/**
 * Fetches all stations, in both height references, and all networks, and stores them. Each page is a request of its own,
 * and a cache without a catalogue gets the stations as they are listed, with `fetchedAtMs: null` until the list is complete. On failure a complete catalogue remains unchanged; so it does if the service suddenly lists no station at all, which more likely is a fault.
 *
 * @param patienceMs how long an outage may last; by default, as long as a waiting user accepts
 * @param onlyNews whether the heights above the geoid and the networks, which rarely change, are fetched only by the
 *   first call of a day, or if a station, its height or its network is new
 * @throws StoreError if the cache can only be read
 */
export async function refreshCatalogue(
  session: Session,
  signal: AbortSignal,
  patienceMs?: number,
  onlyNews = false,
): Promise<Result<Catalogue>> {
  const { client, cache } = session;
  // Refused before anything is requested.
  cache.assertWritable();
  const request = <T extends { readonly serverTimeMs: UtcMs | null }>(call: () => Promise<Result<T>>) =>
    withRetries(session, () => withServerTime(session, call), signal, patienceMs);
  const listed = { WGS84_ELLIPSOID: new Map<string, Station>(), EGM2008: new Map<string, Station>() };
  let storedSize = 0;
  async function storeListed(): Promise<void> {
    const size = listed.WGS84_ELLIPSOID.size + listed.EGM2008.size;
    if (cache.catalogue().fetchedAtMs !== null || size < GROWTH * storedSize) return;
    storedSize = size;
    const stations = joinHeights([...listed.WGS84_ELLIPSOID.values()], [...listed.EGM2008.values()]);
    await session.writes.run(() => cache.replaceCatalogue(stations, [], null), signal);
    session.noteCatalogue(null);
  }
  const stationsIn = (heightReference: HeightReference) =>
    client.allStations({ heightReference }, signal, async (send) => {
      const page = await request(send);
      if (!page.ok) return page;
      for (const each of page.value.items) listed[heightReference].set(canonicalId(each.id), each);
      await storeListed();
      return page;
    });
  const ellipsoidal = await stationsIn("WGS84_ELLIPSOID");
  if (!ellipsoidal.ok) return ellipsoidal;
  const stored = cache.catalogue();
  const { items, remark } = ellipsoidal.value;
  if (items.length === 0 && stored.stations.length > 0) {
    session.noteCatalogue(EMPTY_LIST);
    return success({ ...stored, remark: session.catalogueRemark() });
  }
  const store = async (joined: readonly CatalogueStation[], networks: readonly Network[], found: string | null) => {
    const stations = withStoredProperties(joined, stored);
    await session.writes.run(() => cache.replaceCatalogue(stations, networks, session.serverNowMs()), signal);
    session.noteCatalogue(found);
    return success({ ...cache.catalogue(), remark: session.catalogueRemark() });
  };
  const { nowMs, disagreement } = session.time();
  // If the clocks disagree, a second response tells the time.
  const isToday =
    stored.fetchedAtMs !== null && startOfDay(stored.fetchedAtMs) === startOfDay(nowMs) && disagreement === null;
  const familiar = onlyNews && isToday ? withStoredHeights(items, stored) : null;
  if (familiar !== null) return store(familiar, stored.networks, remark);
  const orthometric = await stationsIn("EGM2008");
  if (!orthometric.ok) return orthometric;
  const networks = await client.allNetworks(signal, request);
  if (!networks.ok) return networks;
  const remarks = [remark, orthometric.value.remark, networks.value.remark];
  return store(joinHeights(items, orthometric.value.items), networks.value.items, remarks.find((one) => one) ?? null);
}

/**
 * Returns the stations of a list with their stored heights in both references; null if a station, its height or its network
 * is another than the stored one.
 */
function withStoredHeights(items: readonly Station[], stored: Catalogue): readonly CatalogueStation[] | null {
  const known = new Map(stored.stations.map((station) => [canonicalId(station.id), station]));
  const found = joinHeights(items, []).flatMap((station) => {
    const before = known.get(canonicalId(station.id));
    if (before === undefined || before.networkId !== station.networkId) return [];
    const { ellipsoidalHeight, orthometricHeight } = before;
    const isSame =
      station.ellipsoidalHeight === ellipsoidalHeight &&
      (station.orthometricHeight ?? orthometricHeight) === orthometricHeight;
    return isSame ? [{ ...station, ellipsoidalHeight, orthometricHeight }] : [];
  });
  return found.length === items.length ? found : null;
}

/** Sends a request, and passes the `Date` of its response to the service clock. */
export async function withServerTime<T extends { readonly serverTimeMs: UtcMs | null }>(
  session: Session,
  call: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const sentMs = session.clock.monotonicMs();
  const answer = await call();
  if (answer.ok) session.noteServerTime(answer.value.serverTimeMs, sentMs);
  return answer;
}

/** Returns the stored catalogue if it is not older than `maxAgeMs`, otherwise fetches a new one. */
export async function currentCatalogue(
  session: Session,
  maxAgeMs: number,
  signal: AbortSignal,
  patienceMs?: number,
): Promise<Result<Catalogue>> {
  const stored = session.cache.catalogue();
  const isEnough = session.cache.refusal !== null || session.isYoung(stored.fetchedAtMs ?? -Infinity, maxAgeMs);
  if (stored.fetchedAtMs !== null && isEnough) return success({ ...stored, remark: session.catalogueRemark() });
  return refreshCatalogue(session, signal, patienceMs, true);
}

/**
 * Returns the stations under their stored ids: if the service spells an id differently today, it means the same station,
 * with the same cached data. Properties that the service omits today (name, begin and end of the measurements) keep
 * their stored values: a station that has sent data cannot become one that never did.
 */
function withStoredProperties(
  stations: readonly CatalogueStation[],
  stored: Pick<Catalogue, "stations" | "withdrawn">,
): readonly CatalogueStation[] {
  const known = new Map([...stored.withdrawn, ...stored.stations].map((station) => [canonicalId(station.id), station]));
  return stations.map((station) => {
    const before = known.get(canonicalId(station.id));
    if (before === undefined) return station;
    return {
      ...station,
      id: before.id,
      displayName: station.displayName || before.displayName,
      historicDataFromMs: station.historicDataFromMs ?? before.historicDataFromMs,
      dataLastUpdatedMs: station.dataLastUpdatedMs ?? before.dataLastUpdatedMs,
      hasNeverSent: station.hasNeverSent && before.hasNeverSent,
    };
  });
}

/** Merges the lists of both height references into one. */
export function joinHeights(ellipsoidal: readonly Station[], orthometric: readonly Station[]): CatalogueStation[] {
  const other = new Map(orthometric.map((s) => [canonicalId(s.id), s]));
  return ellipsoidal.map((station) => {
    // A service that ignores the parameter names the reference it used; that height must not be used for the other one.
    const pair = [station, other.get(canonicalId(station.id))];
    const heightIn = (reference: HeightReference): number | null =>
      pair.find((s) => s?.heightReference === reference)?.height ?? null;
    return { ...station, ellipsoidalHeight: heightIn("WGS84_ELLIPSOID"), orthometricHeight: heightIn("EGM2008") };
  });
}
