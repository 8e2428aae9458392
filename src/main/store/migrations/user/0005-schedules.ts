/** Downloads that repeat, and what became of them. `content` is JSON; planned times up to `handled_ms` are done with. */
export const SCHEDULES = `
CREATE TABLE schedule (
  id TEXT PRIMARY KEY, connection_id TEXT NOT NULL REFERENCES connection (id) ON DELETE CASCADE, name TEXT NOT NULL UNIQUE,
  content TEXT NOT NULL, handled_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE schedule_run (
  id TEXT PRIMARY KEY, schedule_id TEXT NOT NULL REFERENCES schedule (id) ON DELETE CASCADE, started_ms INTEGER NOT NULL,
  content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX run_of_schedule ON schedule_run (schedule_id, started_ms);
`;
