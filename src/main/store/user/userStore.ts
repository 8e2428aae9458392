import { statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "#shared/fault.ts";
import { log } from "../../log/index.ts";
import { addressesIn, backupBeforeStep, backupsOf, createBackups, newestBackup } from "./backup.ts";
import {
  APPLICATION_ID,
  checkPages,
  closedOnFailure,
  type Db,
  migrate,
  openDatabase,
  openInMemory,
  placeOf,
} from "../database/database.ts";
import { DamagedData, StoreError, toStoreError } from "../errors.ts";
import { USER_MIGRATIONS } from "../migrations/user/index.ts";
import { makePrivateFolder } from "../database/private.ts";
import { settingTable } from "../tables/settings.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type {
  ConnectionRecord,
  JobRecord,
  SavedExportRecord,
  ScheduleRangeRecord,
  ScheduleRecord,
  ScheduleRunRecord,
  UserStore,
  ViewRecord,
} from "./types.ts";
import { shareFile, type FileLock } from "../locks/fileLock.ts";
import { assertConnection, assertJob, assertVerdicts, type JobRow, rowOf, assertUserSchema } from "./userRecords.ts";

/**
 * Opens user.db; creates it if missing. It is checked completely, and backed up before a migration and after changes. A
 * damaged file is left unchanged: the error says how to restore a backup. Damaged records are returned in a harmless
 * form that says so.
 *
 * @throws StoreError
 */
export function openUserStore(path: string): UserStore {
  try {
    makePrivateFolder(dirname(path));
    const lock = shareFile(path);
    try {
      return createUserStore(path, openCheckedUsers(path), lock);
    } catch (thrown) {
      lock.close();
      throw thrown;
    }
  } catch (thrown) {
    throw explainError(path, thrown);
  }
}

/** Opens and checks user.db. @throws DamagedData, StoreError, and what SQLite throws */
export function openCheckedUsers(path: string): Db {
  refuseEmptied(path);
  return checked(openDatabase(path, APPLICATION_ID.user), path, backupBeforeStep);
}

/** Opens and checks the content of a backup in memory. @throws as `openCheckedUsers`, and errors of the system */
export function readCheckedUsers(backup: string): Db {
  return checked(openInMemory(backup, APPLICATION_ID.user), backup, () => undefined);
}

function checked(opened: Db, path: string, beforeStep: (db: Db, version: number) => void): Db {
  return closedOnFailure(opened, (db) => {
    // Never run code that others wrote into the schema.
    db.pragma("trusted_schema = OFF");
    checkPages(db);
    migrate(db, USER_MIGRATIONS, APPLICATION_ID.user, (version) => beforeStep(db, version), path);
    assertUserSchema(db);
    db.pragma("foreign_keys = ON");
    return db;
  });
}

/** Refuses an empty file if there are backups: it would open as a new, empty store. */
function refuseEmptied(path: string): void {
  if (sizeOf(path) === 0 && sizeOf(`${path}-wal`) <= 0 && newestBackup(path) !== null)
    throw new DamagedData("an empty file");
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? -1;
}

