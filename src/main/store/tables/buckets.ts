import type { VariableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { type BucketContent, type BucketRow, decodeBucketRows, encodeBucketRow } from "./bucketRow.ts";
import { type ChunkKey, type ModeKey, keyText, OF_KEY, keyValues } from "./keys.ts";
import type { ReadCache } from "./readCache.ts";

type Mode = Omit<ChunkKey, "stationId">;

/** The keys with buckets. */
function keysIn(db: Db) {
  // A blob follows every text: the search begins after the last station of a mode, instead of reading all its rows.
  const nextMode = db.prepare<unknown[], Mode>(
    `SELECT kind, interval_seconds AS interval, raw FROM bucket
     WHERE (kind, interval_seconds, raw, station_id) > (?, ?, ?, x'') LIMIT 1`,
  );
  const nextStation = db
    .prepare<unknown[], string>(
      `SELECT station_id FROM bucket WHERE kind = ? AND interval_seconds = ? AND raw = ? AND station_id > ? LIMIT 1`,
    )
    .pluck();
  const bounds = db.prepare<unknown[], { readonly startMs: number | null; readonly endMs: number | null }>(
    `SELECT (SELECT bucket_ms FROM bucket WHERE ${OF_KEY} ORDER BY bucket_ms LIMIT 1) AS startMs,
       (SELECT bucket_ms FROM bucket WHERE ${OF_KEY} ORDER BY bucket_ms DESC LIMIT 1) AS endMs`,
  );

  function* modes(): Generator<Mode> {
    let mode: Mode | undefined = { kind: "" as VariableKind, interval: 0, raw: 0 };
    while ((mode = nextMode.get(mode.kind, mode.interval, mode.raw))) {
      if (mode.kind !== "scalar" && mode.kind !== "satellite") throw new DamagedData("a bucket of an unknown kind");
      yield mode;
    }
  }
  const keys = (only?: ModeKey): ChunkKey[] =>
    [...modes()].flatMap((mode) => {
      if (only && (only.interval !== mode.interval || only.raw !== mode.raw)) return [];
      const found: ChunkKey[] = [];
      for (let id: string | undefined = ""; (id = nextStation.get(mode.kind, mode.interval, mode.raw, id));)
        found.push({ ...mode, stationId: id });
      return found;
    });
  const last = db
    .prepare<unknown[], UtcMs>(`SELECT bucket_ms FROM bucket WHERE ${OF_KEY} AND n > 0 ORDER BY bucket_ms DESC LIMIT 1`)
    .pluck();
  const hull = (key: ChunkKey): TimeRange | null => {
    const found = bounds.get(...keyValues(key), ...keyValues(key));
    return found && found.startMs !== null && found.endMs !== null
      ? { startMs: found.startMs, endMs: found.endMs }
      : null;
  };
  return {
    /** Returns all keys with any bucket, of one mode or of all, in order of the stations. */
    keys,
    keysOf: (stationId: string): ChunkKey[] =>
      [...modes()].map((mode) => ({ ...mode, stationId })).filter((key) => hull(key) !== null),
    /** Returns the start of the first and of the last bucket of a key; null without any. */
    hull,
    /** Returns the start of the last bucket of a key with rows; null without any. */
    lastWithRows: (key: ChunkKey): UtcMs | null => last.get(...keyValues(key)) ?? null,
  };
}

/**
 * The bucket rows: all that a cache knows of each bucket of time. A row is read whole or not at all, and verified when
 * it is read. No method opens a transaction.
 */
export function bucketTable(db: Db, cache: ReadCache) {
  // A row for each bucket would take longer than all further work.
  const joined = db
    .prepare<unknown[], Buffer | null>(
      `SELECT CAST(group_concat(content, '') AS BLOB) FROM (
         SELECT content FROM bucket WHERE ${OF_KEY} AND bucket_ms >= ? AND bucket_ms < ? ORDER BY bucket_ms)`,
    )
    .pluck();
  const insert = db.prepare<unknown[]>("INSERT OR REPLACE INTO bucket VALUES (?,?,?,?,?,?,?)");
  const deleteRow = db.prepare<unknown[]>(`DELETE FROM bucket WHERE ${OF_KEY} AND bucket_ms = ?`);
  const scan = (key: ChunkKey, buckets: TimeRange): BucketRow[] => {
    const bytes = joined.get(...keyValues(key), buckets.startMs, buckets.endMs);
    return bytes ? decodeBucketRows(key, bytes, buckets) : [];
  };
  const read = (key: ChunkKey, range: TimeRange): readonly BucketRow[] =>
    cache.rows(key, range, (missing) => scan(key, missing));
  const keyed = keysIn(db);
  return {
    /** Returns the time of the newest observation of any station; null without any. @throws DamagedData */
    newestMs(): UtcMs | null {
      const keys = ([0, 1] as const).flatMap((raw) => keyed.keys({ interval: 0, raw }));
      const ends = keys.map((key) => ({ key, bucketMs: keyed.lastWithRows(key) ?? -Infinity }));
      const latestMs = ends.reduce((latest, { bucketMs }) => Math.max(latest, bucketMs), -Infinity);
      // A bucket of satellites covers less than a day, so any bucket of the latest day may have the newest row.
      const rows = ends
        .filter(({ bucketMs }) => bucketMs > latestMs - DAY_MS)
        .flatMap(({ key, bucketMs }) => read(key, { startMs: bucketMs, endMs: bucketMs + 1 }));
      return rows.length === 0 ? null : rows.reduce((newest, { lastMs }) => Math.max(newest, lastMs), -Infinity);
    },
    /** Returns the rows of the buckets that a range touches, in order of time. @throws DamagedData */
    read,
    /** Returns the rows whose buckets begin in a range, without keeping them in memory. @throws DamagedData */
    scan,
    find: (key: ChunkKey, bucketMs: UtcMs): BucketRow | null =>
      read(key, { startMs: bucketMs, endMs: bucketMs + 1 })[0] ?? null,
    /** Writes a row unless it is the same as the old one; deletes it if it has neither rows nor coverage. */
    write(key: ChunkKey, content: BucketContent, old: BucketRow | null): void {
      const buckets = { startMs: content.bucketMs, endMs: content.bucketMs + 1 };
      const isEmpty = content.rows === 0 && [...content.extents.values()].every((extents) => extents.length === 0);
      if (isEmpty) {
        if (!old) return;
        deleteRow.run(...keyValues(key), content.bucketMs);
        cache.replaceRow(keyText(key), content.bucketMs, null);
        return;
      }
      const encoded = encodeBucketRow(key, content);
      if (old?.encoded.equals(encoded)) return;
      insert.run(...keyValues(key), content.bucketMs, content.rows, encoded);
      cache.replaceRow(keyText(key), content.bucketMs, decodeBucketRows(key, encoded, buckets)[0] ?? null);
    },
    ...keyed,
  };
}

export type BucketTable = ReturnType<typeof bucketTable>;
