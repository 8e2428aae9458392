import { statSync } from "node:fs";
import { dirname } from "node:path";
import { backupBeforeStep, backupDaily, newestBackup } from "./backup.ts";
import { checkPages } from "./damage.ts";
import { APPLICATION_ID, type Db, migrate, openDatabase } from "./database.ts";
import { DamagedData, StoreError, toStoreError } from "./errors.ts";
import { USER_MIGRATIONS } from "./migrations/user/index.ts";
import { makePrivateFolder } from "./private.ts";
import { savedExportTable } from "./tables/savedExports.ts";
import { settingTable } from "./tables/settings.ts";
import type { ConnectionRecord, JobRecord, UserStore, ViewRecord } from "./types.ts";

/**
 * Opens user.db, made anew where it is missing. It is checked as a whole, copied once a day, and copied before it is
 * brought to a newer form. A damaged one is left as it is: the error names the newest copy.
 *
 * @throws StoreError
 */
export function openUserStore(path: string): UserStore {
  try {
    makePrivateFolder(dirname(path));
    refuseEmptied(path);
    const db = openDatabase(path, APPLICATION_ID.user);
    try {
      checkPages(db);
      migrate(db, USER_MIGRATIONS, APPLICATION_ID.user, (version) => backupBeforeStep(db, version));
      db.pragma("foreign_keys = ON");
      backupDaily(db, Date.now());
      return storeOf(path, db);
    } catch (thrown) {
      db.close();
      throw thrown;
    }
  } catch (thrown) {
    throw explained(path, thrown);
  }
}

/** An empty file where there was a full one would open as a new, empty store. */
function refuseEmptied(path: string): void {
  if (sizeOf(path) === 0 && sizeOf(`${path}-wal`) <= 0 && newestBackup(path) !== null)
    throw new DamagedData("an empty file");
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? -1;
}

function explained(path: string, thrown: unknown): StoreError {
  const error = toStoreError(path, thrown);
  if (error.kind !== "corrupt") return error;
  const backup = newestBackup(path);
  const advice =
    backup === null
      ? "There is no copy of it: move it away to begin with an empty list. Downloaded data is not affected."
      : `Its newest copy is ${backup}: close the program and put the copy in its place.`;
  const sentence = `${path}: The file with your connections and jobs is damaged; it was left as it is. ${advice}`;
  return new StoreError("corrupt", path, sentence, thrown);
}

type JobRow = Omit<JobRecord, "keepUp"> & { readonly keepUp: number };

const JOB_COLUMNS = `id, connection_id AS connectionId, spec, state, reason, created_at_ms AS createdAtMs,
  updated_at_ms AS updatedAtMs, counters, verdict_counts AS verdictCounts, keep_up AS keepUp, next_run_ms AS nextRunMs`;

function recordOf(row: JobRow): JobRecord {
  return { ...row, keepUp: row.keepUp === 1 };
}

function rowOf(job: JobRecord): JobRow {
  return { ...job, keepUp: job.keepUp ? 1 : 0 };
}

function storeOf(path: string, db: Db): UserStore {
  const run = <T>(work: () => T): T => {
    try {
      return work();
    } catch (thrown) {
      throw explained(path, thrown);
    }
  };
  const connections = db.prepare<[], ConnectionRecord>(
    `SELECT id, name, base_url AS baseUrl, created_at_ms AS createdAtMs, cache_file AS cacheFile,
       CASE is_file WHEN 1 THEN 'file' ELSE kind END AS kind FROM connection
     ORDER BY created_at_ms, id`,
  );
  // Not OR REPLACE: that would delete the old row, and with it the jobs.
  const putConnection = db.prepare<[ConnectionRecord]>(
    // The words that `kind` may hold are written into the first form of the table: a file has a column of its own.
    `INSERT INTO connection (id, name, base_url, created_at_ms, cache_file, kind, is_file)
     VALUES (@id, @name, @baseUrl, @createdAtMs, @cacheFile, iif(@kind = 'file', 'service', @kind), @kind = 'file')
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, base_url = excluded.base_url,
       cache_file = excluded.cache_file, kind = excluded.kind, is_file = excluded.is_file`,
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
  const savedExports = savedExportTable(db);
  const views = db.prepare<[], ViewRecord>("SELECT name, content FROM view ORDER BY name");
  const putView = db.prepare<[ViewRecord]>("INSERT OR REPLACE INTO view VALUES (@name, @content)");
  const deleteView = db.prepare<[string]>("DELETE FROM view WHERE name = ?");
  return {
    path,
    connections: () => run(() => connections.all()),
    putConnection: (connection) => run(() => void putConnection.run(connection)),
    deleteConnection: (id) => run(() => void deleteConnection.run(id)),
    jobs: () => run(() => jobs.all().map(recordOf)),
    job: (id) =>
      run(() => {
        const row = oneJob.get(id);
        return row ? recordOf(row) : null;
      }),
    verdicts: (jobId) => run(() => verdicts.get(jobId) ?? null),
    putJob: (job, text) => run(() => void (text === undefined ? putJob.run(rowOf(job)) : finishJob(job, text))),
    deleteJob: (id) => run(() => void deleteJob.run(id)),
    views: () => run(() => views.all()),
    putView: (view) => run(() => void putView.run(view)),
    deleteView: (name) => run(() => void deleteView.run(name)),
    savedExports: () => run(() => savedExports.all()),
    putSavedExport: (saved) => run(() => savedExports.put(saved)),
    renameSavedExport: (from, saved) => run(() => savedExports.rename(from, saved)),
    deleteSavedExport: (name) => run(() => savedExports.drop(name)),
    setting: (name) => run(() => settings.get(name)),
    putSetting: (name, value) => run(() => settings.set(name, value)),
    close: () => run(() => void db.close()),
  };
}
