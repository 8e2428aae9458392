import { messageOf } from "#shared/thrown.ts";
import type { CacheDamage, CacheFindings } from "#shared/series/damage.ts";
import { dirname } from "node:path";
import { leaveOpen, writeAnswer } from "../answer/commit.ts";
import { openWriter } from "../answer/writer.ts";
import { cacheReader } from "./cacheReader.ts";
import { removeDeadCopies, usedBytesOf } from "../maintenance/compact.ts";
import { markDamaged, type Opening, opening } from "../maintenance/damage.ts";
import type { Db } from "../database/database.ts";
import { busy, isBroken, StoreError, toStoreError } from "../errors.ts";
import { copyExactly } from "../maintenance/exactCopy.ts";
import { countChunks, forgetSteps, stepByStep } from "./forget.ts";
import { damagedSentence, guard } from "./guard.ts";
import { EVERYTHING, healer, type Scope } from "../maintenance/mend/heal.ts";
import { lastUse } from "./lastUse.ts";
import { makePrivateFolder } from "../database/private.ts";
import { placeOf } from "../database/place.ts";
import { openOrReplace, type CheckedFile } from "./checkedFile.ts";
import { compactInThread } from "../maintenance/thread/compactInThread.ts";
import { inThread } from "../maintenance/thread/thread.ts";
import type { Cache, WorkPace } from "../types.ts";
import { shareFile, type FileLock, type FileLockOptions } from "../locks/fileLock.ts";

/** Who wants to know what is found out about a cache while it is used. */
export interface CacheWatch extends FileLockOptions {
  /**
   * Called when no other process can move or delete the file any more, before it is touched. Throws where it is not to be
   * opened after all.
   */
  readonly confirm?: () => void;
  /** Told once, when damage is found. */
  readonly onDamage?: (message: string) => void;
  /** Told when damage was found and left out: it is asked again. Summaries alone were made anew. */
  readonly onMended?: (damages: readonly CacheDamage[]) => void;
  /** Share of the check of a file that an earlier process did not close, 0 to 1. */
  readonly onCheck?: (share: number) => void;
}

/**
 * Opens the cache file of a connection, made anew with its folder where it is missing. A damaged file is put aside and
 * replaced by an empty one: `quarantined` tells where it lies. Several processes may have the same file open; each
 * commit is one transaction that merges with what is there at that moment, and fails where the file is at its place no
 * more. A file that an earlier process did not close
 * is checked in a thread while it is used: `checkedAfterKill` is the end of it.
 *
 * @throws StoreError where the file cannot be opened, was written by a newer program, or belongs to another one; every
 *   function of the cache throws it too, and damage found while reading leads to the quarantine at the next opening
 */
export function openCache(path: string, watch: CacheWatch = {}): Cache {
  try {
    makePrivateFolder(dirname(path));
    const use = shareFile(path, watch);
    try {
      watch.confirm?.();
      const { file, quarantined } = openOrReplace(path, use);
      return cacheOf(path, file, quarantined, use, watch);
    } catch (thrown) {
      use.close();
      throw thrown;
    }
  } catch (thrown) {
    throw toStoreError(path, thrown);
  }
}

