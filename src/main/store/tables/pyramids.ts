import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { OfBucket } from "../read/bucketMemory.ts";
import type { Db } from "../database/database.ts";
import { decodePyramids, type Pyramid } from "../pyramid/pyramid.ts";
import { bucketChecksums, checksum, demand, OF_SERIES, type SeriesKey, valuesOfSeries } from "./keys.ts";
import type { Caches } from "./caches.ts";
import { AMONG_VERIFIED, amongVerified, type RegisterTable } from "./register.ts";

/** The pyramids of series, bucket by bucket. Nothing here opens a transaction. */
export interface PyramidTable {
  /** Decoded ones are kept until their series is written to, here or by another process: they must not be changed. */
  read(key: SeriesKey, buckets: TimeRange): readonly OfBucket<Pyramid>[];
  /** @param encoded as `encodePyramid` wrote it @returns its checksum */
  write(key: SeriesKey, bucketMs: UtcMs, encoded: Uint8Array): number;
  /** Its checksum, and whether it fits; null where there is none. */
  seal(key: SeriesKey, bucketMs: UtcMs): { readonly checksum: number; readonly fits: boolean } | null;
  remove(key: SeriesKey, bucketMs: UtcMs): void;
}

/** The pyramids of a range, one after the other, and of each its bucket, its length in bytes and its checksum. */
interface Joined {
  readonly data: Uint8Array | null;
  readonly heads: string | null;
}

export function pyramidTable(db: Db, caches: Caches, register: RegisterTable): PyramidTable {
  // A row for each bucket would take longer than all that is done with them. In both lists the order is the same one.
  const joined = db.prepare<unknown[], Joined>(
    `SELECT CAST(group_concat(data, '') AS BLOB) AS data,
       group_concat(bucket_ms || ' ' || length(data) || ' ' || checksum) AS heads
     FROM (SELECT bucket_ms, data, checksum FROM pyramid
       WHERE ${OF_SERIES} AND ${AMONG_VERIFIED} ORDER BY bucket_ms)`,
  );
  const one = db.prepare<unknown[], { readonly data: Uint8Array; readonly checksum: number }>(
    `SELECT data, checksum FROM pyramid WHERE ${OF_SERIES} AND bucket_ms = ?`,
  );
  const insert = db.prepare<unknown[]>("INSERT OR REPLACE INTO pyramid VALUES (?,?,?,?,?,?,?)");
  const drop = db.prepare<unknown[]>(`DELETE FROM pyramid WHERE ${OF_SERIES} AND bucket_ms = ?`);
  return {
    read: (key, buckets) =>
      caches.pyramids(key, buckets, ({ startMs, endMs }) => {
        register.demandPyramids(key, { startMs, endMs });
        const { data, heads } = joined.get(
          ...valuesOfSeries(key),
          ...amongVerified({ kind: "scalar", interval: key.interval }, { startMs, endMs }),
        )!;
        return data === null || heads === null ? [] : pyramidsOf(key, data, heads);
      }),
    write(key, bucketMs, encoded) {
      const sum = checksum([...valuesOfSeries(key), bucketMs], encoded);
      insert.run(...valuesOfSeries(key), bucketMs, encoded, sum);
      return sum;
    },
    seal(key, bucketMs) {
      const row = one.get(...valuesOfSeries(key), bucketMs);
      if (!row) return null;
      const isBlob = row.data instanceof Uint8Array;
      const fits = isBlob && row.checksum === checksum([...valuesOfSeries(key), bucketMs], row.data);
      return { checksum: row.checksum, fits };
    },
    remove: (key, bucketMs) => void drop.run(...valuesOfSeries(key), bucketMs),
  };
}

/** @throws DamagedData */
function pyramidsOf(key: SeriesKey, data: Uint8Array, heads: string): OfBucket<Pyramid>[] {
  const checksumOf = bucketChecksums(valuesOfSeries(key));
  const buckets: UtcMs[] = [];
  const lengths: number[] = [];
  let at = 0;
  for (const head of heads.split(",")) {
    const [bucket = "", length = "", sum = ""] = head.split(" ");
    const end = at + Number(length);
    demand(Number(sum), checksumOf(bucket, data.subarray(at, end)));
    buckets.push(Number(bucket));
    lengths.push(end - at);
    at = end;
  }
  return decodePyramids(data, lengths).map((value, i) => ({ bucketMs: buckets[i]!, value }));
}