function explainError(path: string, thrown: unknown): StoreError {
  const error = toStoreError(path, thrown);
  const isConstraint = codeOf(thrown).startsWith("SQLITE_CONSTRAINT");
  if (error.kind === "internal" && isConstraint) {
    const sentence = `${path}: This cannot be kept: its connection was removed meanwhile, or another one has the same cache.`;
    return new StoreError("internal", path, sentence, thrown);
  }
  // Unexpected SQLite errors about tables that were sound when opened are damage too.
  const isDamage = error.kind === "corrupt" || (error.kind === "internal" && codeOf(thrown).startsWith("SQLITE_"));
  if (!isDamage && error.kind !== "foreign" && error.kind !== "newer") return error;
  const newest = newestBackup(path);
  const advice =
    newest === null
      ? "It has no backup. Move it away to start with an empty list. Downloaded data are not affected; “zenith cache adopt” restores their connection."
      : `Its newest backup is ${newest}: close the program, and put the backup in its place with “zenith restore newest”.`;
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

/** SQLite has no booleans. */
interface RangeRow extends Omit<ScheduleRangeRecord, "isFinal"> {
  readonly isFinal: number;
}

function rangeRow(range: ScheduleRangeRecord): RangeRow {
  return { ...range, isFinal: Number(range.isFinal) };
}

function rangeOf(row: RangeRow): ScheduleRangeRecord {
  return { ...row, isFinal: row.isFinal === 1 };
}

const JOB_COLUMNS = `id, connection_id AS connectionId, spec, state, reason, created_at_ms AS createdAtMs,
  updated_at_ms AS updatedAtMs, counters, verdict_counts AS verdictCounts, keep_up AS keepUp, next_run_ms AS nextRunMs`;

function createUserStore(path: string, db: Db, lock: FileLock): UserStore {
  const place = placeOf(path);
  const backups = createBackups(db);
  const run = <T>(work: () => T): T => {
    try {
      return work();
    } catch (thrown) {
      throw explainError(path, thrown);
    }
  };
  const change = (work: () => void, isPrecious = true): void =>
    run(() => {
      place.assertInPlace();
      work();
      place.assertInPlace();
      backups.changed(isPrecious);
    });
  const connections = db.prepare<[], ConnectionRecord>(
    `SELECT id, name, base_url AS baseUrl, created_at_ms AS createdAtMs, cache_file AS cacheFile,
       CASE is_file WHEN 1 THEN 'file' ELSE kind END AS kind, proxy, ca_file AS caFile FROM connection
     ORDER BY created_at_ms, id`,
  );
  // Not OR REPLACE, which would delete the old row and, with it, its jobs.
  const putConnection = db.prepare<[ConnectionRecord]>(
    // The first format of the table limits the values of `kind`, so a file has its own column.
    `INSERT INTO connection (id, name, base_url, created_at_ms, cache_file, kind, is_file, proxy, ca_file)
     VALUES (@id, @name, @baseUrl, @createdAtMs, @cacheFile, iif(@kind = 'file', 'service', @kind), @kind = 'file',
       @proxy, @caFile)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, base_url = excluded.base_url,
       cache_file = excluded.cache_file, kind = excluded.kind, is_file = excluded.is_file, proxy = excluded.proxy,
       ca_file = excluded.ca_file`,
  );
  const deleteConnection = db.prepare<[string]>("DELETE FROM connection WHERE id = ?");
  const jobs = db.prepare<[], JobRow>(`SELECT ${JOB_COLUMNS} FROM job ORDER BY created_at_ms, id`);
  const oneJob = db.prepare<[string], JobRow>(`SELECT ${JOB_COLUMNS} FROM job WHERE id = ?`);
  const putJob = db.prepare<[JobRow]>(
    `INSERT INTO job (id, connection_id, spec, state, reason, created_at_ms, updated_at_ms, counters, verdict_counts,
       keep_up, next_run_ms)
     VALUES (@id, @connectionId, @spec, @state, @reason, @createdAtMs, @updatedAtMs, @counters, @verdictCounts, @keepUp,
       @nextRunMs)
     ON CONFLICT (id) DO UPDATE SET spec = @spec, state = @state, reason = @reason, updated_at_ms = @updatedAtMs,
       counters = @counters, verdict_counts = @verdictCounts, keep_up = @keepUp, next_run_ms = @nextRunMs`,
  );
  const verdicts = db.prepare<[string], string | null>("SELECT verdicts FROM job WHERE id = ?").pluck();
  const putVerdicts = db.prepare<[string, string]>("UPDATE job SET verdicts = ? WHERE id = ?");
  const finishJob = db.transaction((job: JobRecord, text: string) => {
    putJob.run(rowOf(job));
    putVerdicts.run(text, job.id);
  });
  const deleteJob = db.prepare<[string]>("DELETE FROM job WHERE id = ?");
  const settings = settingTable(db);
  const savedExports = db.prepare<[], SavedExportRecord>(
    "SELECT name, connection_id AS connectionId, content FROM saved_export ORDER BY name",
  );
  const putSavedExport = db.prepare<[SavedExportRecord]>(
    "INSERT OR REPLACE INTO saved_export VALUES (@name, @connectionId, @content)",
  );
  const deleteSavedExport = db.prepare<[string]>("DELETE FROM saved_export WHERE name = ?");
  const renameSavedExport = db.transaction((from: string, record: SavedExportRecord) => {
    deleteSavedExport.run(from);
    putSavedExport.run(record);
  });
  const schedules = db.prepare<[], ScheduleRecord>(
    "SELECT id, connection_id AS connectionId, name, content, handled_ms AS handledMs FROM schedule ORDER BY name",
  );
  // Not OR REPLACE, which would delete the old row and, with it, its runs.
  const putSchedule = db.prepare<[ScheduleRecord]>(
    `INSERT INTO schedule VALUES (@id, @connectionId, @name, @content, @handledMs)
     ON CONFLICT (id) DO UPDATE SET connection_id = @connectionId, name = @name, content = @content, handled_ms = @handledMs`,
  );
  const deleteSchedule = db.prepare<[string]>("DELETE FROM schedule WHERE id = ?");
  const handleSchedule = db.prepare<[number, string]>("UPDATE schedule SET handled_ms = ? WHERE id = ?");
  const rangeColumns =
    "schedule_id AS scheduleId, start_ms AS startMs, end_ms AS endMs, due_ms AS dueMs, is_final AS isFinal, content";
  const allRanges = db.prepare<[string], RangeRow>(
    `SELECT ${rangeColumns} FROM schedule_range WHERE schedule_id = ? ORDER BY due_ms, start_ms`,
  );
  const openRanges = db.prepare<[string], RangeRow>(
    `SELECT ${rangeColumns} FROM schedule_range WHERE schedule_id = ? AND is_final = 0 ORDER BY due_ms, start_ms`,
  );
  const insertRange = (conflict: string) =>
    db.prepare<[RangeRow]>(
      `INSERT OR ${conflict} INTO schedule_range SELECT id, @startMs, @endMs, @dueMs, @isFinal, @content FROM schedule
       WHERE id = @scheduleId`,
    );
  const [enterRange, replaceRange] = [insertRange("IGNORE"), insertRange("REPLACE")];
  const pruneRanges = db.prepare<[string, string, number]>(
    `DELETE FROM schedule_range WHERE schedule_id = ? AND is_final = 1 AND due_ms < (
       SELECT due_ms FROM schedule_range WHERE schedule_id = ? ORDER BY due_ms DESC LIMIT 1 OFFSET ?)`,
  );
  const deleteRange = db.prepare<[string, UtcMs, UtcMs]>(
    "DELETE FROM schedule_range WHERE schedule_id = ? AND start_ms = ? AND end_ms = ?",
  );
  const enterRanges = db.transaction((id: string, ranges: readonly ScheduleRangeRecord[], handledMs: UtcMs) => {
    for (const range of ranges) enterRange.run(rangeRow(range));
    handleSchedule.run(handledMs, id);
  });
  const putRanges = db.transaction((ranges: readonly ScheduleRangeRecord[], most: number) => {
    for (const range of ranges) replaceRange.run(rangeRow(range));
    for (const id of new Set(ranges.map((range) => range.scheduleId))) pruneRanges.run(id, id, most - 1);
  });
  const scheduleRuns = db.prepare<[string], ScheduleRunRecord>(
    `SELECT id, schedule_id AS scheduleId, started_ms AS startedMs, content FROM schedule_run
     WHERE schedule_id = ? ORDER BY started_ms DESC, id`,
  );
  const insertRun = db.prepare<[ScheduleRunRecord]>(
    "INSERT OR REPLACE INTO schedule_run SELECT @id, id, @startedMs, @content FROM schedule WHERE id = @scheduleId",
  );
  // Runs that are later than the stored one were dated by a clock that was ahead, and must not push it out.
  const pruneRuns = db.prepare<[string, string, UtcMs, number]>(
    `DELETE FROM schedule_run WHERE schedule_id = ? AND id NOT IN (
       SELECT id FROM schedule_run WHERE schedule_id = ? ORDER BY started_ms > ?, started_ms DESC, id LIMIT ?)`,
  );
  const putRun = db.transaction((one: ScheduleRunRecord, maxRuns: number) => {
    insertRun.run(one);
    pruneRuns.run(one.scheduleId, one.scheduleId, one.startedMs, maxRuns);
  });
  const views = db.prepare<[], ViewRecord>("SELECT name, content FROM view ORDER BY name");
  const putView = db.prepare<[ViewRecord]>("INSERT OR REPLACE INTO view VALUES (@name, @content)");
  const deleteView = db.prepare<[string]>("DELETE FROM view WHERE name = ?");
  return {
    path,
    assertLasting() {},
    connections: () => run(() => connections.all().map(assertConnection)),
    backedUpAddresses: (connectionId) => run(() => addressesIn(backupsOf(path), connectionId)),
    putConnection: (connection) => change(() => void putConnection.run({ proxy: null, caFile: null, ...connection })),
    deleteConnection: (id) => change(() => void deleteConnection.run(id)),
    jobs: () => run(() => jobs.all().map(assertJob)),
    job: (id) =>
      run(() => {
        const row = oneJob.get(id);
        return row ? assertJob(row) : null;
      }),
    verdicts: (jobId) => run(() => assertVerdicts(verdicts.get(jobId) ?? null)),
    putJob: (job, judged) =>
      change(() => {
        const before = oneJob.get(job.id)?.state ?? null;
        if (judged === undefined) putJob.run(rowOf(job));
        else finishJob(job, JSON.stringify(judged));
        if (job.state !== before) logState(job);
      }, false),
    deleteJob: (id) => change(() => void deleteJob.run(id), false),
    views: () => run(() => views.all()),
    putView: (view) => change(() => void putView.run(view)),
    deleteView: (name) => change(() => void deleteView.run(name)),
    savedExports: () => run(() => savedExports.all()),
    putSavedExport: (saved) => change(() => void putSavedExport.run(saved)),
    renameSavedExport: (from, saved) => change(() => renameSavedExport(from, saved)),
    deleteSavedExport: (name) => change(() => void deleteSavedExport.run(name)),
    schedules: () => run(() => schedules.all()),
    putSchedule: (schedule) => change(() => void putSchedule.run(schedule)),
    deleteSchedule: (id) => change(() => void deleteSchedule.run(id)),
    scheduleRanges: (scheduleId, which) =>
      run(() => (which === "open" ? openRanges : allRanges).all(scheduleId).map(rangeOf)),
    enterScheduleRanges: (scheduleId, ranges, handledMs) =>
      change(() => enterRanges(scheduleId, ranges, handledMs), false),
    putScheduleRanges: (ranges, most) => change(() => putRanges(ranges, most), false),
    deleteScheduleRange: ({ scheduleId, startMs, endMs }) =>
      change(() => void deleteRange.run(scheduleId, startMs, endMs), false),
    scheduleRuns: (scheduleId) => run(() => scheduleRuns.all(scheduleId)),
    putScheduleRun: (one, maxRuns) => change(() => putRun(one, maxRuns), false),
    setting: (name) => run(() => settings.get(name)),
    putSetting: (name, value) => change(() => settings.set(name, value), false),
    close: () =>
      run(() => {
        try {
          if (place.isSame()) backups.flush();
        } finally {
          db.close();
          lock.close();
        }
      }),
  };
}
