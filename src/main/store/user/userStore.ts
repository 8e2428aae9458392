import { dirname } from "node:path";
import { codeOf } from "#shared/fault.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { log } from "../../log/index.ts";
import { checkPages, closedOnFailure, type Db, placeOf, sizeOf } from "../database/database.ts";
import { entriesOf, isSchema, openForm } from "../database/form.ts";
import { assertReadable } from "../database/permission.ts";
import { makeFolder } from "#formats/makeFolder.ts";
import { type Opened, openOrRead } from "../database/readOnly.ts";
import { DamagedData, StoreError, toStoreError } from "../errors.ts";
import { type FileLock, shareFile } from "../locks/fileLock.ts";
import { backupsOf, createDailyBackup } from "./backup.ts";
import { type Kind, type Records, recordsOf, USER_FORM } from "./records.ts";
import type {
  ConnectionRecord,
  JobRecord,
  SavedExportRecord,
  ScheduleRangeRecord,
  ScheduleRecord,
  ScheduleRunRecord,
  ViewRecord,
} from "./types.ts";
import {
  connectionOf,
  damageIn,
  jobOf,
  type RangeKey,
  rangeId,
  savedExportOf,
  scheduleOf,
  viewOf,
} from "./userRecords.ts";

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
  const isEmptied = sizeOf(path) === 0 && sizeOf(`${path}-wal`) === 0 && backupsOf(path).length > 0;
  if (isEmptied) throw new DamagedData("an empty file");
  assertReadable(path);
  const opened = openOrRead(path, USER_FORM.applicationId, () => openForm(path, USER_FORM));
  closedOnFailure(opened.db, assertSound);
  return opened;
}

/** Checks pages and schema. @throws DamagedData */
export function assertSound(db: Db): Db {
  checkPages(db);
  if (!isSchema(entriesOf(db), USER_FORM.sql)) throw new DamagedData("its tables are not those of its version");
  return db;
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
  const sentence = `${path}: The file with your connections and jobs is damaged; it was left as it is. ${advice}`;
  return new StoreError("corrupt", path, sentence, thrown);
}

/** Logs every change of state of a job, whoever runs it. */
function logState({ id, state, reason }: JobRecord): void {
  const sentence = `job ${id.slice(0, 8)} is ${state}`;
  if (reason === null) log.info(sentence);
  else log.warn(sentence, reason);
}

