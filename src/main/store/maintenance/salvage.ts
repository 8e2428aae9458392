import Database from "better-sqlite3";
import { type Db, queryNumber, withDatabase } from "../database/database.ts";
import { openForm } from "../database/form.ts";
import { attempt } from "#shared/fault.ts";
import { Stopped, toStoreError } from "../errors.ts";
import { openTables, type Tables } from "../tables/index.ts";
import { CACHE_FORM } from "../tables/schema.ts";
import type { ThreadPace } from "../types.ts";
import { ALL_ROWS, decodeStored, type StoredRow } from "./repair.ts";

export interface Salvaged {
  readonly rows: number;
  /** Rows that the damaged file counts but that could not be read; null if it can no longer be counted. */
  readonly lostRows: number | null;
}

/** Buckets per transaction. */
const BUCKETS_PER_COMMIT = 64;

/**
 * Copies every bucket of a damaged cache that proves itself: the checksums of the row and its columns fit. Doubtful data
 * count as never requested, never as a gap. What was copied before a stop is sound and stays. To be run in a thread.
 *
 * @param target a cache, which may be in use; it keeps its own buckets
 * @throws StoreError if the target cannot be written
 */
export function salvageFile(damagedPath: string, target: string, pace: ThreadPace): Salvaged {
  const from = attempt(() => openDespiteLength(damagedPath));
  if (from === null) return { rows: 0, lostRows: null };
  try {
    const source = attempt(() => openTables(from));
    if (source === null) return { rows: 0, lostRows: null };
    return withDatabase(openForm(target, CACHE_FORM), (to) => copySound(from, source, to, pace));
  } catch (thrown) {
    throw toStoreError(target, thrown);
  } finally {
    from.close();
  }
}

/** Opens a file that may be shorter than its header says: SQLite refuses it as a whole unless its schema may be written. */
function openDespiteLength(path: string): Db {
  const db = new Database(path).unsafeMode();
  db.pragma("writable_schema = ON");
  return db;
}

function copySound(from: Db, source: Tables, to: Db, { onProgress, throwIfStopped }: ThreadPace): Salvaged {
  const target = openTables(to);
  const counted = attempt(() => queryNumber(from, "SELECT sum(n) FROM bucket"));
  const total = attempt(() => queryNumber(from, "SELECT count(*) FROM bucket")) ?? 1;
  const catalogue = attempt(() => source.catalogue.read());
  to.transaction(() => {
    // A cache with a catalogue has its own settings and pins.
    if (catalogue !== null && catalogue.stations.length > 0 && target.catalogue.read().fetchedAtMs === null)
      target.catalogue.replace(catalogue);
    if (target.buckets.keys().length === 0)
      for (const table of ["setting", "maintenance"]) attempt(() => copyTable(from, to, table));
  }).immediate();
  let [read, copied, sound] = [0, 0, 0];
  const rows = readableRows(from);
  const copySome = to.transaction((): boolean => {
    for (let n = 0; n < BUCKETS_PER_COMMIT; n++) {
      const { done, value: stored } = rows.next();
      if (done) return false;
      read++;
      const row = attempt(() => decodeStored(stored));
      const copy = row && attempt(() => source.chunks.copyOf(stored, row));
      if (!row || !copy) continue;
      sound += row.rows;
      if (target.buckets.find(stored, row.bucketMs) !== null) continue;
      target.chunks.write(stored, [copy]);
      copied += row.rows;
    }
    return true;
  });
  try {
    while (copySome.immediate()) {
      throwIfStopped();
      onProgress(Math.min(1, read / Math.max(1, total)));
    }
  } catch (thrown) {
    if (!(thrown instanceof Stopped)) throw thrown;
  }
  return { rows: copied, lostRows: counted === null ? null : Math.max(0, counted - sound) };
}

/** Returns the rows from both ends up to the part that cannot be read. */
function* readableRows(db: Db): Generator<StoredRow> {
  const seen = new Set<string>();
  for (const order of ["", " DESC"]) {
    try {
      const columns = ["kind", "interval_seconds", "raw", "station_id", "bucket_ms"].map((name) => name + order);
      for (const row of db.prepare<[], StoredRow>(`${ALL_ROWS} ORDER BY ${columns.join()}`).iterate()) {
        const { kind, interval, raw, stationId, bucketMs } = row;
        const name = [kind, interval, raw, stationId, bucketMs].join();
        if (!seen.has(name)) yield row;
        seen.add(name);
      }
      return;
    } catch {
      // The rest is read from the other end.
    }
  }
}

function copyTable(from: Db, to: Db, table: string): void {
  const rows = from.prepare<[], unknown[]>(`SELECT * FROM ${table}`).raw().all();
  for (const row of rows)
    to.prepare(`INSERT OR REPLACE INTO ${table} VALUES (${row.map(() => "?").join()})`).run(...row);
}
