import Database from "better-sqlite3";

import { containsMoment } from "#shared/time/range.ts";
import { difference, intersect, rangeSet, union } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { ALL_TIME, bucketStart } from "../chunks/bucket.ts";
import { encodeChunk } from "../chunks/chunk.ts";
import { APPLICATION_ID, type Db, migrate, numberOf, openDatabase } from "../database/database.ts";
import { DamagedData, toStoreError } from "../errors.ts";
import { NO_COVERAGE } from "../chunks/coverage.ts";
import type { Diagnosis } from "./repair/examiner.ts";
import { createRepairer } from "./repair/repairer.ts";
import { repairSites } from "./repair/autoRepair.ts";
import { CACHE_MIGRATIONS } from "../migrations/cache/index.ts";
import { runSteps } from "../sessionFile/steps.ts";
import type { WorkPace } from "../types.ts";
import { transferBetween } from "../sessionFile/transfer.ts";
import { openTables, type Tables } from "../tables/index.ts";
import { bucketLength, type ChunkKey, variablesOfKind } from "../tables/keys.ts";
import { periodLength } from "../tables/periodTotals.ts";

export interface Salvaged {
  readonly rows: number;
  /** Rows that the damaged file counts but that could not be copied; null if it can no longer be read. */
  readonly lostRows: number | null;
}

/**
 * Copies the readable data of a damaged cache. A chunk is copied only if all of it matches its checksums, and coverage
 * only if all its chunks are there: doubtful data count as never requested, never as a gap.
 *
 * @param target a cache, which may be in use; it keeps its own data where it has rows, or knows that there are none
 * @throws StoreError if the target cannot be written
 */
export async function salvage(damagedPath: string, target: string, pace: WorkPace): Promise<Salvaged> {
  const none: Salvaged = { rows: 0, lostRows: null };
  const from = attempt(() => new Database(damagedPath));
  if (from === null) return none;
  try {
    attempt(() => migrate(from, CACHE_MIGRATIONS, APPLICATION_ID.cache));
    const source = attempt(() => openTables(from));
    if (source === null) return none;
    attempt(() => from.transaction(() => repairSites(from, source)).immediate());
    const registeredRows = attempt(() => numberOf(from, "SELECT sum(n) FROM chunk"));
    const total = attempt(() => numberOf(from, "SELECT count(*) FROM chunk")) ?? 1;
    const to = openDatabase(target, APPLICATION_ID.cache);
    const progress = { rows: 0 };
    try {
      const steps = salvageSteps(from, to, source, openTables(to), progress);
      await runSteps(steps, to, { from: 0, to: 1, total }, pace);
    } catch (thrown) {
      // Data copied before a stop are sound and stay.
      if (to.inTransaction) to.exec("ROLLBACK");
      if (!pace.signal.aborted) throw toStoreError(target, thrown);
    } finally {
      to.close();
    }
    return {
      rows: progress.rows,
      lostRows: registeredRows === null ? null : Math.max(0, registeredRows - progress.rows),
    };
  } finally {
    from.close();
  }
}

function* salvageSteps(
  from: Db,
  to: Db,
  source: Tables,
  target: Tables,
  progress: { rows: number },
): Generator<number> {
  const catalogue = attempt(() => source.catalogue.read());
  // A cache with a catalogue has its own settings and pins.
  if (catalogue !== null && catalogue.stations.length > 0 && target.catalogue.read().fetchedAtMs === null) {
    const { stations, networks, fetchedAtMs, withdrawn } = catalogue;
    target.catalogue.replace(stations, networks, fetchedAtMs ?? 0, withdrawn);
  }
  if (target.sites.all().length === 0) {
    const transfer = transferBetween(from, to);
    for (const table of ["setting", "care"]) attempt(() => transfer.rows(table));
  }
  yield 0;
  const { keys, periods, examine } = createRepairer(from, source, true);
  for (const stationId of stationsOf(from)) {
    const site = attempt(() => source.sites.find(stationId));
    if (site === null) continue;
    for (const key of keys(site)) {
      for (const periodMs of attempt(() => periods(key, ALL_TIME)) ?? []) {
        const diagnosis = attempt(() => examine(key, periodMs));
        if (diagnosis === null) continue;
        const ownKey = { ...key, site: target.sites.ensure(stationId) };
        yield* copyPeriod(source, target, { key, ownKey, periodMs }, diagnosis, progress);
      }
    }
  }
}

interface Place {
  readonly key: ChunkKey;
  readonly ownKey: ChunkKey;
  readonly periodMs: UtcMs;
}

/** Copies the sound data of a period where the target has none. */
function* copyPeriod(
  source: Tables,
  target: Tables,
  { key, ownKey, periodMs }: Place,
  { sound, coverage }: Diagnosis,
  progress: { rows: number },
): Generator<number> {
  const period = { startMs: periodMs, endMs: periodMs + periodLength(key) };
  const lengthMs = bucketLength(key);
  const variables = variablesOfKind(key.kind);
  const before = new Map(variables.map((v) => [v, target.extents.around({ ...ownKey, variable: v }, period)] as const));
  const bucketOf = (ms: UtcMs) => ({ startMs: bucketStart(ms, lengthMs), endMs: bucketStart(ms, lengthMs) + lengthMs });
  const occupied = rangeSet([
    ...target.heads.read(ownKey, period).map((head) => bucketOf(head.bucketMs)),
    ...[...before.values()]
      .flatMap(({ final, provisional }) => [...final, ...provisional.map(({ range }) => range)])
      .map(({ startMs, endMs }) => ({ startMs: bucketOf(startMs).startMs, endMs: bucketOf(endMs - 1).endMs })),
  ]);
  const free = difference([period], occupied);
  for (const head of sound) {
    if (!free.some((range) => containsMoment(range, head.bucketMs))) continue;
    const rows = attempt(() => source.chunks.readUnverified(key, head, head.variables));
    // It was decoded before: this happens only if the disk fails meanwhile.
    if (rows === null) throw new DamagedData("a chunk that was there a moment ago");
    target.chunks.write(ownKey, [encodeChunk(head.bucketMs, rows)], variables);
    progress.rows += head.rows;
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

/** Returns the stations up to the first that cannot be read. */
function stationsOf(db: Db): string[] {
  const found: string[] = [];
  try {
    const ids = db.prepare<[], unknown>("SELECT station_id FROM site").pluck();
    for (const id of ids.iterate()) if (typeof id === "string") found.push(id);
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
