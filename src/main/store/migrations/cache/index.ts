import type { Migration, Db } from "../../database/database.ts";
import { CHUNKS } from "./0001-chunks.ts";
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
function register(db: Db): void {
  db.exec(SQL);
  sumUp(db);
}

/**
 * What the data of each station takes, and what the user wants of it. Sizes are added up while chunks are written: to
 * look at the lengths of all blobs would read most of a large file.
 */
const SIZES = `
CREATE TABLE size (
  site INTEGER NOT NULL, variable TEXT NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (site, variable)
) STRICT, WITHOUT ROWID;
INSERT INTO size SELECT site, variable, sum(length(data) + coalesce(length(present), 0)) FROM chunk_column
  GROUP BY site, variable;
CREATE TRIGGER column_comes AFTER INSERT ON chunk_column BEGIN
  INSERT INTO size VALUES (new.site, new.variable, length(new.data) + coalesce(length(new.present), 0))
  ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER column_changes AFTER UPDATE ON chunk_column BEGIN
  UPDATE size SET bytes = bytes + length(new.data) + coalesce(length(new.present), 0)
    - length(old.data) - coalesce(length(old.present), 0)
  WHERE site = new.site AND variable = new.variable;
END;
CREATE TRIGGER column_goes AFTER DELETE ON chunk_column BEGIN
  UPDATE size SET bytes = bytes - length(old.data) - coalesce(length(old.present), 0)
  WHERE site = old.site AND variable = old.variable;
END;

-- By the service's own id: a pin outlives the data of its station.
CREATE TABLE care (
  station_id TEXT PRIMARY KEY, used_at_ms INTEGER, is_pinned INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
`;

/** How many values each chunk holds, side by side: a calendar of a year of stations reads nothing else. */
const VALUE_COUNTS = `
CREATE INDEX chunk_column_count ON chunk_column (site, variable, interval_seconds, raw, bucket_ms, n);
`;

/** Nothing of the tables: doubles are written in a form that earlier versions would take for damage. */
const SPLIT_DOUBLES = "";

/** In order; the number of those that were applied is the `user_version` of the file. Never change one, add one. */
export const CACHE_MIGRATIONS: readonly Migration[] = [CHUNKS, VALUE_COUNTS, SIZES, SPLIT_DOUBLES, register];
