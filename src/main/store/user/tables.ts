import type { UtcMs } from "#shared/time/utc.ts";
import type { Db } from "../database/database.ts";
import type { ScheduleRecord, ScheduleRunRecord, SavedExportRecord } from "./types.ts";

interface ScheduleTable {
  all(): ScheduleRecord[];
  put(record: ScheduleRecord): void;
  drop(id: string): void;
  /** Newest first. */
  runs(scheduleId: string): ScheduleRunRecord[];
  /**
   * Stores a run, deletes all but the `maxRuns` newest of its schedule and, if given, sets its `handledMs`, in one
   * transaction.
   */
  putRun(run: ScheduleRunRecord, maxRuns: number, handledMs?: UtcMs): void;
}

export function scheduleTable(db: Db): ScheduleTable {
  const all = db.prepare<[], ScheduleRecord>(
    "SELECT id, connection_id AS connectionId, name, content, handled_ms AS handledMs FROM schedule ORDER BY name",
  );
  // Not OR REPLACE, which would delete the old row and, with it, its runs.
  const put = db.prepare<[ScheduleRecord]>(
    `INSERT INTO schedule VALUES (@id, @connectionId, @name, @content, @handledMs)
     ON CONFLICT (id) DO UPDATE SET connection_id = @connectionId, name = @name, content = @content, handled_ms = @handledMs`,
  );
  const drop = db.prepare<[string]>("DELETE FROM schedule WHERE id = ?");
  const handle = db.prepare<[number, string]>("UPDATE schedule SET handled_ms = ? WHERE id = ?");
  const runs = db.prepare<[string], ScheduleRunRecord>(
    `SELECT id, schedule_id AS scheduleId, started_ms AS startedMs, content FROM schedule_run
     WHERE schedule_id = ? ORDER BY started_ms DESC, id`,
  );
  const insert = db.prepare<[ScheduleRunRecord]>(
    "INSERT OR REPLACE INTO schedule_run SELECT @id, id, @startedMs, @content FROM schedule WHERE id = @scheduleId",
  );
  // Runs that are later than the stored one were dated by a clock that was ahead, and must not push it out.
  const prune = db.prepare<[string, string, UtcMs, number]>(
    `DELETE FROM schedule_run WHERE schedule_id = ? AND id NOT IN (
       SELECT id FROM schedule_run WHERE schedule_id = ? ORDER BY started_ms > ?, started_ms DESC, id LIMIT ?)`,
  );
  const putRun = db.transaction((run: ScheduleRunRecord, maxRuns: number, handledMs?: UtcMs) => {
    insert.run(run);
    prune.run(run.scheduleId, run.scheduleId, run.startedMs, maxRuns);
    if (handledMs !== undefined) handle.run(handledMs, run.scheduleId);
  });
  return {
    all: () => all.all(),
    put: (record) => void put.run(record),
    drop: (id) => void drop.run(id),
    runs: (scheduleId) => runs.all(scheduleId),
    putRun,
  };
}

interface SavedExportTable {
  all(): SavedExportRecord[];
  put(record: SavedExportRecord): void;
  /** Stores an export and deletes the one of the old name, in one transaction. */
  rename(from: string, record: SavedExportRecord): void;
  drop(name: string): void;
}

export function savedExportTable(db: Db): SavedExportTable {
  const all = db.prepare<[], SavedExportRecord>(
    "SELECT name, connection_id AS connectionId, content FROM saved_export ORDER BY name",
  );
  const put = db.prepare<[SavedExportRecord]>(
    "INSERT OR REPLACE INTO saved_export VALUES (@name, @connectionId, @content)",
  );
  const drop = db.prepare<[string]>("DELETE FROM saved_export WHERE name = ?");
  const rename = db.transaction((from: string, record: SavedExportRecord) => {
    drop.run(from);
    put.run(record);
  });
  return {
    all: () => all.all(),
    put: (record) => void put.run(record),
    rename,
    drop: (name) => void drop.run(name),
  };
}
