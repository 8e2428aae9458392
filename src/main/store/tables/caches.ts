import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { type BucketMemory, bucketMemory, type OfBucket } from "../read/bucketMemory.ts";
import type { Db } from "../database/database.ts";
import type { Pyramid } from "../pyramid/pyramid.ts";
import type { ChunkKey, SeriesKey } from "./keys.ts";

/** What is kept in memory of series that were read: good until their series is written, here or by another process. */
export interface Caches {
  pyramids(key: SeriesKey, buckets: TimeRange, load: Load<Pyramid>): readonly OfBucket<Pyramid>[];
  /** Times of the rows that have a value, as `encodeRuns` writes them. */
  valueTimes(key: SeriesKey, buckets: TimeRange, load: Load<Uint8Array>): readonly OfBucket<Uint8Array>[];
  /** With every write. */
  forget(key: ChunkKey, variables: readonly Variable[]): void;
  clear(): void;
}

type Load<T> = (buckets: TimeRange) => OfBucket<T>[];

/** About 40 bytes each. */
const MOST_PYRAMID_BLOCKS = 1_000_000;
const MOST_TIME_BYTES = 16_000_000;
/** What a short array takes beside its bytes. */
const ARRAY_BYTES = 200;

export function caches(db: Db): Caches {
  const pyramids = bucketMemory<Pyramid>(MOST_PYRAMID_BLOCKS, ({ start, end }) => end - start);
  const valueTimes = bucketMemory<Uint8Array>(MOST_TIME_BYTES, (bytes) => bytes.length + ARRAY_BYTES);
  // Changes with every commit of another connection to the file, and stays within a transaction.
  const dataVersion = db.prepare<[], number>("PRAGMA data_version").pluck();
  let knownVersion = dataVersion.get();

  function from<T>(memory: BucketMemory<T>, key: SeriesKey, buckets: TimeRange, load: Load<T>): readonly OfBucket<T>[] {
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
    pyramids: (key, buckets, load) => from(pyramids, key, buckets, load),
    valueTimes: (key, buckets, load) => from(valueTimes, key, buckets, load),
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