function createUserStore(path: string, { db, refusal, assertUnchanged }: Opened, lock: FileLock, now: () => UtcMs) {
  const place = placeOf(path);
  const records = recordsOf(db);
  const damage = damageIn(records);
  if (damage.length > 0) log.warn("user.db has damaged records", damage.join("; "));
  const backups = createDailyBackup(db, {
    hasRecords: () => records.count("connection") > 0,
    isIntact: () => records.damaged().length === 0,
    now,
  });
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
      transaction.immediate(work);
      place.assertInPlace();
      backups.afterChange();
    });
  const remove = (kind: Kind, id: string): void => change(() => records.remove(kind, id));
  const refuse = (sentence: string): never => {
    throw new StoreError("internal", path, `${path}: This cannot be stored: ${sentence}`);
  };
  /** What refers to a connection is deleted with it, also if another process has just done so. */
  const assertConnection = (id: string): void => {
    if (!records.has("connection", id)) refuse("its connection was removed meanwhile.");
  };
  const jobs = (): JobRecord[] => records.all("job").map(jobOf).toSorted(byAge);
  const jobFor = (id: string): JobRecord | null => {
    const found = records.get("job", id);
    return found && jobOf(found);
  };
  const removeJob = (id: string): void => {
    records.remove("job", id);
    records.remove("verdicts", id);
  };
  const savedExports = (): SavedExportRecord[] => records.all("savedExport").map(savedExportOf);
  const putExport = ({ name, ...saved }: SavedExportRecord): void => {
    assertConnection(saved.connectionId);
    records.put("savedExport", name, saved);
  };
  const schedules = (): ScheduleRecord[] =>
    records
      .all("schedule")
      .map(scheduleOf)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const removeSchedule = (id: string): void => {
    records.remove("schedule", id);
    for (const kind of ["openRange", "finalRange", "run"] as const) records.removeOwned(kind, id);
  };
  const putRange = (range: ScheduleRangeRecord): void => {
    const id = rangeId(range);
    records.remove(range.isFinal ? "openRange" : "finalRange", id);
    records.put(range.isFinal ? "finalRange" : "openRange", id, range);
  };
  const hasRange = (range: RangeKey): boolean =>
    records.has("openRange", rangeId(range)) || records.has("finalRange", rangeId(range));
  /** Ranges and runs of a schedule that another process has removed are not stored. */
  const ofExisting = <T extends { readonly scheduleId: string }>(all: readonly T[]): T[] =>
    all.filter(({ scheduleId }) => records.has("schedule", scheduleId));

  /** Settings of a file that can only be read last until the program ends. */
  const unsaved = new Map<string, string | null>();

  return {
    path,
    /** Names the records that were damaged when the file was opened; empty if there are none. */
    damage: damage as readonly string[],
    /** Why the file can only be read: its disk is full or read-only. Settings then last until the program ends. */
    refusal,
    /** @throws StoreError if the file can only be read */
    assertWritable,
    /** Oldest first, like `jobs`. */
    connections: (): readonly ConnectionRecord[] =>
      read(() => records.all("connection").map(connectionOf).toSorted(byAge)),
    putConnection: (connection: ConnectionRecord) =>
      change(() => {
        const { id, cacheFile } = connection;
        const isTaken = records.all("connection").some((c) => c.id !== id && connectionOf(c).cacheFile === cacheFile);
        if (isTaken) refuse("another connection has the same cache.");
        records.put("connection", id, connection);
      }),
    /** Deletes a connection with its jobs and exports. The caller deletes its cache file. */
    deleteConnection: (id: string) =>
      change(() => {
        records.remove("connection", id);
        for (const job of jobs()) if (job.connectionId === id) removeJob(job.id);
        for (const saved of savedExports()) if (saved.connectionId === id) records.remove("savedExport", saved.name);
        for (const schedule of schedules()) if (schedule.connectionId === id) removeSchedule(schedule.id);
      }),
    jobs: (): readonly JobRecord[] => read(jobs),
    job: (id: string) => read(() => jobFor(id)),
    /** Returns null before the job first ends, and if the verdicts are damaged. */
    verdicts: (jobId: string) =>
      read((): readonly Verdict[] | null => {
        const found = records.get("verdicts", jobId);
        return found === null || found.isDamaged ? null : (found.value as Verdict[]);
      }),
    /** Stores a job and, if given, replaces its verdicts, in one transaction. */
    putJob(job: JobRecord, judged?: readonly Verdict[]): void {
      let before: JobRecord | null = null;
      change(() => {
        assertConnection(job.connectionId);
        before = jobFor(job.id);
        records.put("job", job.id, job);
        if (judged !== undefined) records.put("verdicts", job.id, judged);
      });
      if (job.state !== (before as JobRecord | null)?.state) logState(job);
    },
    deleteJob: (id: string) => change(() => removeJob(id)),
    /** By name, like exports and schedules. */
    views: (): readonly ViewRecord[] => read(() => records.all("view").map(viewOf)),
    putView: ({ name, content }: ViewRecord) => change(() => records.put("view", name, { content })),
    deleteView: (name: string) => remove("view", name),
    savedExports: (): readonly SavedExportRecord[] => read(savedExports),
    putSavedExport: (saved: SavedExportRecord) => change(() => putExport(saved)),
    /** Stores an export under its new name and deletes the one of the old name, in one transaction. */
    renameSavedExport: (from: string, saved: SavedExportRecord) =>
      change(() => {
        records.remove("savedExport", from);
        putExport(saved);
      }),
    deleteSavedExport: (name: string) => remove("savedExport", name),
    schedules: (): readonly ScheduleRecord[] => read(schedules),
    putSchedule: ({ id, ...schedule }: ScheduleRecord) =>
      change(() => {
        assertConnection(schedule.connectionId);
        if (schedules().some((other) => other.name === schedule.name && other.id !== id))
          refuse(`another schedule is called “${schedule.name}”.`);
        records.put("schedule", id, schedule);
      }),
    /** Deletes a schedule with its runs. */
    deleteSchedule: (id: string) => change(() => removeSchedule(id)),
    /** Ranges of the ledger of a schedule, first due first; all, or only those that are not final. */
    scheduleRanges: (scheduleId: string, which: "all" | "open"): readonly ScheduleRangeRecord[] =>
      read(() => [
        ...records.all("openRange", scheduleId),
        ...(which === "open" ? [] : records.all("finalRange", scheduleId)),
      ])
        .flatMap((found) => (found.isDamaged ? [] : [found.value as ScheduleRangeRecord]))
        .toSorted((a, b) => a.dueMs - b.dueMs || a.startMs - b.startMs),
    /** Adds ranges that are not in the ledger yet, and updates the schedule, in one transaction. */
    enterScheduleRanges: (scheduleId: string, ranges: readonly ScheduleRangeRecord[], handledMs: UtcMs) =>
      change(() => {
        const found = records.get("schedule", scheduleId);
        if (found === null || found.isDamaged) return;
        for (const range of ranges) if (!hasRange(range)) putRange(range);
        records.put("schedule", scheduleId, { ...(found.value as ScheduleRecord), handledMs });
      }),
    /** Stores ranges and deletes the earliest final ones of the schedule beyond a number. */
    putScheduleRanges: (ranges: readonly ScheduleRangeRecord[], most: number) =>
      change(() => {
        const own = ofExisting(ranges);
        for (const range of own) putRange(range);
        for (const id of new Set(own.map(({ scheduleId }) => scheduleId)))
          records.removeFirst(
            "finalRange",
            id,
            Math.max(0, records.count("openRange", id) + records.count("finalRange", id) - most),
          );
      }),
    /** Deletes a range that was never delivered, such as one of a time that a wrong clock showed. */
    deleteScheduleRange: (range: RangeKey) =>
      change(() => {
        for (const kind of ["openRange", "finalRange"] as const) records.remove(kind, rangeId(range));
      }),
    /** Newest first. */
    scheduleRuns: (scheduleId: string): readonly ScheduleRunRecord[] => read(() => runsOf(records, scheduleId)),
    /** Stores a run and deletes the oldest runs of its schedule beyond a number. */
    putScheduleRun: (run: ScheduleRunRecord, most: number) =>
      change(() => {
        if (ofExisting([run]).length === 0) return;
        records.put("run", runId(run), run);
        // Runs that are later than the stored one were dated by a clock that was ahead, and must not push it out.
        const rank = (other: ScheduleRunRecord): number => Number(other.startedMs > run.startedMs);
        const surplus = runsOf(records, run.scheduleId)
          .toSorted((a, b) => rank(a) - rank(b))
          .slice(most);
        for (const other of surplus) records.remove("run", runId(other));
      }),
    /** Returns a setting of the application; null if it was never set. */
    setting: (name: string) =>
      read(() => {
        if (unsaved.has(name)) return unsaved.get(name) ?? null;
        const found = records.get("setting", name);
        return found === null || found.isDamaged ? null : (found.value as string);
      }),
    putSetting(name: string, value: string | null): void {
      if (refusal !== null) unsaved.set(name, value);
      else change(() => (value === null ? records.remove("setting", name) : records.put("setting", name, value)));
    },
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

/**
 * The data that cannot be downloaded again: connections, jobs, views, exports, schedules and settings. Every function
 * throws `StoreError`.
 */
export type UserStore = ReturnType<typeof createUserStore>;

interface Aged {
  readonly id: string;
  readonly createdAtMs: number;
}

function byAge(a: Aged, b: Aged): number {
  return a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1);
}

function runId({ scheduleId, id }: Pick<ScheduleRunRecord, "scheduleId" | "id">): string {
  return `${scheduleId} ${id}`;
}

/** Newest first. */
function runsOf(records: Records, scheduleId: string): ScheduleRunRecord[] {
  return records
    .all("run", scheduleId)
    .flatMap((found) => (found.isDamaged ? [] : [found.value as ScheduleRunRecord]))
    .toSorted((a, b) => b.startedMs - a.startedMs || (a.id < b.id ? -1 : 1));
}
