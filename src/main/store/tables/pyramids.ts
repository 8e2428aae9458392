import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { OfBucket } from "../bucketMemory.ts";
import type { Db } from "../database.ts";
import { decodePyramid, type Pyramid } from "../pyramid.ts";
import { checksum, demand, OF_SERIES, type SeriesKey, valuesOfSeries } from "./keys.ts";
import type { Memories } from "./memories.ts";

/** The pyramids of series, bucket by bucket. Nothing here opens a transaction. */
export interface PyramidTable {
  /** Decoded ones are kept until their series is written to, here or by another process: they must not be changed. */
  read(key: SeriesKey, buckets: TimeRange): readonly OfBucket<Pyramid>[];
  /** @param encoded as `encodePyramid` wrote it */
  write(key: SeriesKey, bucketMs: UtcMs, encoded: Uint8Array): void;
  remove(key: SeriesKey, bucketMs: UtcMs): void;
}

interface PyramidRow {
  readonly bucketMs: number;
  readonly data: Uint8Array;
  readonly checksum: number;
}

export function pyramidTable(db: Db, memories: Memories): PyramidTable {
  const all = db.prepare<unknown[], PyramidRow>(
    `SELECT bucket_ms AS bucketMs, data, checksum FROM pyramid
     WHERE ${OF_SERIES} AND bucket_ms >= ? AND bucket_ms < ? ORDER BY bucket_ms`,
  );
  const insert = db.prepare<unknown[]>("INSERT OR REPLACE INTO pyramid VALUES (?,?,?,?,?,?,?)");
  const drop = db.prepare<unknown[]>(`DELETE FROM pyramid WHERE ${OF_SERIES} AND bucket_ms = ?`);
  return {
    read: (key, buckets) =>
      memories.pyramids(key, buckets, ({ startMs, endMs }) =>
        all.all(...valuesOfSeries(key), startMs, endMs).map((row) => {
          demand(row.checksum, checksumOf(key, row.bucketMs, row.data));
          return { bucketMs: row.bucketMs, value: decodePyramid(row.data) };
        }),
      ),
    write(key, bucketMs, encoded) {
      insert.run(...valuesOfSeries(key), bucketMs, encoded, checksumOf(key, bucketMs, encoded));
    },
    remove: (key, bucketMs) => void drop.run(...valuesOfSeries(key), bucketMs),
  };
}

function checksumOf(key: SeriesKey, bucketMs: UtcMs, encoded: Uint8Array): number {
  return checksum([...valuesOfSeries(key), bucketMs], encoded);
}
