import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Catalogue, CatalogueStation } from "#shared/service/catalogue.ts";
import type { Db } from "../database/database.ts";
import type { BucketTable } from "./buckets.ts";
import { checksum } from "./keys.ts";

const NONE: Catalogue = { stations: [], withdrawn: [], networks: [], fetchedAtMs: null };

/** The catalogue: one row of compressed JSON with its checksum. A damaged one counts as never fetched, and is requested again. */
export function catalogueTable(db: Db, buckets: Pick<BucketTable, "keysOf">) {
  const sum = db.prepare<[], number>("SELECT checksum FROM catalogue").pluck();
  const content = db.prepare<[], Uint8Array>("SELECT content FROM catalogue").pluck();
  const insert = db.prepare<[number, Uint8Array]>("INSERT OR REPLACE INTO catalogue VALUES (1, ?, ?)");
  const isCached = (id: string): boolean => buckets.keysOf(id).length > 0;
  let knownSum: number | undefined;
  let catalogue = NONE;
  let byId = new Map<string, CatalogueStation>();

  /** Returns the whole catalogue, which is parsed once; withdrawn stations also without data. */
  const current = (): Catalogue => {
    const stored = sum.get();
    if (stored === knownSum) return catalogue;
    const packed = content.get();
    const isIntact = packed instanceof Uint8Array && checksum([], packed) === stored;
    catalogue = isIntact ? (JSON.parse(zstdDecompressSync(packed).toString()) as Catalogue) : NONE;
    byId = new Map([...catalogue.withdrawn, ...catalogue.stations].map((station) => [station.id, station]));
    knownSum = stored;
    return catalogue;
  };
  return {
    read(): Catalogue {
      const { withdrawn, ...rest } = current();
      return { ...rest, withdrawn: withdrawn.filter(({ id }) => isCached(id)) };
    },
    find(stationId: string): CatalogueStation | null {
      current();
      return byId.get(stationId) ?? null;
    },
    /**
     * Replaces the whole catalogue. Must run inside a transaction. Stations that it no longer lists are kept as withdrawn
     * if the cache has data of them.
     */
    replace({ stations, withdrawn, networks, fetchedAtMs }: Catalogue): void {
      const ids = new Set([...stations, ...withdrawn].map(({ id }) => id));
      const before = current();
      const gone = [...before.withdrawn, ...before.stations].filter(({ id }) => !ids.has(id) && isCached(id));
      const replaced: Catalogue = { stations, withdrawn: [...gone, ...withdrawn], networks, fetchedAtMs };
      const packed = zstdCompressSync(JSON.stringify(replaced));
      insert.run(checksum([], packed), packed);
    },
  };
}
