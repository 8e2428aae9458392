import type { Network } from "#shared/service/catalogue.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Db } from "../database/database.ts";
import type { Catalogue, CatalogueStation } from "#shared/service/catalogue.ts";
import { checksum } from "./keys.ts";

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
  /** Drops what is damaged; the catalogue counts as old then. */
  reseal(): void;
  /** Gives all that is there the checksums of one catalogue, in a file of the form before, or of copied rows. */
  seal(): void;
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

/** So old that a catalogue is fetched anew wherever a fresh one matters. */
const OLD_MS = 30 * 86_400_000;

/**
 * Each row carries the time of the catalogue that it came with, and the catalogue what its rows add up to. A station that
 * is damaged, or of an older catalogue, is left out, and the catalogue counts as old: it is asked again.
 */
export function catalogueTable(db: Db): CatalogueTable {
  const stations = db.prepare<[], StoredStation>(`${select("station", STATION)} ORDER BY position, ${STATION.id}`);
  const cached = db.prepare<[], string>("SELECT station_id FROM site").pluck();
  const station = db.prepare<[string], StoredStation>(`${select("station", STATION)} WHERE ${STATION.id} = ?`);
  const networks = db.prepare<[], StoredNetwork>(`${select("network", NETWORK)} ORDER BY position, ${NETWORK.id}`);
  const fetched = db.prepare<[], { fetchedAtMs: number; checksum: number }>(
    "SELECT fetched_at_ms AS fetchedAtMs, checksum FROM catalogue",
  );
  const putStation = db.prepare<unknown[]>(insert("station", STATION));
  const putNetwork = db.prepare<unknown[]>(insert("network", NETWORK));
  const putFetched = db.prepare<[number, number]>("INSERT OR REPLACE INTO catalogue VALUES (1, ?, ?)");

  const sumOfRows = db
    .prepare<[], number>(
      "SELECT (SELECT coalesce(sum(checksum), 0) FROM station) + (SELECT coalesce(sum(checksum), 0) FROM network)",
    )
    .pluck();

  const dataVersion = db.prepare<[], number>("PRAGMA data_version").pluck();
  const totalChanges = db.prepare<[], number>("SELECT total_changes()").pluck();

  const write = (
    listed: readonly CatalogueStation[],
    withdrawn: readonly CatalogueStation[],
    ofNetworks: readonly Network[],
    fetchedAtMs: UtcMs,
  ): void => {
    db.exec("DELETE FROM station; DELETE FROM network");
    const put =
      <T extends object>(statement: typeof putStation, of: Readonly<Record<keyof T, string>>) =>
      (item: T, position: number): void => {
        const values = fields(item, of);
        const own = checksum([position, fetchedAtMs, ...values]);
        statement.run(position, fetchedAtMs, own, ...values);
      };
    listed.forEach(put(putStation, STATION));
    for (const one of withdrawn) put(putStation, STATION)(one, -1);
    ofNetworks.forEach(put(putNetwork, NETWORK));
    putFetched.run(fetchedAtMs, checksum([fetchedAtMs, sumOfRows.get()]));
  };
  /** All that is of one moment, and whether nothing else should be there. */
  const sound = () => {
    const all = { stations: stations.all(), networks: networks.all() };
    const ofStations = all.stations.filter((row) => isSound(row, STATION));
    const ofNetworks = all.networks.filter((row) => isSound(row, NETWORK));
    const newestMs = [...ofStations, ...ofNetworks].reduce((newest, row) => Math.max(newest, row.fetchedMs), -Infinity);
    const now = <T extends Sealed>(rows: readonly T[]): T[] => rows.filter((row) => row.fetchedMs === newestMs);
    const kept = { stations: now(ofStations), networks: now(ofNetworks) };
    const sum = [...kept.stations, ...kept.networks].reduce((total, row) => total + row.checksum, 0);
    const head = fetched.get();
    return {
      ...kept,
      newestMs,
      head,
      isWhole: head !== undefined && head.checksum === checksum([head.fetchedAtMs, sum]),
    };
  };

  let summed = { at: "", isRight: false };
  /** Whether all rows are of the catalogue that is named; they are added up once after each change to the file. */
  const isOfOneMoment = (): boolean => {
    const at = `${dataVersion.get()} ${totalChanges.get()}`;
    if (summed.at !== at) {
      const head = fetched.get();
      summed = { at, isRight: head !== undefined && head.checksum === checksum([head.fetchedAtMs, sumOfRows.get()]) };
    }
    return summed.isRight;
  };

  return {
    read() {
      const { stations: rows, networks: ofNetworks, head, isWhole, newestMs } = sound();
      const isCached = new Set(cached.all());
      return {
        stations: rows.filter(({ position }) => position >= 0).map(stationOf),
        withdrawn: rows.filter(({ position, id }) => position < 0 && isCached.has(id)).map(stationOf),
        networks: ofNetworks.map(networkOf),
        fetchedAtMs: head && isWhole ? head.fetchedAtMs : newestMs === -Infinity ? null : newestMs - OLD_MS,
      };
    },
    find(stationId) {
      const row = station.get(stationId);
      if (!row || !isSound(row, STATION)) return null;
      const ofNow = isOfOneMoment() ? row : sound().stations.find(({ id }) => id === stationId);
      return ofNow ? stationOf(ofNow) : null;
    },
    replace(newStations, newNetworks, fetchedAtMs, alsoWithdrawn = []) {
      const ids = new Set([...newStations, ...alsoWithdrawn].map(({ id }) => id));
      const isCached = new Set(cached.all());
      const gone = sound()
        .stations.filter(({ id }) => isCached.has(id) && !ids.has(id))
        .map(stationOf);
      write(newStations, [...gone, ...alsoWithdrawn], newNetworks, fetchedAtMs);
    },
    reseal() {
      const { stations: rows, networks: ofNetworks, isWhole } = sound();
      if (isWhole || (rows.length === 0 && ofNetworks.length === 0)) return;
      const [listed, gone] = [rows.filter((row) => row.position >= 0), rows.filter((row) => row.position < 0)];
      const fetchedMs = [...rows, ...ofNetworks][0]!.fetchedMs;
      write(listed.map(stationOf), gone.map(stationOf), ofNetworks.map(networkOf), fetchedMs);
      db.exec("DELETE FROM catalogue");
    },
    seal() {
      const head = fetched.get();
      if (!head) return;
      const rows = stations.all();
      const [listed, withdrawn] = [rows.filter((row) => row.position >= 0), rows.filter((row) => row.position < 0)];
      write(listed.map(stationOf), withdrawn.map(stationOf), networks.all().map(networkOf), head.fetchedAtMs);
    },
  };
}

interface Sealed {
  readonly position: number;
  readonly fetchedMs: UtcMs;
  readonly checksum: number;
}

type StoredStation = CatalogueStation & Sealed;
type StoredNetwork = Omit<Network, "isOwner" | "isInternal"> &
  Sealed & { readonly isOwner: number; readonly isInternal: number | null };

function isSound(row: Sealed & object, columns: Readonly<Record<string, string>>): boolean {
  return row.checksum === checksum([row.position, row.fetchedMs, ...fields(row, columns)]);
}

function stationOf(row: StoredStation): CatalogueStation {
  return pick<CatalogueStation>(row, STATION);
}

function networkOf(row: StoredNetwork): Network {
  const { isOwner, isInternal, ...rest } = pick<Omit<StoredNetwork, keyof Sealed>>(row, NETWORK);
  return { ...rest, isOwner: isOwner === 1, isInternal: isInternal === null ? null : isInternal === 1 };
}

/** A row without what is kept of it for its own sake. */
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
    // What is no number comes back as null.
    if (typeof value === "number" && Number.isNaN(value)) return null;
    return typeof value === "boolean" ? Number(value) : value;
  });
}
