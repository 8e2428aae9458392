/** The first form of user.db. There is no place for a key in it: keys are kept by the operating system. */
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

/** Downloads that repeat, and what became of them. `content` is JSON; planned times up to `handled_ms` are done with. */
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
`;

/** Settings of the application, and what a job needs to go on by itself: why it waits, when it asks again. */
const SETTINGS = `
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- verdict_counts is JSON: a list of jobs need not read all their verdicts.
ALTER TABLE job ADD COLUMN reason TEXT;
ALTER TABLE job ADD COLUMN verdict_counts TEXT;
ALTER TABLE job ADD COLUMN keep_up INTEGER NOT NULL DEFAULT 0 CHECK (keep_up IN (0, 1));
ALTER TABLE job ADD COLUMN next_run_ms INTEGER;
`;

/** Exports that the user gave a name. They name stations of their connection, and go with it. `content` is JSON. */
const SAVED_EXPORTS = `
CREATE TABLE saved_export (
  name TEXT PRIMARY KEY, connection_id TEXT NOT NULL REFERENCES connection (id) ON DELETE CASCADE, content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Connections whose cache came in a file: there is no key for them, and nothing is ever sent. */
const FILES = `
ALTER TABLE connection ADD COLUMN is_file INTEGER NOT NULL DEFAULT 0 CHECK (is_file IN (0, 1));
`;

/** In order; the number of those that were applied is the `user_version` of the file. Never change one, add one. */
export const USER_MIGRATIONS: readonly string[] = [CONNECTIONS, SETTINGS, SAVED_EXPORTS, FILES, SCHEDULES];
