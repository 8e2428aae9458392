import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { type BucketCache, createBucketCache, type BucketValue } from "../read/bucketCache.ts";
import type { Db } from "../database/database.ts";
import type { Pyramid } from "#shared/series/pyramid.ts";
import type { ChunkKey, SeriesKey } from "./keys.ts";

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
  // Changes with every commit of another connection to the file, and stays within a transaction.
  const dataVersion = db.prepare<[], number>("PRAGMA data_version").pluck();
  let knownVersion = dataVersion.get();

  function readFrom<T>(
    memory: BucketCache<T>,
    key: SeriesKey,
    buckets: TimeRange,
    load: Load<T>,
  ): readonly BucketValue<T>[] {
    const version = dataVersion.get();
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
