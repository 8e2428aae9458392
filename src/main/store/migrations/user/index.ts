/** The first format of user.db. It has no place for keys: the operating system keeps them. */
const CONNECTIONS = `
CREATE TABLE connection (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, base_url TEXT NOT NULL, created_at_ms INTEGER NOT NULL,
  cache_file TEXT NOT NULL UNIQUE, kind TEXT NOT NULL CHECK (kind IN ('service', 'demo'))
) STRICT, WITHOUT ROWID;

-- spec, verdicts and counters are JSON.
CREATE TABLE job (
  id TEXT PRIMARY KEY, connection_id TEXT NOT NULL REFERENCES connection (id) ON DELETE CASCADE, spec TEXT NOT NULL,
  state TEXT NOT NULL, created_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL, verdicts TEXT, counters TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX job_of_connection ON job (connection_id, created_at_ms);

CREATE TABLE view (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Schedules, their ledgers and their runs. `content` is JSON; planned times up to `handled_ms` are in the ledger. */
const SCHEDULES = `
CREATE TABLE schedule (
  id TEXT PRIMARY KEY, connection_id TEXT NOT NULL REFERENCES connection (id) ON DELETE CASCADE, name TEXT NOT NULL UNIQUE,
  content TEXT NOT NULL, handled_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE schedule_run (
  id TEXT PRIMARY KEY, schedule_id TEXT NOT NULL REFERENCES schedule (id) ON DELETE CASCADE, started_ms INTEGER NOT NULL,
  content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX run_of_schedule ON schedule_run (schedule_id, started_ms);

-- The ledger: a row for each range that became due.
CREATE TABLE schedule_range (
  schedule_id TEXT NOT NULL REFERENCES schedule (id) ON DELETE CASCADE, start_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL,
  due_ms INTEGER NOT NULL, is_final INTEGER NOT NULL CHECK (is_final IN (0, 1)), content TEXT NOT NULL,
  PRIMARY KEY (schedule_id, start_ms, end_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX open_range ON schedule_range (schedule_id, is_final, due_ms);
`;

/** Settings of the application, and what a job needs to resume by itself: why it waits, and its next run. */
const SETTINGS = `
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- verdict_counts is JSON: a list of jobs need not read all their verdicts.
ALTER TABLE job ADD COLUMN reason TEXT;
ALTER TABLE job ADD COLUMN verdict_counts TEXT;
ALTER TABLE job ADD COLUMN keep_up INTEGER NOT NULL DEFAULT 0 CHECK (keep_up IN (0, 1));
ALTER TABLE job ADD COLUMN next_run_ms INTEGER;
`;

/** Named exports of the user. They refer to stations of their connection and are deleted with it. `content` is JSON. */
const SAVED_EXPORTS = `
CREATE TABLE saved_export (
  name TEXT PRIMARY KEY, connection_id TEXT NOT NULL REFERENCES connection (id) ON DELETE CASCADE, content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Connections whose cache came in a file: they have no key, and nothing is ever sent. Others may have a proxy and certificates. */
const FILES = `
ALTER TABLE connection ADD COLUMN is_file INTEGER NOT NULL DEFAULT 0 CHECK (is_file IN (0, 1));
ALTER TABLE connection ADD COLUMN proxy TEXT;
ALTER TABLE connection ADD COLUMN ca_file TEXT;
`;

/** In order; `user_version` of a file is the number of applied ones. Never change one, add one. */
export const USER_MIGRATIONS: readonly string[] = [CONNECTIONS, SETTINGS, SAVED_EXPORTS, FILES, SCHEDULES];
