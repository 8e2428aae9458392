/** The first form of user.db. There is no place for a key in it: keys are kept by the operating system. */
export const CONNECTIONS = `
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
