import Database from "better-sqlite3";
import { type Db, numberOf } from "../database/database.ts";
import { openForm } from "../database/form.ts";
import { toStoreError } from "../errors.ts";
import { runSteps } from "../sessionFile/steps.ts";
import { openTables, type Tables } from "../tables/index.ts";
import { CACHE_FORM } from "../tables/schema.ts";
import type { WorkPace } from "../types.ts";
import { ALL_ROWS, decodeStored, type StoredRow } from "./repair.ts";

export interface Salvaged {
  readonly rows: number;
  /** Rows that the damaged file counts but that could not be read; null if it can no longer be counted. */
  readonly lostRows: number | null;
}

/**
 * Copies every bucket of a damaged cache that proves itself: the checksums of the row and its columns fit. Doubtful data count as never
 * requested, never as a gap.
 *
 * @param target a cache, which may be in use; it keeps its own buckets
 * @throws StoreError if the target cannot be written
 */
export async function salvage(damagedPath: string, target: string, pace: WorkPace): Promise<Salvaged> {
  const none: Salvaged = { rows: 0, lostRows: null };
  const from = attempt(() => new Database(damagedPath));
  if (from === null) return none;
  try {
    const source = attempt(() => openTables(from));
    if (source === null) return none;
    const counted = attempt(() => numberOf(from, "SELECT sum(n) FROM bucket"));
    const total = attempt(() => numberOf(from, "SELECT count(*) FROM bucket")) ?? 1;
    const to = openForm(target, CACHE_FORM);
    const found = { copied: 0, sound: 0 };
    try {
      await runSteps(
        salvageSteps({ from, source }, { to, target: openTables(to) }, found),
        to,
        { from: 0, to: 1, total },
        pace,
      );
    } catch (thrown) {
      // Data copied before a stop are sound and stay.
      if (to.inTransaction) to.exec("ROLLBACK");
      if (!pace.signal.aborted) throw toStoreError(target, thrown);
    } finally {
      to.close();
    }
    return { rows: found.copied, lostRows: counted === null ? null : Math.max(0, counted - found.sound) };
  } finally {
    from.close();
  }
}

interface Damaged {
  readonly from: Db;
  readonly source: Tables;
}

interface Replacement {
  readonly to: Db;
  readonly target: Tables;
}

function* salvageSteps(
  { from, source }: Damaged,
  { to, target }: Replacement,
  found: { copied: number; sound: number },
): Generator<number> {
  const catalogue = attempt(() => source.catalogue.read());
  // A cache with a catalogue has its own settings and pins.
  if (catalogue !== null && catalogue.stations.length > 0 && target.catalogue.read().fetchedAtMs === null) {
    const { stations, networks, fetchedAtMs, withdrawn } = catalogue;
    target.catalogue.replace(stations, networks, fetchedAtMs ?? 0, withdrawn);
  }
  if (target.buckets.keys().length === 0) {
    for (const table of ["setting", "maintenance"]) attempt(() => copyTable(from, to, table));
  }
  yield 0;
  for (const stored of readableRows(from)) {
    const row = attempt(() => decodeStored(stored));
    const copy = row && attempt(() => source.chunks.copyOf(stored, row));
    if (!row || !copy) continue;
    found.sound += row.rows;
    if (target.buckets.find(stored, row.bucketMs) === null) {
      target.chunks.write(stored, [copy]);
      found.copied += row.rows;
    }
    yield 1;
  }
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

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
