import type { Network } from "#shared/service/catalogue.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { type Db, foreignCommitsOf } from "../database/database.ts";
import type { Catalogue, CatalogueStation } from "#shared/service/catalogue.ts";
import type { BucketTable } from "./buckets.ts";
import { checksum } from "./keys.ts";

export interface CatalogueTable {
  read(): Catalogue;
  find(stationId: string): CatalogueStation | null;
  /**
   * Replaces the whole catalogue. Must run inside a transaction. Stations that it no longer lists are kept as withdrawn
   * if the cache has data of them.
   *
   * @param alsoWithdrawn withdrawn stations of a catalogue that was copied from another file
   */
  replace(
    stations: readonly CatalogueStation[],
    networks: readonly Network[],
    fetchedAtMs: UtcMs,
    alsoWithdrawn?: readonly CatalogueStation[],
  ): void;
  /** Removes damaged rows; the catalogue then counts as old. */
  reseal(): void;
}

/** Column of each field. `position` is the order in the catalogue, negative for withdrawn stations. */
const STATION: Readonly<Record<keyof Omit<CatalogueStation, "hasNeverSent">, string>> = {
  id: "station_id",
  displayName: "display_name",
  mountpoint: "mountpoint",
  sourceType: "source_type",
  historicDataFromMs: "historic_data_from_ms",
  resolutionSeconds: "resolution_seconds",
  locationAlias: "location_alias",
  countryCode: "country_code",
  latitudeDeg: "latitude_deg",
  longitudeDeg: "longitude_deg",
  height: "height",
  heightReference: "height_reference",
  ellipsoidalHeight: "ellipsoidal_height",
  orthometricHeight: "orthometric_height",
  dataLastUpdatedMs: "data_last_updated_ms",
  networkId: "network_id",
  networkCode: "network_code",
  createdAtMs: "created_at_ms",
  updatedAtMs: "updated_at_ms",
};

const NETWORK: Readonly<Record<keyof Network, string>> = {
  id: "network_id",
  code: "code",
  name: "name",
  isOwner: "is_owner",
  visibility: "visibility",
  isInternal: "is_internal",
  createdAtMs: "created_at_ms",
  updatedAtMs: "updated_at_ms",
};

/** Age at which a catalogue is fetched again wherever a current one matters. */
const OLD_MS = 30 * 86_400_000;

/**
 * Each row has the time of its catalogue, and the catalogue the sum of the checksums of its rows. Stations that are
 * damaged, or of an older catalogue, are left out, and the catalogue counts as old: it is requested again.
 */
export function catalogueTable(db: Db, buckets: Pick<BucketTable, "keysOf">): CatalogueTable {
  const stations = db.prepare<[], StoredStation>(`${select("station", STATION)} ORDER BY position, ${STATION.id}`);
  const isCached = (id: string): boolean => buckets.keysOf(id).length > 0;
  const station = db.prepare<[string], StoredStation>(`${select("station", STATION)} WHERE ${STATION.id} = ?`);
  const networks = db.prepare<[], StoredNetwork>(`${select("network", NETWORK)} ORDER BY position, ${NETWORK.id}`);
  const fetched = db.prepare<[], { fetchedAtMs: number; checksum: number }>(
    "SELECT fetched_at_ms AS fetchedAtMs, checksum FROM catalogue",
  );
  const insertStation = db.prepare<unknown[]>(insert("station", STATION));
  const insertNetwork = db.prepare<unknown[]>(insert("network", NETWORK));
  const insertFetched = db.prepare<[number, number]>("INSERT OR REPLACE INTO catalogue VALUES (1, ?, ?)");

  const sumOfRows = db
    .prepare<[], number>(
      "SELECT (SELECT coalesce(sum(checksum), 0) FROM station) + (SELECT coalesce(sum(checksum), 0) FROM network)",
    )
    .pluck();

  const foreignCommits = foreignCommitsOf(db);
  const totalChanges = db.prepare<[], number>("SELECT total_changes()").pluck();

  const write = (
    listed: readonly CatalogueStation[],
    withdrawn: readonly CatalogueStation[],
    ofNetworks: readonly Network[],
    fetchedAtMs: UtcMs,
  ): void => {
    db.exec("DELETE FROM station; DELETE FROM network");
    const insertRow =
      <T extends object>(statement: typeof insertStation, columns: Readonly<Record<keyof T, string>>) =>
      (item: T, position: number): void => {
        const values = fields(item, columns);
        const own = checksum([position, fetchedAtMs, ...values]);
        statement.run(position, fetchedAtMs, own, ...values);
      };
    listed.map(storedStation).forEach(insertRow(insertStation, STATION));
    for (const one of withdrawn) insertRow(insertStation, STATION)(storedStation(one), -1);
    ofNetworks.forEach(insertRow(insertNetwork, NETWORK));
    insertFetched.run(fetchedAtMs, checksum([fetchedAtMs, sumOfRows.get()]));
  };
  /** Returns the rows of the newest catalogue, and whether they are complete. */
  const readSound = () => {
    const all = { stations: stations.all(), networks: networks.all() };
    const ofStations = all.stations.filter((row) => isSound(row, STATION));
    const ofNetworks = all.networks.filter((row) => isSound(row, NETWORK));
    const newestMs = [...ofStations, ...ofNetworks].reduce((newest, row) => Math.max(newest, row.fetchedMs), -Infinity);
    const now = <T extends Sealed>(rows: readonly T[]): T[] => rows.filter((row) => row.fetchedMs === newestMs);
    const kept = { stations: now(ofStations), networks: now(ofNetworks) };
    const sum = [...kept.stations, ...kept.networks].reduce((total, row) => total + row.checksum, 0);
    const header = fetched.get();
    return {
      ...kept,
      newestMs,
      header,
      isWhole: header !== undefined && header.checksum === checksum([header.fetchedAtMs, sum]),
    };
  };

  let lastSum = { at: "", isRight: false };
  /**
   * Returns whether all rows are of the current catalogue. Their checksums are added up once after each change to the
   * file.
   */
  const isOfOneMoment = (): boolean => {
    const at = `${foreignCommits()} ${totalChanges.get()}`;
    if (lastSum.at !== at) {
      const header = fetched.get();
      lastSum = {
        at,
        isRight: header !== undefined && header.checksum === checksum([header.fetchedAtMs, sumOfRows.get()]),
      };
    }
    return lastSum.isRight;
  };

  return {
    read() {
      const { stations: rows, networks: ofNetworks, header, isWhole, newestMs } = readSound();
      return {
        stations: rows.filter(({ position }) => position >= 0).map(stationOf),
        withdrawn: rows.filter(({ position, id }) => position < 0 && isCached(id)).map(stationOf),
        networks: ofNetworks.map(networkOf),
        fetchedAtMs: header && isWhole ? header.fetchedAtMs : newestMs === -Infinity ? null : newestMs - OLD_MS,
      };
    },
    find(stationId) {
      const row = station.get(stationId);
      if (!row || !isSound(row, STATION)) return null;
      const ofNow = isOfOneMoment() ? row : readSound().stations.find(({ id }) => id === stationId);
      return ofNow ? stationOf(ofNow) : null;
    },
    replace(newStations, newNetworks, fetchedAtMs, alsoWithdrawn = []) {
      const ids = new Set([...newStations, ...alsoWithdrawn].map(({ id }) => id));
      const withdrawn = readSound()
        .stations.filter(({ id }) => !ids.has(id) && isCached(id))
        .map(stationOf);
      write(newStations, [...withdrawn, ...alsoWithdrawn], newNetworks, fetchedAtMs);
    },
    reseal() {
      const { stations: rows, networks: ofNetworks, isWhole } = readSound();
      const [first] = [...rows, ...ofNetworks];
      if (isWhole || !first) return;
      const [listed, withdrawn] = [rows.filter((row) => row.position >= 0), rows.filter((row) => row.position < 0)];
      write(listed.map(stationOf), withdrawn.map(stationOf), ofNetworks.map(networkOf), first.fetchedMs);
      db.exec("DELETE FROM catalogue");
    },
  };
}

