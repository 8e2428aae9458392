import Database from "better-sqlite3";
import type { Coverage } from "#shared/series/rows.ts";
import { variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { variablesOfKind } from "./answer/commit.ts";
import { bucketMs } from "./bucket.ts";
import { encodeChunk } from "./chunk.ts";
import { APPLICATION_ID, type Db, openDatabase } from "./database.ts";
import { removeRange } from "./extents.ts";
import { toStoreError } from "./errors.ts";
import { type Pace, takeSteps } from "./sessionFile/steps.ts";
import { transferBetween } from "./sessionFile/transfer.ts";
import { openTables, type Tables } from "./tables/index.ts";
import type { ChunkKey, SeriesKey } from "./tables/keys.ts";

const ALWAYS: TimeRange = { startMs: -9e15, endMs: 9e15 };

export interface Salvaged {
  readonly rows: number;
  /** Rows that the damaged file told of and that were not taken over; null where it does not tell any more. */
  readonly lostRows: number | null;
}

/**
 * Takes over what can still be read of a damaged cache. A chunk counts only where all of it fits its checksums, and what
 * was asked only where every chunk of it is there: what is doubtful becomes "not asked", never a gap.
 *
 * @param target a cache, empty as far as these stations go; it may be in use
 * @throws StoreError where the target cannot be written
 */
export async function salvage(damagedPath: string, target: string, pace: Pace): Promise<Salvaged> {
  const none: Salvaged = { rows: 0, lostRows: null };
  const from = attempt(() => new Database(damagedPath));
  if (from === null) return none;
  try {
    const source = attempt(() => openTables(from));
    if (source === null) return none;
    const told = attempt(() => Number(from.prepare("SELECT sum(n) FROM chunk").pluck().get() ?? 0));
    const total = attempt(() => Number(from.prepare("SELECT count(*) FROM chunk").pluck().get())) ?? 1;
    const to = openDatabase(target, APPLICATION_ID.cache);
    const kept = { rows: 0 };
    try {
      const steps = salvageSteps(from, to, source, openTables(to), kept);
      await takeSteps(steps, to, { from: 0, to: 1, total }, pace);
    } catch (thrown) {
      // What was taken over so far is sound: stopped, it stays.
      if (to.inTransaction) to.exec("ROLLBACK");
      if (!pace.signal.aborted) throw toStoreError(target, thrown);
    } finally {
      to.close();
    }
    return { rows: kept.rows, lostRows: told === null ? null : Math.max(0, told - kept.rows) };
  } finally {
    from.close();
  }
}

function* salvageSteps(from: Db, to: Db, source: Tables, target: Tables, kept: { rows: number }): Generator<number> {
  const catalogue = attempt(() => source.catalogue.read());
  if (catalogue !== null && catalogue.fetchedAtMs !== null)
    target.catalogue.replace(catalogue.stations, catalogue.networks, catalogue.fetchedAtMs, catalogue.withdrawn);
  const transfer = transferBetween(from, to);
  for (const table of ["setting", "care"]) attempt(() => transfer.rows(table));
  yield 0;
  for (const stationId of stationsOf(from)) {
    const site = attempt(() => source.sites.find(stationId));
    if (site === null) continue;
    for (const key of keysOf(from, site)) {
      const heads = attempt(() => source.heads.read(key, ALWAYS));
      // Without all heads nobody knows which chunks are lost.
      if (heads === null) continue;
      const ownKey = { ...key, site: target.sites.ensure(stationId) };
      const variables = variablesOfKind(key.kind);
      if (target.heads.read(ownKey, ALWAYS).length > 0) continue;
      const lost: TimeRange[] = [];
      for (const { bucketMs: startMs, variables: held, rows: n } of heads) {
        const rows = attempt(() => source.chunks.read(key, startMs, held));
        if (rows && rows.timesMs.length > 0) {
          target.chunks.write(ownKey, [encodeChunk(startMs, rows)], variables);
          kept.rows += n;
        } else lost.push({ startMs, endMs: startMs + bucketMs(key.kind, key.interval === 0 ? null : key.interval) });
        yield 1;
      }
      for (const series of seriesOf(source, key)) {
        const before = attempt(() => source.extents.read(series));
        if (before === null) continue;
        const left = lost.reduce<Coverage>((coverage, range) => removeRange(coverage, range), before);
        const own = { ...series, site: ownKey.site };
        target.extents.replace(own, target.extents.read(own), left);
      }
    }
  }
}

function stationsOf(db: Db): string[] {
  return readable<{ readonly id: string }>(db, "SELECT station_id AS id FROM site").flatMap(({ id }) =>
    typeof id === "string" ? [id] : [],
  );
}

function keysOf(db: Db, site: number): ChunkKey[] {
  const sql = "SELECT DISTINCT site, kind, interval_seconds AS interval, raw FROM tally WHERE site = ?";
  return readable<ChunkKey>(db, sql, site).filter(({ kind }) => kind === "scalar" || kind === "satellite");
}

/** Only series of chunks that are there: whether nothing was sent, or all of it was lost, cannot be told of others. */
function seriesOf(source: Tables, { site, kind, interval, raw }: ChunkKey): readonly SeriesKey[] {
  const all = attempt(() => source.extents.series(site)) ?? [];
  return all.filter((s) => variableKind(s.variable) === kind && s.interval === interval && s.raw === raw);
}

/** Rows up to the first that cannot be read. */
function readable<T>(db: Db, sql: string, ...values: readonly unknown[]): T[] {
  const found: T[] = [];
  try {
    for (const row of db.prepare<unknown[], T>(sql).iterate(...values)) found.push(row);
  } catch {
    // The rest is lost.
  }
  return found;
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
