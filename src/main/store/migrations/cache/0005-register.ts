import type { Db } from "../../database/database.ts";
import { sumUp } from "../../maintenance/sumUp.ts";

const SQL = `
-- Of each variable of a chunk, in the order of its list: the checksums of its values and of its pyramid, and how many values.
-- NULL in chunks of the form before.
ALTER TABLE chunk ADD COLUMN parts BLOB;

DROP TRIGGER chunk_comes;
DROP TRIGGER chunk_changes;
DROP TRIGGER chunk_goes;
DROP TABLE tally;

-- What the chunks, pyramids, counts and extents of some time add up to, under the id of their station: a page that the
-- disk lost, or gave back as it was before, does not fit it.
CREATE TABLE register (
  site INTEGER NOT NULL, kind TEXT NOT NULL, interval_seconds INTEGER NOT NULL, raw INTEGER NOT NULL,
  period_ms INTEGER NOT NULL, chunks INTEGER NOT NULL, n INTEGER NOT NULL, heads INTEGER NOT NULL,
  figures BLOB NOT NULL, checksum INTEGER NOT NULL,
  PRIMARY KEY (site, kind, interval_seconds, raw, period_ms)
) STRICT, WITHOUT ROWID;

-- fetched_at_ms ties a row to the catalogue that it came with.
ALTER TABLE station ADD COLUMN fetched_at_ms INTEGER;
ALTER TABLE station ADD COLUMN checksum INTEGER;
ALTER TABLE network ADD COLUMN fetched_at_ms INTEGER;
ALTER TABLE network ADD COLUMN checksum INTEGER;
ALTER TABLE catalogue ADD COLUMN checksum INTEGER;
ALTER TABLE setting ADD COLUMN checksum INTEGER;
`;

/** The register, and what else tells rows of different moments apart. Reads no values of the file. */
export function register(db: Db): void {
  db.exec(SQL);
  sumUp(db);
}
