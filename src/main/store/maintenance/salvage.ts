import Database from "better-sqlite3";
import type { TimeRange } from "#shared/time/range.ts";
import { difference, intersect, rangeSet, union } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketMs, bucketStart } from "../chunks/bucket.ts";
import { encodeChunk } from "../chunks/chunk.ts";
import { APPLICATION_ID, type Db, migrate, openDatabase } from "../database/database.ts";
import { DamagedData, toStoreError } from "../errors.ts";
import { NO_COVERAGE } from "../chunks/extents.ts";
import type { Diagnosis } from "./mend/examine.ts";
import { mender } from "./mend/mend.ts";
import { mendSites } from "./mend/sites.ts";
import { CACHE_MIGRATIONS } from "../migrations/cache/index.ts";
import { type Pace, takeSteps } from "../sessionFile/steps.ts";
import { transferBetween } from "../sessionFile/transfer.ts";
import { openTables, type Tables } from "../tables/index.ts";
import type { ChunkKey } from "../tables/keys.ts";
import { periodLength, variablesOf } from "../tables/register.ts";

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
 * @param target a cache, which may be in use; where it has rows, or knows that there are none, it keeps its own
 * @throws StoreError where the target cannot be written
 */
export async function salvage(damagedPath: string, target: string, pace: Pace): Promise<Salvaged> {
  const none: Salvaged = { rows: 0, lostRows: null };
  const from = attempt(() => new Database(damagedPath));
  if (from === null) return none;
  try {
    attempt(() => migrate(from, CACHE_MIGRATIONS, APPLICATION_ID.cache));
    const source = attempt(() => openTables(from));
    if (source === null) return none;
    attempt(() => from.transaction(() => mendSites(from, source)).immediate());
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
  // A cache that has a catalogue has settings and pins of its own.
  if (catalogue !== null && catalogue.stations.length > 0 && target.catalogue.read().fetchedAtMs === null) {
    const { stations, networks, fetchedAtMs, withdrawn } = catalogue;
    target.catalogue.replace(stations, networks, fetchedAtMs ?? 0, withdrawn);
  }
  if (target.sites.all().length === 0) {
    const transfer = transferBetween(from, to);
    for (const table of ["setting", "care"]) attempt(() => transfer.rows(table));
  }
  yield 0;
  const { keys, periods, examine } = mender(from, source, true);
  for (const stationId of stationsOf(from)) {
    const site = attempt(() => source.sites.find(stationId));
    if (site === null) continue;
    for (const key of keys(site)) {
      for (const periodMs of attempt(() => periods(key, ALWAYS)) ?? []) {
        const diagnosis = attempt(() => examine(key, periodMs));
        if (diagnosis === null) continue;
        const ownKey = { ...key, site: target.sites.ensure(stationId) };
        yield* takeOver(source, target, { key, ownKey, periodMs }, diagnosis, kept);
      }
    }
  }
}

interface Place {
  readonly key: ChunkKey;
  readonly ownKey: ChunkKey;
  readonly periodMs: UtcMs;
}

/** What is sound of a period, as far as the target has nothing there. */
function* takeOver(
  source: Tables,
  target: Tables,
  { key, ownKey, periodMs }: Place,
  { sound, coverage }: Diagnosis,
  kept: { rows: number },
): Generator<number> {
  const period = { startMs: periodMs, endMs: periodMs + periodLength(key) };
  const lengthMs = bucketMs(key.kind, key.interval === 0 ? null : key.interval);
  const variables = variablesOf(key.kind);
  const before = new Map(variables.map((v) => [v, target.extents.around({ ...ownKey, variable: v }, period)] as const));
  const bucketOf = (ms: UtcMs) => ({ startMs: bucketStart(ms, lengthMs), endMs: bucketStart(ms, lengthMs) + lengthMs });
  const taken = rangeSet([
    ...target.heads.read(ownKey, period).map((head) => bucketOf(head.bucketMs)),
    ...[...before.values()]
      .flatMap(({ final, provisional }) => [...final, ...provisional.map(({ range }) => range)])
      .map(({ startMs, endMs }) => ({ startMs: bucketOf(startMs).startMs, endMs: bucketOf(endMs - 1).endMs })),
  ]);
  const free = difference([period], taken);
  for (const head of sound) {
    if (!free.some((range) => range.startMs <= head.bucketMs && head.bucketMs < range.endMs)) continue;
    const rows = attempt(() => source.chunks.readUnverified(key, head, head.variables));
    // It was decoded once: only a disk that fails meanwhile comes here.
    if (rows === null) throw new DamagedData("a chunk that was there a moment ago");
    target.chunks.write(ownKey, [encodeChunk(head.bucketMs, rows)], variables);
    kept.rows += head.rows;
    yield 1;
  }
  for (const [variable, { final, provisional }] of coverage) {
    const own = before.get(variable) ?? NO_COVERAGE;
    const after = {
      final: union(rangeSet(own.final), intersect(rangeSet(final), free)),
      provisional: [
        ...own.provisional,
        ...provisional.flatMap(({ range, fetchedAtMs }) =>
          intersect([range], free).map((part) => ({ range: part, fetchedAtMs })),
        ),
      ],
    };
    target.extents.replace({ ...ownKey, variable }, own, after);
  }
}

function stationsOf(db: Db): string[] {
  return readable<{ readonly id: string }>(db, "SELECT station_id AS id FROM site").flatMap(({ id }) =>
    typeof id === "string" ? [id] : [],
  );
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
