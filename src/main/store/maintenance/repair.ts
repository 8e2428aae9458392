import { defined } from "#shared/defined.ts";
import type { CacheDamage } from "#shared/series/cache.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { type Variable, type VariableKind, variableKind } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { type BucketRow, decodeBucketRows } from "../tables/bucketRow.ts";
import type { Tables } from "../tables/index.ts";
import { bucketLength, type ChunkKey, modeKey, modeOf, variablesOfKind } from "../tables/keys.ts";

/** A row of the table `bucket`. A damaged one may have values of other types. */
export interface StoredRow extends ChunkKey {
  readonly bucketMs: UtcMs;
  readonly n: number;
  readonly content: Buffer;
}

export const ALL_ROWS = `SELECT kind, interval_seconds AS interval, raw, station_id AS stationId, bucket_ms AS bucketMs, n, content
  FROM bucket`;

/** Returns a row whose checksum, columns and pyramids all fit. @throws DamagedData */
export function assertSound({ columns, pyramids }: Tables, stored: StoredRow): BucketRow {
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

/** The data that an operation reads or writes; null means all. */
export interface Scope {
  readonly stationIds: readonly string[] | null;
  readonly variables: readonly Variable[] | null;
  readonly mode: SeriesMode | null;
}

export const EVERYTHING: Scope = { stationIds: null, variables: null, mode: null };

/** What the pass over all rows found in a row. */
interface Examined {
  readonly stored: StoredRow;
  /** null: the row is sound. */
  readonly damage: CacheDamage | null;
}

/**
 * Examines each row of a scope once. It changes nothing.
 *
 * @throws DamagedData if the rows are not in the order of their keys, and what SQLite throws
 */
export function* examine(db: Db, tables: Tables, scope: Scope = EVERYTHING): Generator<Examined> {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, ...own: unknown[]): void => {
    conditions.push(condition);
    values.push(...own);
  };
  const isAmong = (column: string, list: Iterable<string>): void =>
    add(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify([...list]));
  if (scope.variables) isAmong("kind", new Set(scope.variables.map(variableKind)));
  if (scope.mode) add("interval_seconds = ? AND raw = ?", modeKey(scope.mode).interval, modeKey(scope.mode).raw);
  if (scope.stationIds) isAmong("station_id", scope.stationIds);
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
  const all = db.prepare<unknown[], StoredRow>(
    `${ALL_ROWS}${where} ORDER BY kind, interval_seconds, raw, station_id, bucket_ms`,
  );
  let last: StoredRow | null = null;
  for (const stored of all.iterate(...values)) {
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
 * scope and runs the work again, and then the same for all rows. It throws DamagedData if that did not help, and what
 * SQLite throws.
 *
 * @param write runs work in a write transaction
 * @param onRepaired called after each repair
 */
export function createAutoRepair(
  db: Db,
  tables: Tables,
  write: (work: () => void) => void,
  onRepaired: (damages: readonly CacheDamage[]) => void,
): <T>(work: () => T, scope: Scope) => T {
  return (work, scope) => {
    for (const repaired of [scope, EVERYTHING, null]) {
      try {
        return work();
      } catch (thrown) {
        if (!(thrown instanceof DamagedData) || repaired === null) throw thrown;
        let bad: Examined[] = [];
        tables.readCache.clear();
        write(() => {
          bad = [...examine(db, tables, repaired)].filter(({ damage }) => damage !== null);
          rowRemover(db)(bad.map(({ stored }) => stored));
        });
        if (bad.length > 0) onRepaired(bad.map(({ damage }) => defined(damage)));
      }
    }
    throw new Error("not reached");
  };
}
