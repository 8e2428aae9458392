/** Exports that the user gave a name. They name stations of their connection, and go with it. `content` is JSON. */
export const SAVED_EXPORTS = `
CREATE TABLE saved_export (
  name TEXT PRIMARY KEY, connection_id TEXT NOT NULL REFERENCES connection (id) ON DELETE CASCADE, content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
