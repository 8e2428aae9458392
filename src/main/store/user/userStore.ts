import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "#shared/fault.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { log } from "../../log/index.ts";
import { checkPages, closedOnFailure, foreignCommitsOf } from "../database/database.ts";
import { placeOf } from "../database/place.ts";
import { bytesOfFile } from "../database/statistics.ts";
import { makeFolder } from "#formats/makeFolder.ts";
import { type Opened, openOrRead } from "../database/readOnly.ts";
import { DamagedData, StoreError, toStoreError } from "../errors.ts";
import { type FileLock, shareFile } from "../fileLock.ts";
import { backupsOf, createDailyBackup } from "./backup.ts";
import { namedRecords, scheduleRecords } from "./namedRecords.ts";
import { type Kind, type Records, recordsOf, USER_FORM } from "./records.ts";
import { connectionRecords, jobRecords, settingRecords } from "./stored.ts";
import { damageIn } from "./userRecords.ts";

/**
 * Opens user.db; creates it if missing. It is checked completely, and backed up once a day. A damaged file is left
 * unchanged: the error says how to restore a backup. Damaged records are returned in a harmless form that says so.
 *
 * @param now the clock that names backups
 * @throws StoreError
 */
export function openUserStore(path: string, now: () => UtcMs = Date.now): UserStore {
  try {
    makeFolder(dirname(path), 0o700);
    const lock = shareFile(path);
    try {
      return createUserStore(path, openCheckedUsers(path), lock, now);
    } catch (thrown) {
      lock.close();
      throw thrown;
    }
  } catch (thrown) {
    throw explainError(path, thrown);
  }
}

/** Opens and checks user.db. @throws DamagedData, StoreError, and what SQLite throws */
export function openCheckedUsers(path: string): Opened {
  // An empty file would open as a new, empty store.
  const isEmptied = bytesOfFile(path) === 0 && bytesOfFile(`${path}-wal`) === 0 && backupsOf(path).length > 0;
  if (isEmptied) throw new DamagedData("an empty file");
  const opened = openOrRead(path, USER_FORM);
  closedOnFailure(opened.db, checkPages);
  return opened;
}

function explainError(path: string, thrown: unknown): StoreError {
  const error = toStoreError(path, thrown);
  // The schema was checked when the file was opened.
  const isDamage = error.kind === "corrupt" || codeOf(thrown) === "SQLITE_ERROR";
  if (!isDamage && error.kind !== "foreign" && error.kind !== "newer") return error;
  const [newest] = backupsOf(path);
  const advice =
    newest === undefined
      ? "It has no backup. Move it away to start with an empty list. Downloaded data are not affected; “zenith cache adopt” restores their connection."
      : `Its newest backup is ${newest.path}: close the program, and put the backup in its place with “zenith restore newest”.`;
  if (!isDamage) {
    // The file of a newer version is complete: in its place, a backup would lose what was changed since.
    const doubt =
      error.kind === "newer"
        ? "Only if you have never used a newer version, it is damaged."
        : "If it was yours, it may be damaged.";
    return new StoreError(error.kind, path, `${error.message} ${doubt} ${advice}`, thrown);
  }
  const state = existsSync(path) ? "is damaged. It was not changed" : "is missing";
  const sentence = `${path}: The file with your connections and jobs ${state}. ${advice}`;
  return new StoreError("corrupt", path, sentence, thrown);
}

function createUserStore(path: string, { db, refusal, assertUnchanged }: Opened, lock: FileLock, now: () => UtcMs) {
  const place = placeOf(path);
  const records = recordsOf(db);
  const damage = damageIn(records);
  if (damage.length > 0) log.warn("user.db has damaged records", damage.join("; "));
  const foreignCommits = foreignCommitsOf(db);
  const followers: (() => void)[] = [];
  const backups = createDailyBackup(db, records, now);
  const transaction = db.transaction((work: () => void) => work());
  const explained = <T>(work: () => T): T => {
    try {
      return work();
    } catch (thrown) {
      throw explainError(path, thrown);
    }
  };
  const read = <T>(work: () => T): T =>
    explained(() => {
      const found = work();
      assertUnchanged();
      return found;
    });
  const assertWritable = (): void => {
    if (refusal !== null) throw refusal;
  };
  const change = (work: () => void): void =>
    explained(() => {
      assertWritable();
      place.assertInPlace();
      backups.beforeChange();
      records.touched.clear();
      transaction.immediate(work);
      place.assertInPlace();
      backups.afterChange();
      for (const tell of followers) tell();
    });
  const refuse = (sentence: string): never => {
    throw new StoreError("internal", path, `${path}: This cannot be stored: ${sentence}`);
  };
  const access = { records, read, change, refuse };
  return {
    path,
    /** Names the records that were damaged when the file was opened; empty if there are none. */
    damage: damage as readonly string[],
    /** Why the file can only be read: its disk is full or read-only. Settings then last until the program ends. */
    refusal,
    /** @throws StoreError if the file can only be read */
    assertWritable,
    /**
     * Tells, once, which kinds of records were changed: by this process, after each change; by others, when the returned
     * function is called, which costs next to nothing if there was no change.
     */
    follow<K extends Kind>(kinds: readonly K[], onChange: (kind: K) => void): () => void {
      const compare = comparison(records, kinds, onChange);
      followers.push(() => compare(kinds.filter((kind) => records.touched.has(kind))));
      let seen = foreignCommits();
      return () => {
        const now = foreignCommits();
        if (now === seen) return;
        seen = now;
        compare(kinds);
      };
    },
    ...connectionRecords(access),
    ...jobRecords(access),
    ...namedRecords(access),
    ...scheduleRecords(access),
    ...settingRecords(access, refusal === null),
    close: () =>
      explained(() => {
        try {
          if (refusal === null && place.isSame()) backups.close();
        } finally {
          db.close();
          lock.close();
        }
      }),
  };
}

/** Tells which of some kinds of records differ from when that was asked last. */
function comparison<K extends Kind>(records: Records, kinds: readonly K[], onChange: (kind: K) => void) {
  const sums = new Map(kinds.map((kind) => [kind, records.sum(kind)]));
  return (among: readonly K[]): void => {
    for (const kind of among) {
      const sum = records.sum(kind);
      if (sums.get(kind) === sum) continue;
      sums.set(kind, sum);
      onChange(kind);
    }
  };
}

/**
 * The data that cannot be downloaded again: connections, jobs, views, exports, schedules and settings. Every function
 * throws `StoreError`.
 */
export type UserStore = ReturnType<typeof createUserStore>;
