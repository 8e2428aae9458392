import { statSync } from "node:fs";
import type { CacheStatistics } from "#shared/series/cacheStatistics.ts";
import type { Db } from "./database.ts";

export function statisticsOf(path: string, db: Db): CacheStatistics {
  const one = (sql: string): number => Number(db.prepare(sql).pluck().get() ?? 0);
  return {
    fileBytes: sizeOf(path) + sizeOf(`${path}-wal`),
    rows: one("SELECT sum(n) FROM chunk"),
    chunks: one("SELECT count(*) FROM chunk"),
    extents: one("SELECT count(*) FROM extent"),
    stations: one("SELECT count(*) FROM site"),
  };
}

/** Returns the size of a file in bytes, or 0. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
