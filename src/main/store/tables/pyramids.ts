import { defined } from "#shared/defined.ts";
import type { Pyramid } from "#shared/series/pyramid.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { type Db, foreignCommitsOf } from "../database/database.ts";
import { decodePyramids } from "../pyramid/pyramid.ts";
import { type BucketCache, type BucketValue, createBucketCache } from "../read/bucketCache.ts";
import {
  assertChecksum,
  bucketChecksums,
  checksum,
  type ChunkKey,
  OF_SERIES,
  type SeriesKey,
  valuesOfSeries,
} from "./keys.ts";
import { IN_VERIFIED_PERIODS, verifiedPeriods } from "./periodTotals.ts";
import type { RegisterTable } from "./register.ts";

/** Decoded data of series in memory, valid until the series is written, here or by another process. */
export interface ReadCache {
  pyramids(key: SeriesKey, buckets: TimeRange, load: Load<Pyramid>): readonly BucketValue<Pyramid>[];
  /** Times of the rows with a value, as output of `encodeRuns`. */
  valueTimes(key: SeriesKey, buckets: TimeRange, load: Load<Uint8Array>): readonly BucketValue<Uint8Array>[];
  /** Must be called with every write. */
  forget(key: ChunkKey, variables: readonly Variable[]): void;
  clear(): void;
}

type Load<T> = (buckets: TimeRange) => BucketValue<T>[];

/** About 40 bytes each. */
const MAX_PYRAMID_BLOCKS = 1_000_000;
const MAX_TIME_BYTES = 16_000_000;
/** Memory of a short array besides its bytes. */
const ARRAY_BYTES = 200;

export function createReadCache(db: Db): ReadCache {
  const pyramids = createBucketCache<Pyramid>(MAX_PYRAMID_BLOCKS, ({ start, end }) => end - start);
  const valueTimes = createBucketCache<Uint8Array>(MAX_TIME_BYTES, (bytes) => bytes.length + ARRAY_BYTES);
  const versionOf = foreignCommitsOf(db);
  let knownVersion = versionOf();

  function readFrom<T>(
    memory: BucketCache<T>,
    key: SeriesKey,
    buckets: TimeRange,
    load: Load<T>,
  ): readonly BucketValue<T>[] {
    const version = versionOf();
    if (version !== knownVersion) {
      pyramids.clear();
      valueTimes.clear();
    }
    knownVersion = version;
    return memory.get(nameOf(key, key.variable), buckets, load);
  }

  return {
    clear() {
      pyramids.clear();
      valueTimes.clear();
    },
    pyramids: (key, buckets, load) => readFrom(pyramids, key, buckets, load),
    valueTimes: (key, buckets, load) => readFrom(valueTimes, key, buckets, load),
    forget(key, variables) {
      for (const variable of variables) {
        pyramids.forget(nameOf(key, variable));
        valueTimes.forget(nameOf(key, variable));
      }
    },
  };
}

function nameOf({ site, interval, raw }: Omit<SeriesKey, "variable">, variable: Variable): string {
  return `${site} ${variable} ${interval} ${raw}`;
}

/** The pyramids of series, by bucket. No method opens a transaction. */
export interface PyramidTable {
  /**
   * Reads pyramids. They are kept in memory until their series is written, here or by another process, and must not be
   * changed.
   */
  read(key: SeriesKey, buckets: TimeRange): readonly BucketValue<Pyramid>[];
  /**
   * @param encoded output of `encodePyramid`
   * @returns its checksum
   */
  write(key: SeriesKey, bucketMs: UtcMs, encoded: Uint8Array): number;
  /** Returns the stored checksum and whether it matches; null if there is no pyramid. */
  seal(key: SeriesKey, bucketMs: UtcMs): { readonly checksum: number; readonly fits: boolean } | null;
  remove(key: SeriesKey, bucketMs: UtcMs): void;
}

/** The pyramids of a range, joined, and for each its bucket, length in bytes and checksum. */
interface Joined {
  readonly data: Uint8Array | null;
  readonly heads: string | null;
}

export function pyramidTable(db: Db, readCache: ReadCache, register: RegisterTable): PyramidTable {
  // Returning a row for each bucket would take longer than all further work. Both lists have the same order.
  const joined = db.prepare<unknown[], Joined>(
    `SELECT CAST(group_concat(data, '') AS BLOB) AS data,
       group_concat(bucket_ms || ' ' || length(data) || ' ' || checksum) AS heads
     FROM (SELECT bucket_ms, data, checksum FROM pyramid
       WHERE ${OF_SERIES} AND ${IN_VERIFIED_PERIODS} ORDER BY bucket_ms)`,
  );
  const selectOne = db.prepare<unknown[], { readonly data: Uint8Array; readonly checksum: number }>(
    `SELECT data, checksum FROM pyramid WHERE ${OF_SERIES} AND bucket_ms = ?`,
  );
  const insert = db.prepare<unknown[]>("INSERT OR REPLACE INTO pyramid VALUES (?,?,?,?,?,?,?)");
  const deletePyramid = db.prepare<unknown[]>(`DELETE FROM pyramid WHERE ${OF_SERIES} AND bucket_ms = ?`);
  return {
    read: (key, buckets) =>
      readCache.pyramids(key, buckets, ({ startMs, endMs }) => {
        register.verifyPyramids(key, { startMs, endMs });
        const found = joined.get(
          ...valuesOfSeries(key),
          ...verifiedPeriods({ kind: "scalar", interval: key.interval }, { startMs, endMs }),
        );
        return !found || found.data === null || found.heads === null ? [] : pyramidsOf(key, found.data, found.heads);
      }),
    write(key, bucketMs, encoded) {
      const sum = checksum([...valuesOfSeries(key), bucketMs], encoded);
      insert.run(...valuesOfSeries(key), bucketMs, encoded, sum);
      return sum;
    },
    seal(key, bucketMs) {
      const row = selectOne.get(...valuesOfSeries(key), bucketMs);
      if (!row) return null;
      const isBlob = row.data instanceof Uint8Array;
      const fits = isBlob && row.checksum === checksum([...valuesOfSeries(key), bucketMs], row.data);
      return { checksum: row.checksum, fits };
    },
    remove: (key, bucketMs) => void deletePyramid.run(...valuesOfSeries(key), bucketMs),
  };
}

/** @throws DamagedData */
function pyramidsOf(key: SeriesKey, data: Uint8Array, heads: string): BucketValue<Pyramid>[] {
  const checksumOf = bucketChecksums(valuesOfSeries(key));
  const buckets: { readonly bucketMs: UtcMs; readonly length: number }[] = [];
  let at = 0;
  for (const head of heads.split(",")) {
    const [bucket = "", length = "", sum = ""] = head.split(" ");
    const end = at + Number(length);
    assertChecksum(Number(sum), checksumOf(bucket, data.subarray(at, end)));
    buckets.push({ bucketMs: Number(bucket), length: end - at });
    at = end;
  }
  const values = decodePyramids(
    data,
    buckets.map(({ length }) => length),
  );
  return buckets.map(({ bucketMs }, i) => ({ bucketMs, value: defined(values[i]) }));
}
