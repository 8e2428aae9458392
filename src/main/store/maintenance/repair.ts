import { defined } from "#shared/defined.ts";
import type { CacheDamage } from "#shared/series/cache.ts";
import type { VariableKind } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { type BucketRow, decodeBucketRows } from "../tables/bucketRow.ts";
import type { Tables } from "../tables/index.ts";
import {
  bucketLength,
  type ChunkKey,
  DamagedSeries,
  modeOf,
  OF_KEY,
  keyValues,
  variablesOfKind,
} from "../tables/keys.ts";

/** A row of the table `bucket`. A damaged one may have values of other types. */
export interface StoredRow extends ChunkKey {
  readonly bucketMs: UtcMs;
  readonly n: number;
  readonly content: Buffer;
}

export const ALL_ROWS = `SELECT kind, interval_seconds AS interval, raw, station_id AS stationId, bucket_ms AS bucketMs, n, content
  FROM bucket`;

/** Returns a row whose checksum, columns and pyramids all fit. @throws DamagedData */
function assertSound({ columns, pyramids }: Tables, stored: StoredRow): BucketRow {
  const row = decodeStored(stored);
  for (const variable of row.variables) {
    columns.find(stored, variable, row);
    if (stored.kind === "scalar") pyramids.read(stored, variable, [row]);
  }
  return row;
}

/** Returns a row whose own checksum fits. @throws DamagedData */
export function decodeStored(stored: StoredRow): BucketRow {
  const { kind, bucketMs, n, content } = stored;
  if ((kind !== "scalar" && kind !== "satellite") || !(content instanceof Buffer))
    throw new DamagedData("a row of another kind");
  const [row] = decodeBucketRows(stored, content, { startMs: bucketMs, endMs: bucketMs + 1 });
  if (row?.encoded.length !== content.length || row.rows !== n) throw new DamagedData("a row of another bucket");
  return row;
}

/** Describes a damaged row, by its key if the row itself cannot be read. */
function damageOf(stored: StoredRow): CacheDamage {
  const kind: VariableKind = stored.kind === "satellite" ? "satellite" : "scalar";
  const startMs = Number.isFinite(stored.bucketMs) ? stored.bucketMs : 0;
  let variables = variablesOfKind(kind);
  try {
    variables = decodeStored(stored).known;
  } catch {
    // Any of its variables may be lost.
  }
  const endMs = startMs + bucketLength({ kind, interval: stored.interval || 0 });
  return { stationId: stored.stationId, variables, ...modeOf(stored), range: { startMs, endMs } };
}

/** What the pass over all rows found in a row. */
interface Examined {
  readonly stored: StoredRow;
  /** null: the row is sound. */
  readonly damage: CacheDamage | null;
}

/**
 * Examines each row once, or each of a key. It changes nothing.
 *
 * @throws DamagedData if the rows are not in the order of their keys, and what SQLite throws
 */
export function* examine(db: Db, tables: Tables, key: ChunkKey | null = null): Generator<Examined> {
  const all = db.prepare<unknown[], StoredRow>(
    `${ALL_ROWS}${key ? ` WHERE ${OF_KEY}` : ""} ORDER BY kind, interval_seconds, raw, station_id, bucket_ms`,
  );
  let last: StoredRow | null = null;
  for (const stored of all.iterate(...(key ? keyValues(key) : []))) {
    if (last && !isAfter(stored, last)) throw new DamagedData("rows out of order");
    last = stored;
    let damage: CacheDamage | null = null;
    try {
      assertSound(tables, stored);
    } catch (thrown) {
      if (!(thrown instanceof DamagedData)) throw thrown;
      damage = damageOf(stored);
    }
    yield { stored, damage };
  }
}

function isAfter(row: StoredRow, before: StoredRow): boolean {
  for (const name of ["kind", "interval", "raw", "stationId", "bucketMs"] as const)
    if (row[name] !== before[name]) return row[name] > before[name];
  return false;
}

/**
 * Returns a function that deletes damaged rows, so that their data count as never requested. It must run in a write
 * transaction, and throws DamagedData if a row cannot be found by its key.
 */
export function rowRemover(db: Db): (rows: readonly StoredRow[]) => void {
  const same =
    "kind IS ? AND interval_seconds IS ? AND raw IS ? AND station_id IS ? AND bucket_ms IS ? AND content IS ?";
  const remove = db.prepare<unknown[]>(`DELETE FROM bucket WHERE ${same}`);
  // Reads all rows instead of searching one.
  const exists = db.prepare<unknown[]>(`SELECT 1 FROM bucket WHERE ${same.replaceAll(/(\w+) IS/g, "+$1 IS")}`);
  return (rows) => {
    for (const { kind, interval, raw, stationId, bucketMs, content } of rows) {
      const values = [kind, interval, raw, stationId, bucketMs, content];
      if (remove.run(...values).changes === 0 && exists.get(...values) !== undefined)
        throw new DamagedData("a row that cannot be found by its key");
    }
  };
}

/**
 * Returns a function that runs work in its own transaction. If that finds damage, it deletes the damaged rows of the
 * series, or else of the whole file, and runs the work again. It throws DamagedData if there are none, and what SQLite
 * throws.
 *
 * @param write runs work in a write transaction
 * @param onRepaired called after each repair
 */
export function createAutoRepair(
  db: Db,
  tables: Tables,
  write: (work: () => void) => void,
  onRepaired: (damages: readonly CacheDamage[]) => void,
): <T>(work: () => T) => T {
  const repaired = (key: ChunkKey | null): CacheDamage[] => {
    let bad: Examined[] = [];
    write(() => {
      bad = [...examine(db, tables, key)].filter(({ damage }) => damage !== null);
      rowRemover(db)(bad.map(({ stored }) => stored));
    });
    return bad.map(({ damage }) => defined(damage));
  };
  return (work) => {
    for (;;) {
      try {
        return work();
      } catch (thrown) {
        if (!(thrown instanceof DamagedData)) throw thrown;
        tables.readCache.clear();
        const ofSeries = thrown instanceof DamagedSeries ? repaired(thrown.key) : [];
        const damages = ofSeries.length > 0 ? ofSeries : repaired(null);
        if (damages.length === 0) throw thrown;
        onRepaired(damages);
      }
    }
  };
}
