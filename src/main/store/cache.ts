import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate as otherTurns } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { writeAnswer } from "./answer/commit.ts";
import { openWriter } from "./answer/writer.ts";
import { checkAfterKill, isMarkedDamaged, markDamaged, type Opening, opening, quarantine } from "./damage.ts";
import { APPLICATION_ID, type Db, migrate, openDatabase } from "./database.ts";
import { DamagedData, StoreError, toStoreError } from "./errors.ts";
import { checkSteps } from "./check.ts";
import { copiedShare, denseCopyOf, usedBytesOf } from "./compact.ts";
import { copyDatabase, finishCopy, removeDatabase } from "./copy.ts";
import { countChunks, forgetSteps, stepByStep } from "./forget.ts";
import { CACHE_MIGRATIONS } from "./migrations/cache/index.ts";
import {
  bucketsOf,
  countBlocks,
  countRows,
  readBlock,
  readCoverage,
  readCoverages,
  readDecimated,
  readNearest,
  readRows,
} from "./reader.ts";
import { readSatelliteBlock } from "./satellites.ts";
import { lastUse } from "./lastUse.ts";
import { readNearestEach } from "./nearestEach.ts";
import { readCounted } from "./counts.ts";
import { readTimes, readValueTimes, timeBuckets } from "./times.ts";
import { soundTables, type Tables } from "./tables/index.ts";
import { inThread } from "./thread/thread.ts";
import type { Cache, WorkPace } from "./types.ts";
import type { CacheStatistics } from "#shared/series/cacheStatistics.ts";

/** A copy that was overtaken by a write is made again. */
const MOST_COPIES = 3;
/** Work between two turns of the others while a copy is read. */
const SLICE_MS = 8;
/** Between two looks at how large the dense copy is. */
const LOOK_EVERY_MS = 100;

/**
 * Opens the cache file of a connection, made anew with its folder where it is missing. A damaged file is put aside and
 * replaced by an empty one: `quarantined` tells where it lies. Several processes may have the same file open; each
 * commit is one transaction that merges with what is there at that moment.
 *
 * @param onDamage called once, when damage is found while the cache is in use
 * @throws StoreError where the file cannot be opened, was written by a newer program, or belongs to another one; every
 *   function of the cache throws it too, and damage found while reading leads to the quarantine at the next opening
 */
export function openCache(path: string, onDamage: (message: string) => void = () => {}): Cache {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const { sound, quarantined } = openOrReplace(path);
    return cacheOf(path, sound, quarantined, onDamage);
  } catch (thrown) {
    throw toStoreError(path, thrown);
  }
}

interface SoundFile {
  readonly db: Db;
  readonly tables: Tables;
}

function openOrReplace(path: string): { readonly sound: SoundFile; readonly quarantined: string | null } {
  const damaged = existsSync(path) && isMarkedDamaged(path);
  try {
    if (!damaged) return { sound: openSound(path), quarantined: null };
  } catch (thrown) {
    if (toStoreError(path, thrown).kind !== "corrupt") throw thrown;
  }
  const quarantined = quarantine(path);
  return { sound: openSound(path), quarantined };
}

