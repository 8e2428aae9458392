/** Connections whose cache came in a file: there is no key for them, and nothing is ever sent. */
export const FILES = `
ALTER TABLE connection ADD COLUMN is_file INTEGER NOT NULL DEFAULT 0 CHECK (is_file IN (0, 1));
`;
