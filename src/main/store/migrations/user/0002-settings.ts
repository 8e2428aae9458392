/** Settings of the application, and what a job needs to go on by itself: why it waits, when it asks again. */
export const SETTINGS = `
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- verdict_counts is JSON: a list of jobs need not read all their verdicts.
ALTER TABLE job ADD COLUMN reason TEXT;
ALTER TABLE job ADD COLUMN verdict_counts TEXT;
ALTER TABLE job ADD COLUMN keep_up INTEGER NOT NULL DEFAULT 0 CHECK (keep_up IN (0, 1));
ALTER TABLE job ADD COLUMN next_run_ms INTEGER;
`;
