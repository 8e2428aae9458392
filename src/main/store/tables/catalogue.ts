import type { Network } from "#shared/service/catalogue.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Db } from "../database.ts";
import type { Catalogue, CatalogueStation } from "#shared/service/catalogue.ts";

export interface CatalogueTable {
  read(): Catalogue;
  find(stationId: string): CatalogueStation | null;
  /** The whole catalogue in one piece; only inside a transaction. */
  replace(stations: readonly CatalogueStation[], networks: readonly Network[], fetchedAtMs: UtcMs): void;
}

/** Column of each field; the order of the catalogue is kept in `position`. */
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

type NetworkRow = Omit<Network, "isOwner" | "isInternal"> & { isOwner: number; isInternal: number | null };

export function catalogueTable(db: Db): CatalogueTable {
  const stations = db.prepare<[], CatalogueStation>(select("station", STATION));
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
      networks: networks.all().map((row) => ({
        ...row,
        isOwner: row.isOwner === 1,
        isInternal: row.isInternal === null ? null : row.isInternal === 1,
      })),
      fetchedAtMs: fetched.get() ?? null,
    }),
    find: (stationId) => station.get(stationId) ?? null,
    replace(newStations, newNetworks, fetchedAtMs) {
      db.exec("DELETE FROM station; DELETE FROM network");
      newStations.forEach((station, i) => putStation.run(i, ...fields(station, STATION)));
      newNetworks.forEach((network, i) => putNetwork.run(i, ...fields(network, NETWORK)));
      putFetched.run(fetchedAtMs);
    },
  };
}

function select(table: string, columns: Readonly<Record<string, string>>): string {
  return `SELECT ${listOf(columns)} FROM ${table} ORDER BY position`;
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
