import type { Pyramid } from "#shared/series/pyramid.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { type Db, foreignCommitsOf } from "../database/database.ts";
import { type BucketCache, type BucketValue, createBucketCache } from "../read/bucketCache.ts";
import type { BucketRow } from "./bucketRow.ts";
import { bucketsIn, type ChunkKey, keyText } from "./keys.ts";

/** Creates what is not in memory yet, for whole buckets. */
type Load<T> = (buckets: TimeRange) => readonly T[];

/** What is shown of all data of a key. */
export interface KeySummary {
  readonly bytes: Partial<Record<Variable, number>>;
  /** From the first to the last requested moment; null if nothing was requested. */
  readonly asked: TimeRange | null;
}

const MAX_ROW_BYTES = 48_000_000;
/** About 40 bytes each. */
const MAX_PYRAMID_BLOCKS = 1_000_000;
const MAX_TIME_BYTES = 16_000_000;
/** Memory of an object with a short array besides its bytes. */
const ARRAY_BYTES = 200;

/**
 * Verified and decoded data in memory, valid until they are written, here or by another process. `rows`, `pyramids` and
 * `valueTimes` return those of the buckets that a range touches, and load what they do not have.
 */
export function createReadCache(db: Db) {
  const rows = createBucketCache<BucketRow>(MAX_ROW_BYTES, ({ bytes }) => bytes + ARRAY_BYTES);
  const pyramids = createBucketCache<BucketValue<Pyramid>>(MAX_PYRAMID_BLOCKS, ({ value }) => value.end - value.start);
  const valueTimes = createBucketCache<BucketValue<Uint8Array>>(
    MAX_TIME_BYTES,
    ({ value }) => value.length + ARRAY_BYTES,
  );
  const summaries = new Map<string, KeySummary>();
  const versionOf = foreignCommitsOf(db);
  let knownVersion = versionOf();
  const clear = (): void => {
    for (const memory of [rows, pyramids, valueTimes, summaries]) memory.clear();
  };
  const forgetOld = (): void => {
    const version = versionOf();
    if (version !== knownVersion) clear();
    knownVersion = version;
  };
  /** Reads the values that are derived from one variable. */
  const readFrom =
    <T>(memory: BucketCache<BucketValue<T>>) =>
    (key: ChunkKey, variable: Variable, range: TimeRange, load: Load<BucketValue<T>>) => {
      forgetOld();
      return memory.get(`${keyText(key)} ${variable}`, bucketsIn(key, range), load);
    };
  return {
    rows(key: ChunkKey, range: TimeRange, load: Load<BucketRow>): readonly BucketRow[] {
      forgetOld();
      return rows.get(keyText(key), bucketsIn(key, range), load);
    },
    /** Must be called before many rows of a key are written. */
    forgetRows: rows.forget,
    /** Must be called with every write of a row; null: it was deleted. */
    replaceRow(name: string, bucketMs: UtcMs, row: BucketRow | null): void {
      rows.replace(name, bucketMs, row);
      summaries.delete(name);
    },
    pyramids: readFrom(pyramids),
    /** Times of the rows with a value, as output of `encodeRuns`. */
    valueTimes: readFrom(valueTimes),
    /** Returns the summary of a key; creates it if it is unknown. */
    summary(name: string, create: () => KeySummary): KeySummary {
      forgetOld();
      const known = summaries.get(name) ?? create();
      summaries.set(name, known);
      return known;
    },
    /** Must be called after every write of values. */
    forget(key: ChunkKey, variable: Variable): void {
      for (const memory of [pyramids, valueTimes]) memory.forget(`${keyText(key)} ${variable}`);
    },
    /** Must be called when a transaction is rolled back. */
    clear,
  };
}

export type ReadCache = ReturnType<typeof createReadCache>;