function cacheOf(
  path: string,
  file: CheckedFile,
  quarantined: string | null,
  use: FileLock,
  { onDamage = () => {}, onMended = () => {}, onCheck = () => {} }: CacheWatch,
): Cache {
  const { db, tables, abandoned } = file;
  const announced = opening(db);
  const place = placeOf(path);
  removeDeadCopies(path);
  const closing = new AbortController();
  let isCompacting = false;
  let forgettings = 0;
  const run = guard(path, onDamage);
  const transaction = db.transaction((work: () => void) => work());
  const used = lastUse((usedAtMs) => tables.maintenance.use(usedAtMs));
  const demandFree = (): void => {
    if (isCompacting) throw busy(path, "The cache is being compacted. Wait for its end, or stop it, then try again.");
    place.demandSame();
    announced.announce();
  };
  const healing = healer(
    db,
    tables,
    (work) => {
      demandFree();
      resultOf(transaction.immediate, work);
    },
    onMended,
  );
  const read = <T>(work: () => T, scope: Scope): T =>
    run(() => healing.heal(() => resultOf(transaction.deferred, work), scope));
  const write = <T>(work: () => T, scope: Scope = EVERYTHING): T =>
    run(() => {
      demandFree();
      const result = healing.heal(
        () =>
          resultOf(transaction.immediate, () => {
            used.writeWhenDue();
            try {
              return work();
            } catch (thrown) {
              // What was read in a transaction that is taken back is not so.
              tables.verified.forget();
              throw thrown;
            }
          }),
        scope,
      );
      // Of a commit that went into a file that is not there any more nobody may think that it is kept.
      place.demandSame();
      return result;
    });
  const exclusively = async <T>(purpose: string, work: () => Promise<T>): Promise<T> => {
    const release = use.lockExclusively(purpose);
    try {
      return await work();
    } finally {
      release();
    }
  };
  const whileOpen = ({ onProgress, signal }: WorkPace): WorkPace => ({
    onProgress,
    signal: AbortSignal.any([signal, closing.signal]),
  });

  async function look(work: "check" | "repair", given: WorkPace): Promise<CacheFindings> {
    const pace = whileOpen(given);
    try {
      const findings = await inThread(work, path, pace);
      if (findings?.structure) tell(findings.structure);
      return findings ?? { damages: [], structure: null };
    } catch (thrown) {
      pace.signal.throwIfAborted();
      if (!isBroken(thrown)) throw toStoreError(path, thrown);
      const structure = messageOf(thrown);
      tell(structure);
      return { damages: [], structure };
    }
  }

  async function repair(pace: WorkPace): Promise<CacheFindings> {
    demandFree();
    try {
      return await look("repair", pace);
    } finally {
      tables.verified.forget();
      tables.caches.clear();
    }
  }

  async function checkAfterKill(): Promise<string | null> {
    if (abandoned.isNone) return null;
    onCheck(0);
    try {
      // The end is told below, once the file is known to be checked.
      const pace: WorkPace = {
        onProgress: (share) => void (share < 1 && onCheck(share)),
        signal: closing.signal,
      };
      const { damages, structure } = await look("check", pace);
      if (structure === null && damages.length > 0) {
        const mended = await repair(pace);
        onMended(mended.damages);
        if (mended.structure !== null) return damagedSentence(path, mended.structure);
      }
      if (structure === null) write(abandoned.forget);
      return structure === null ? null : damagedSentence(path, structure);
    } catch {
      // What could not be checked to its end is checked at the next opening.
      return null;
    } finally {
      onCheck(1);
    }
  }
  /** A broken file is put aside at its next opening. */
  function tell(structure: string): void {
    markDamaged(path, structure);
    onDamage(damagedSentence(path, structure));
  }

  const checkedAfterKill = checkAfterKill();
  const closed = (): StoreError => busy(path, "The cache was closed. Try again.");

  return {
    path,
    shownPath: path,
    quarantined,
    checkedAfterKill,
    async endChecks() {
      closing.abort(closed());
      await checkedAfterKill;
    },
    ...cacheReader(path, file, { run, read, used }),
    sizes: () =>
      (used.hasAny() && !isCompacting ? write : read)(() => {
        if (!isCompacting) used.write();
        return tables.maintenance.sizes();
      }, EVERYTHING),
    replaceCatalogue: (stations, networks, fetchedAtMs) =>
      write(() => tables.catalogue.replace(stations, networks, fetchedAtMs)),
    openAnswer: (scope) =>
      openWriter(scope, (normal, arrivals, finality) => {
        for (const id of scope.stationIds) used.note(id);
        const { stationIds, variables } = normal;
        const around = { ...EVERYTHING, stationIds, variables, mode: normal };
        return write(() => writeAnswer(tables, normal, arrivals, finality), around);
      }),
    leaveOpen: (cells) => write(() => leaveOpen(tables, cells), EVERYTHING),
    setSetting: (name, value) => write(() => tables.settings.set(name, value)),
    exclusively,
    isInPlace: place.isSame,
    forget(stationIds, range, variables = null) {
      const release = use.lockExclusively(FORGET);
      try {
        return write(
          () => {
            let rows = 0;
            for (const step of forgetSteps(db, tables, { stationIds, range, variables })) rows += step.rows;
            return rows;
          },
          { ...EVERYTHING, stationIds },
        );
      } finally {
        release();
      }
    },
    forgetPolitely: (forgetting, onProgress, signal) =>
      exclusively(FORGET, async () => {
        const total = read(() => countChunks(db, tables, forgetting.stationIds), EVERYTHING);
        forgettings++;
        try {
          return await stepByStep(() => forgetSteps(db, tables, forgetting), write, { total, onProgress, signal });
        } finally {
          forgettings--;
        }
      }),
    pin: (stationIds, isPinned) => write(() => tables.maintenance.pin(stationIds, isPinned)),
    check: (pace) => look("check", pace),
    repair,
    async compact(pace) {
      if (forgettings > 0)
        throw busy(path, "Data of this cache are being deleted. Wait until that is done, or stop it, then compact.");
      const release = use.lockExclusively("compact the cache");
      try {
        write(() => used.write());
        isCompacting = true;
        const work = whileOpen(pace);
        await compactInThread(path, usedBytesOf(db), work).catch((thrown: unknown) => {
          work.signal.throwIfAborted();
          run(() => {
            throw thrown;
          });
        });
      } finally {
        isCompacting = false;
        release();
      }
    },
    async copyTo(target, onProgress) {
      write(() => used.write());
      await exclusively("copy the cache", () => copyExactly(db, target, onProgress));
    },
    close() {
      closing.abort(closed());
      isCompacting = false;
      if (db.open && used.hasAny()) {
        try {
          write(() => used.write());
        } catch {
          // When something was last looked at is worth no fault at the end.
        }
      }
      try {
        run(() => closeCleanly(db, announced));
      } finally {
        use.close();
      }
    },
  };
}

const FORGET = "forget data of the cache";

/** What `work` gives when `transaction` runs it: one prepared wrapper serves for all types of results. */
function resultOf<T>(transaction: (work: () => void) => void, work: () => T): T {
  let result: { readonly value: T } | null = null;
  transaction(() => {
    result = { value: work() };
  });
  return result!.value;
}

function closeCleanly(db: Db, announced: Opening): void {
  if (!db.open) return;
  try {
    announced.withdraw();
  } finally {
    db.close();
  }
}
