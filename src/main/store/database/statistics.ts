import { statSync } from "node:fs";
import type { CacheStatistics } from "#shared/series/cache.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { type Db, queryNumber } from "./database.ts";

/** Returns the bytes of all pages in use, without freed pages. */
export function usedBytesOf(db: Db): number {
  const pragma = (name: string): number => Number(db.pragma(name, { simple: true }));
  return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
}

/**
 * Rows of one station and time count once, although their scalar and satellite values are in chunks of different kinds:
 * those of satellites count where a day (or a bucket of means) has more of them.
 */
const ROWS = `
  SELECT coalesce((SELECT sum(n) FROM bucket WHERE kind = 'scalar'), 0) + coalesce(sum(max(0, n - coalesce((
    SELECT n FROM bucket WHERE kind = 'scalar' AND interval_seconds = own.interval_seconds AND raw = own.raw
      AND station_id = own.station_id AND bucket_ms = own.day_ms
  ), 0))), 0)
  FROM (
    SELECT station_id, interval_seconds, raw, bucket_ms - bucket_ms % ${DAY_MS} AS day_ms, sum(n) AS n FROM bucket
    WHERE kind = 'satellite' AND n > 0 GROUP BY interval_seconds, raw, station_id, day_ms
  ) AS own`;

export function statisticsOf(path: string, db: Db): Omit<CacheStatistics, "newestMs"> {
  return {
    usedBytes: usedBytesOf(db),
    fileBytes: bytesOfFile(path) + bytesOfFile(`${path}-wal`),
    rows: queryNumber(db, ROWS),
    chunks: queryNumber(db, "SELECT count(*) FROM bucket WHERE n > 0"),
    stations: queryNumber(db, "SELECT count(DISTINCT station_id) FROM bucket"),
  };
}

/** Returns the size of a file in bytes, or 0. */
export function bytesOfFile(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