function openSound(path: string): SoundFile {
  const db = openDatabase(path, APPLICATION_ID.cache);
  try {
    migrate(db, CACHE_MIGRATIONS, APPLICATION_ID.cache);
    checkAfterKill(db);
    return { db, tables: soundTables(db) };
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

function cacheOf(
  path: string,
  { db, tables }: SoundFile,
  quarantined: string | null,
  onDamage: (message: string) => void,
): Cache {
  const announced = opening(db);
  // What was left when a compaction was killed; that of another program that is at it now stays.
  if (!announced.hasOthers()) removeDatabase(denseCopyOf(path));
  const closing = new AbortController();
  let isCompacting = false;
  let forgettings = 0;
  const run = guard(path, onDamage);
  const transaction = db.transaction((work: () => void) => work());
  const read = <T>(work: () => T): T => run(() => resultOf(transaction.deferred, work));
  const used = lastUse((usedAtMs) => tables.care.use(usedAtMs));
  const write = <T>(work: () => T): T =>
    run(() => {
      if (isCompacting) throw busy(path, "The cache is being compacted. Wait for its end, or stop it, then try again.");
      announced.announce();
      return resultOf(transaction.immediate, () => {
        used.writeWhenDue();
        return work();
      });
    });
  return {
    path,
    quarantined,
    catalogue: () => read(() => tables.catalogue.read()),
    station: (id) => read(() => tables.catalogue.find(id)),
    coverage: (stationId, variable, mode) =>
      read(() => readCoverage(tables, { stationId, variables: [variable], ...mode }, variable)),
    *blocks(selection) {
      used.note(selection.stationId);
      for (const startMs of read(() => bucketsOf(tables, selection))) {
        const rows = read(() => readBlock(tables, selection, startMs));
        if (rows) yield rows;
      }
    },
    *satellites(selection) {
      used.note(selection.stationId);
      for (const startMs of read(() => bucketsOf(tables, selection))) {
        const block = read(() => readSatelliteBlock(tables, selection, startMs));
        if (block) yield { ...block, texts: () => run(() => block.texts()) };
      }
    },
    *times(selection, of) {
      for (const bucket of read(() => timeBuckets(tables, selection, of))) {
        const times = read(() => readTimes(tables, selection, bucket, of));
        if (times.length > 0) yield times;
      }
    },
    valueTimes: (selection) => read(() => readValueTimes(tables, selection)),
    rows(selection) {
      used.note(selection.stationId);
      return read(() => readRows(tables, selection));
    },
    counted: (selection, binMs) => read(() => readCounted(tables, selection, binMs)),
    countRows: (selection, enough = Infinity) => read(() => countRows(tables, selection, enough)),
    countBlocks: (selection) => read(() => countBlocks(tables, selection)),
    nearest: (selected, timeMs, window) => read(() => readNearest(tables, selected, timeMs, window)),
    nearestEach: (selection) => read(() => readNearestEach(tables, selection)),
    decimate(selection, columns) {
      used.note(selection.stationId);
      return read(() => readDecimated(tables, selection, columns));
    },
    coveragesOf: (stationIds, variables, mode) =>
      read(() =>
        stationIds.map((stationId) => variables.map((v) => readCoverage(tables, { stationId, variables, ...mode }, v))),
      ),
    coverages: (mode, variables, range) => read(() => readCoverages(tables, mode, variables, range)),
    setting: (name) => run(() => tables.settings.get(name)),
    statistics: () => read(() => statisticsOf(path, db)),
    sizes: () =>
      (used.hasAny() && !isCompacting ? write : read)(() => {
        if (!isCompacting) used.write();
        return tables.care.sizes();
      }),
    usedBytes: () => run(() => usedBytesOf(db)),
    replaceCatalogue: (stations, networks, fetchedAtMs) =>
      write(() => tables.catalogue.replace(stations, networks, fetchedAtMs)),
    openAnswer: (scope) =>
      openWriter(scope, (normal, arrivals, finality) => {
        for (const id of scope.stationIds) used.note(id);
        return write(() => writeAnswer(tables, normal, arrivals, finality));
      }),
    setSetting: (name, value) => write(() => tables.settings.set(name, value)),
    forget: (stationIds, range, variables = null) =>
      write(() => {
        let rows = 0;
        for (const step of forgetSteps(db, tables, { stationIds, range, variables })) rows += step.rows;
        return rows;
      }),
    async forgetPolitely(forgetting, onProgress, signal) {
      const total = countChunks(db, tables, forgetting.stationIds);
      forgettings++;
      try {
        return await stepByStep(forgetSteps(db, tables, forgetting), write, { total, onProgress, signal });
      } finally {
        forgettings--;
      }
    },
    pin: (stationIds, isPinned) => write(() => tables.care.pin(stationIds, isPinned)),
    async check({ onProgress, signal }) {
      const work = { onProgress, signal: AbortSignal.any([signal, closing.signal]) };
      const found = await inThread("check", path, work).then(
        () => null,
        (thrown: unknown) => ({ thrown }),
      );
      work.signal.throwIfAborted();
      if (found === null) return null;
      try {
        return run(() => {
          throw found.thrown;
        });
      } catch (thrown) {
        if (thrown instanceof StoreError && thrown.kind === "corrupt") return thrown.message;
        throw thrown;
      }
    },
    async compact({ onProgress, signal }) {
      if (forgettings > 0)
        throw busy(path, "Data of this cache is being forgotten. Wait for its end, or stop it, then compact.");
      // Told to others before the dense copy lies there; what was last used is written along.
      write(() => used.write());
      demandAlone(path, announced);
      isCompacting = true;
      const work = { onProgress, signal: AbortSignal.any([signal, closing.signal]) };
      try {
        await compactInThread(path, usedBytesOf(db), work);
      } catch (thrown) {
        work.signal.throwIfAborted();
        run(() => {
          throw thrown;
        });
      } finally {
        isCompacting = false;
      }
    },
    async copyTo(target, onProgress) {
      try {
        write(() => used.write());
        for (let tries = 0; tries < MOST_COPIES; tries++) {
          demandAlone(path, announced);
          const copy = await copyDatabase(db, target, onProgress);
          // At this very moment both are the same.
          const [expected, then] = [statisticsOf(path, db), changesOf(db)];
          try {
            await demandSame(copy, expected);
            demandAlone(path, announced);
            if (changesOf(db) === then) return finishCopy(target);
          } catch (thrown) {
            removeDatabase(copy);
            throw thrown;
          }
          removeDatabase(copy);
        }
      } catch (thrown) {
        throw toStoreError(target, thrown);
      }
      throw busy(path, "The cache was written to all the while. It stays where it is: try again when downloads rest.");
    },
    close() {
      closing.abort(busy(path, "The cache was closed meanwhile. Try again."));
      isCompacting = false;
      if (db.open && used.hasAny()) {
        try {
          write(() => used.write());
        } catch {
          // When something was last looked at is worth no fault at the end.
        }
      }
      run(() => closeCleanly(db, announced));
    },
  };
}

/** What `work` gives when `transaction` runs it: one prepared wrapper serves for all types of results. */
function resultOf<T>(transaction: (work: () => void) => void, work: () => T): T {
  let result: { readonly value: T } | null = null;
  transaction(() => {
    result = { value: work() };
  });
  return result!.value;
}

/** Turns whatever is thrown into a `StoreError`, and remembers damage for the next opening. */
function guard(path: string, onDamage: (message: string) => void): <T>(work: () => T) => T {
  let isTold = false;
  return (work) => {
    try {
      return work();
    } catch (thrown) {
      const error = toStoreError(path, thrown);
      if (error.kind !== "corrupt") throw error;
      markDamaged(path, String(thrown));
      const detail = thrown instanceof DamagedData || thrown instanceof Error ? thrown.message : String(thrown);
      const said = `${path}: The cache is damaged (${detail}). Rebuild it under Storage, or start the program again: it is put aside then, and begun anew.`;
      if (!isTold) onDamage(said);
      isTold = true;
      throw new StoreError("corrupt", path, said, thrown);
    }
  };
}

function closeCleanly(db: Db, announced: Opening): void {
  if (!db.open) return;
  try {
    announced.withdraw();
  } finally {
    db.close();
  }
}

/** What another one writes while this one copies would be lost with the old file. @throws StoreError */
function demandAlone(path: string, announced: Opening): void {
  if (!announced.hasOthers()) return;
  throw busy(path, "Another program, perhaps the command line, works with this cache. Close it, then try again.");
}

function busy(path: string, sentence: string): StoreError {
  return new StoreError("busy", path, `${path}: ${sentence}`);
}

/** Compacts, and looks at the size of the dense copy while the thread cannot tell how far it is. */
async function compactInThread(path: string, usedBytes: number, { onProgress, signal }: WorkPace): Promise<void> {
  let furthest = 0;
  const tell = (share: number): void => {
    furthest = Math.max(furthest, share);
    onProgress(furthest);
  };
  const look = setInterval(() => tell(copiedShare(sizeOf(denseCopyOf(path)), usedBytes)), LOOK_EVERY_MS);
  try {
    await inThread("compact", path, { onProgress: tell, signal });
  } finally {
    clearInterval(look);
  }
}

/** Changes with every write to the file, of this connection to it or another. */
function changesOf(db: Db): string {
  return `${db.prepare("SELECT total_changes()").pluck().get()} ${db.pragma("data_version", { simple: true })}`;
}

/** Reads the whole copy once. @throws StoreError where it is not what the file holds */
async function demandSame(copyPath: string, expected: CacheStatistics): Promise<void> {
  const { db, tables } = openSound(copyPath);
  try {
    const { fileBytes: _, ...held } = statisticsOf(copyPath, db);
    const { fileBytes: __, ...wanted } = expected;
    if (!isDeepStrictEqual(held, wanted)) throw new DamagedData("it lacks something");
    let sinceMs = -Infinity;
    for (const _step of checkSteps(db, tables)) {
      if (performance.now() - sinceMs < SLICE_MS) continue;
      await otherTurns();
      sinceMs = performance.now();
    }
  } catch (thrown) {
    if (!(thrown instanceof DamagedData)) throw thrown;
    const said = `${copyPath}: The copy is not sound (${thrown.message}). The cache stays where it is: check the disk of the new place.`;
    throw new StoreError("io", copyPath, said, thrown);
  } finally {
    db.close();
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function statisticsOf(path: string, db: Db): CacheStatistics {
  const one = (sql: string): number => Number(db.prepare(sql).pluck().get() ?? 0);
  return {
    fileBytes: sizeOf(path) + sizeOf(`${path}-wal`),
    rows: one("SELECT sum(n) FROM chunk"),
    chunks: one("SELECT count(*) FROM chunk"),
    extents: one("SELECT count(*) FROM extent"),
    stations: one("SELECT count(*) FROM site"),
  };
}
