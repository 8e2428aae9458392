import type { Network } from "#shared/service/catalogue.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Db } from "../database.ts";
import type { Catalogue, CatalogueStation } from "#shared/service/catalogue.ts";

export interface CatalogueTable {
  read(): Catalogue;
  find(stationId: string): CatalogueStation | null;
  /**
   * The whole catalogue in one piece; only inside a transaction. A station that it does not list any more is kept where
   * the cache has something of it, and told as withdrawn.
   *
   * @param alsoWithdrawn stations that were so before, in a catalogue that comes from elsewhere
   */
  replace(
    stations: readonly CatalogueStation[],
    networks: readonly Network[],
    fetchedAtMs: UtcMs,
    alsoWithdrawn?: readonly CatalogueStation[],
  ): void;
}

/** Column of each field; the order of the catalogue is kept in `position`, negative for what is no longer in it. */
const STATION: Readonly<Record<keyof CatalogueStation, string>> = {
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

const IS_CACHED = "station_id IN (SELECT station_id FROM site)";

type NetworkRow = Omit<Network, "isOwner" | "isInternal"> & { isOwner: number; isInternal: number | null };

export function catalogueTable(db: Db): CatalogueTable {
  const stations = db.prepare<[], CatalogueStation>(select("station", STATION, "position >= 0"));
  const withdrawn = db.prepare<[], CatalogueStation>(select("station", STATION, `position < 0 AND ${IS_CACHED}`));
  const station = db.prepare<[string], CatalogueStation>(
    `SELECT ${listOf(STATION)} FROM station WHERE ${STATION.id} = ?`,
  );
  const networks = db.prepare<[], NetworkRow>(select("network", NETWORK));
  const fetched = db.prepare<[], number>("SELECT fetched_at_ms FROM catalogue").pluck();
  const putStation = db.prepare<unknown[]>(insert("station", STATION));
  const putNetwork = db.prepare<unknown[]>(insert("network", NETWORK));
  const putFetched = db.prepare<[number]>("INSERT OR REPLACE INTO catalogue VALUES (1, ?)");
  return {
    read: () => ({
      stations: stations.all(),
      withdrawn: withdrawn.all(),
      networks: networks.all().map((row) => ({
        ...row,
        isOwner: row.isOwner === 1,
        isInternal: row.isInternal === null ? null : row.isInternal === 1,
      })),
      fetchedAtMs: fetched.get() ?? null,
    }),
    find: (stationId) => station.get(stationId) ?? null,
    replace(newStations, newNetworks, fetchedAtMs, alsoWithdrawn = []) {
      db.exec("UPDATE station SET position = -1; DELETE FROM network");
      newStations.forEach((station, i) => putStation.run(i, ...fields(station, STATION)));
      newNetworks.forEach((network, i) => putNetwork.run(i, ...fields(network, NETWORK)));
      db.exec(`DELETE FROM station WHERE position < 0 AND NOT ${IS_CACHED}`);
      for (const station of alsoWithdrawn) putStation.run(-1, ...fields(station, STATION));
      putFetched.run(fetchedAtMs);
    },
  };
}

function select(table: string, columns: Readonly<Record<string, string>>, which = "TRUE"): string {
  return `SELECT ${listOf(columns)} FROM ${table} WHERE ${which} ORDER BY position, ${Object.values(columns)[0]}`;
}

function listOf(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([field, column]) => `${column} AS ${field}`)
    .join();
}

function insert(table: string, columns: Readonly<Record<string, string>>): string {
  const names = ["position", ...Object.values(columns)];
  return `INSERT OR REPLACE INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`;
}

function fields<T extends object>(item: T, columns: Readonly<Record<keyof T, string>>): unknown[] {
  return (Object.keys(columns) as (keyof T)[]).map((field) => {
    const value = item[field];
    return typeof value === "boolean" ? Number(value) : value;
  });
}
