import type { Catalogue, CatalogueStation, Network } from "#shared/service/catalogue.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { type Db, foreignCommitsOf } from "../database/database.ts";
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
  /** Removes damaged entries; the catalogue then counts as old. */
  reseal(): void;
}

/** Age at which a catalogue is fetched again wherever a current one matters. */
const OLD_MS = 30 * 86_400_000;
/** Position of withdrawn stations. */
const WITHDRAWN = -1;

type Kind = "station" | "network";

/** A stored station or network, as JSON. */
interface Entry {
  readonly kind: Kind;
  readonly id: string;
  /** In the list of the service. */
  readonly position: number;
  readonly fetchedMs: UtcMs;
  readonly content: string;
  readonly checksum: number;
}

/** The entries of the newest catalogue. */
interface Sound {
  readonly stations: readonly CatalogueStation[];
  readonly withdrawn: readonly CatalogueStation[];
  readonly networks: readonly Network[];
  /** -Infinity without any. */
  readonly newestMs: UtcMs;
  /** When the catalogue was fetched, if it is complete. */
  readonly fetchedAtMs: UtcMs | null;
}

const SELECT = "SELECT kind, id, position, fetched_at_ms AS fetchedMs, content, checksum FROM catalogue_entry";

/**
 * Each entry has the time of its catalogue, and the catalogue the sum of the checksums of its entries. Entries that are
 * damaged, or of an older catalogue, are left out, and the catalogue counts as old: it is requested again.
 */
export function catalogueTable(db: Db, buckets: Pick<BucketTable, "keysOf">): CatalogueTable {
  const all = db.prepare<[], Entry>(`${SELECT} ORDER BY position, id`);
  const station = db.prepare<[string], Entry>(`${SELECT} WHERE kind = 'station' AND id = ?`);
  const catalogue = db.prepare<[], { fetchedAtMs: number; checksum: number }>(
    "SELECT fetched_at_ms AS fetchedAtMs, checksum FROM catalogue",
  );
  const sumOfEntries = db.prepare<[], number>("SELECT coalesce(sum(checksum), 0) FROM catalogue_entry").pluck();
  const insertEntry = db.prepare<unknown[]>("INSERT OR REPLACE INTO catalogue_entry VALUES (?, ?, ?, ?, ?, ?)");
  const insertCatalogue = db.prepare<[number, number]>("INSERT OR REPLACE INTO catalogue VALUES (1, ?, ?)");
  const isCached = (id: string): boolean => buckets.keysOf(id).length > 0;

  const write = (
    stations: readonly CatalogueStation[],
    withdrawn: readonly CatalogueStation[],
    networks: readonly Network[],
    fetchedMs: UtcMs,
  ): void => {
    db.exec("DELETE FROM catalogue_entry");
    const insert = (kind: Kind, item: CatalogueStation | Network, position: number): void => {
      const entry = { kind, id: item.id, position, fetchedMs, content: JSON.stringify(item) };
      insertEntry.run(kind, item.id, position, fetchedMs, entry.content, checksumOf(entry));
    };
    for (const [i, one] of stations.entries()) insert("station", one, i);
    for (const one of withdrawn) insert("station", one, WITHDRAWN);
    for (const [i, one] of networks.entries()) insert("network", one, i);
    insertCatalogue.run(fetchedMs, checksum([fetchedMs, sumOfEntries.get()]));
  };

  /** Returns when the catalogue was fetched; null if its entries have another sum. */
  const fetchedAt = (sum: number | undefined): UtcMs | null => {
    const found = catalogue.get();
    return found && found.checksum === checksum([found.fetchedAtMs, sum]) ? found.fetchedAtMs : null;
  };
  const readSound = (): Sound => {
    const intact = all.all().filter((entry) => entry.checksum === checksumOf(entry));
    const newestMs = intact.reduce((newest, { fetchedMs }) => Math.max(newest, fetchedMs), -Infinity);
    const entries = intact.filter(({ fetchedMs }) => fetchedMs === newestMs);
    const contents = <T>(kind: Kind, isWithdrawn = false): T[] =>
      entries
        .filter((entry) => entry.kind === kind && entry.position < 0 === isWithdrawn)
        .map(({ content }) => JSON.parse(content) as T);
    return {
      stations: contents("station"),
      withdrawn: contents("station", true),
      networks: contents("network"),
      newestMs,
      fetchedAtMs: fetchedAt(entries.reduce((total, entry) => total + entry.checksum, 0)),
    };
  };

  const foreignCommits = foreignCommitsOf(db);
  const totalChanges = db.prepare<[], number>("SELECT total_changes()").pluck();
  let lastSum = { at: "", isRight: false };
  /** Returns whether all entries are of one catalogue. They are added up once after each change to the file. */
  const isOfOneMoment = (): boolean => {
    const at = `${foreignCommits()} ${totalChanges.get()}`;
    if (lastSum.at !== at) lastSum = { at, isRight: fetchedAt(sumOfEntries.get()) !== null };
    return lastSum.isRight;
  };

  return {
    read() {
      const { stations, withdrawn, networks, newestMs, fetchedAtMs } = readSound();
      return {
        stations,
        withdrawn: withdrawn.filter(({ id }) => isCached(id)),
        networks,
        fetchedAtMs: fetchedAtMs ?? (newestMs === -Infinity ? null : newestMs - OLD_MS),
      };
    },
    find(stationId) {
      const entry = station.get(stationId);
      if (!entry || entry.checksum !== checksumOf(entry)) return null;
      if (isOfOneMoment()) return JSON.parse(entry.content) as CatalogueStation;
      const { stations, withdrawn } = readSound();
      return [...stations, ...withdrawn].find(({ id }) => id === stationId) ?? null;
    },
    replace(stations, networks, fetchedAtMs, alsoWithdrawn = []) {
      const ids = new Set([...stations, ...alsoWithdrawn].map(({ id }) => id));
      const before = readSound();
      const gone = [...before.withdrawn, ...before.stations].filter(({ id }) => !ids.has(id) && isCached(id));
      write(stations, [...gone, ...alsoWithdrawn], networks, fetchedAtMs);
    },
    reseal() {
      const { stations, withdrawn, networks, newestMs, fetchedAtMs } = readSound();
      if (fetchedAtMs !== null || newestMs === -Infinity) return;
      write(stations, withdrawn, networks, newestMs);
      db.exec("DELETE FROM catalogue");
    },
  };
}

function checksumOf({ kind, id, position, fetchedMs, content }: Omit<Entry, "checksum">): number {
  return checksum([kind, id, position, fetchedMs, content]);
}