interface Sealed {
  readonly position: number;
  readonly fetchedMs: UtcMs;
  readonly checksum: number;
}

type StationFields = Omit<CatalogueStation, "hasNeverSent">;
type StoredStation = StationFields & Sealed;
type StoredNetwork = Omit<Network, "isOwner" | "isInternal"> &
  Sealed & { readonly isOwner: number; readonly isInternal: number | null };

function isSound(row: Sealed & object, columns: Readonly<Record<string, string>>): boolean {
  return row.checksum === checksum([row.position, row.fetchedMs, ...fields(row, columns)]);
}

/** Stored as the first measurement of a station whose measurements are unknown. */
const UNKNOWN_MS = Number.MIN_SAFE_INTEGER;

function stationOf(row: StoredStation): CatalogueStation {
  const station = pick<StationFields>(row, STATION);
  const isUnknown = station.historicDataFromMs === UNKNOWN_MS;
  const historicDataFromMs = isUnknown ? null : station.historicDataFromMs;
  const hasNeverSent = !isUnknown && historicDataFromMs === null && station.dataLastUpdatedMs === null;
  return { ...station, historicDataFromMs, hasNeverSent };
}

function storedStation({ hasNeverSent, ...station }: CatalogueStation): StationFields {
  const { historicDataFromMs, dataLastUpdatedMs } = station;
  const isUnknown = !hasNeverSent && historicDataFromMs === null && dataLastUpdatedMs === null;
  return isUnknown ? { ...station, historicDataFromMs: UNKNOWN_MS } : station;
}

function networkOf(row: StoredNetwork): Network {
  const { isOwner, isInternal, ...rest } = pick<Omit<StoredNetwork, keyof Sealed>>(row, NETWORK);
  return { ...rest, isOwner: isOwner === 1, isInternal: isInternal === null ? null : isInternal === 1 };
}

/** Returns a row without its internal columns. */
function pick<T extends object>(row: T, columns: Readonly<Record<keyof T, string>>): T {
  const item: Partial<T> = {};
  for (const key of Object.keys(columns) as (keyof T)[]) item[key] = row[key];
  return item as T;
}

function select(table: string, columns: Readonly<Record<string, string>>): string {
  return `SELECT ${listOf(columns)}, position, fetched_at_ms AS fetchedMs, checksum FROM ${table}`;
}

function listOf(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([field, column]) => `${column} AS ${field}`)
    .join();
}

function insert(table: string, columns: Readonly<Record<string, string>>): string {
  const names = ["position", "fetched_at_ms", "checksum", ...Object.values(columns)];
  return `INSERT OR REPLACE INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`;
}

function fields<T extends object>(item: T, columns: Readonly<Record<string, string>>): unknown[] {
  return (Object.keys(columns) as (keyof T)[]).map((field) => {
    const value = item[field];
    // SQLite returns NaN as null.
    if (typeof value === "number" && Number.isNaN(value)) return null;
    return typeof value === "boolean" ? Number(value) : value;
  });
}
