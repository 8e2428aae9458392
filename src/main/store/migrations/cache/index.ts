import type { Migration, Db } from "../../database/database.ts";
import { rebuildRegister } from "../../maintenance/rebuildRegister.ts";

/**
 * The first format of a cache file. Everything of interest to people is in plain columns; only the rows are encoded.
 * `interval_seconds` 0 means every observation; `raw` is 0 or 1; times are UTC milliseconds.
 */
const CHUNKS = `
-- Openings that were not closed again: what is left here by a dead process asks for a check of the file.
CREATE TABLE opening (token TEXT PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE station (
  station_id TEXT PRIMARY KEY, position INTEGER NOT NULL, display_name TEXT NOT NULL, mountpoint TEXT,
  source_type TEXT NOT NULL, historic_data_from_ms INTEGER, resolution_seconds REAL NOT NULL,
  location_alias TEXT NOT NULL, country_code TEXT NOT NULL, latitude_deg REAL, longitude_deg REAL, height REAL,
  height_reference TEXT NOT NULL, ellipsoidal_height REAL, orthometric_height REAL, data_last_updated_ms INTEGER,
  network_id TEXT NOT NULL, network_code TEXT NOT NULL, created_at_ms INTEGER, updated_at_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE network (
  network_id TEXT PRIMARY KEY, position INTEGER NOT NULL, code TEXT NOT NULL, name TEXT NOT NULL,
  is_owner INTEGER NOT NULL, visibility TEXT, is_internal INTEGER, created_at_ms INTEGER, updated_at_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE catalogue (only INTEGER PRIMARY KEY CHECK (only = 1), fetched_at_ms INTEGER NOT NULL) STRICT;

-- Short numbers for the stations, because they are part of every key below.
CREATE TABLE site (
  site INTEGER PRIMARY KEY, station_id TEXT NOT NULL UNIQUE, checksum INTEGER NOT NULL DEFAULT 0
) STRICT;

-- variables names the columns that belong to the chunk, so that a lost one is noticed.
CREATE TABLE chunk (
  site INTEGER NOT NULL, kind TEXT NOT NULL, interval_seconds INTEGER NOT NULL, raw INTEGER NOT NULL,
  bucket_ms INTEGER NOT NULL, n INTEGER NOT NULL, first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL,
  variables TEXT NOT NULL, times BLOB NOT NULL, checksum INTEGER NOT NULL,
  PRIMARY KEY (site, kind, interval_seconds, raw, bucket_ms)
) STRICT, WITHOUT ROWID;

-- Chunks, rows and bucket starts of a kind added up: a chunk whose key was damaged is not found any more, but missed.
CREATE TABLE tally (
  site INTEGER NOT NULL, kind TEXT NOT NULL, interval_seconds INTEGER NOT NULL, raw INTEGER NOT NULL,
  chunks INTEGER NOT NULL, n INTEGER NOT NULL, buckets INTEGER NOT NULL,
  PRIMARY KEY (site, kind, interval_seconds, raw)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER chunk_comes AFTER INSERT ON chunk BEGIN
  INSERT INTO tally VALUES (new.site, new.kind, new.interval_seconds, new.raw, 1, new.n, new.bucket_ms)
  ON CONFLICT DO UPDATE SET chunks = chunks + 1, n = n + new.n, buckets = buckets + new.bucket_ms;
END;
CREATE TRIGGER chunk_changes AFTER UPDATE ON chunk BEGIN
  UPDATE tally SET n = n + new.n - old.n
  WHERE site = new.site AND kind = new.kind AND interval_seconds = new.interval_seconds AND raw = new.raw;
END;
CREATE TRIGGER chunk_goes AFTER DELETE ON chunk BEGIN
  UPDATE tally SET chunks = chunks - 1, n = n - old.n, buckets = buckets - old.bucket_ms
  WHERE site = old.site AND kind = old.kind AND interval_seconds = old.interval_seconds AND raw = old.raw;
END;

-- Large blobs want the pages of a rowid table; rows of one answer lie together in the order of their variables.
CREATE TABLE chunk_column (
  id INTEGER PRIMARY KEY, site INTEGER NOT NULL, variable TEXT NOT NULL, interval_seconds INTEGER NOT NULL,
  raw INTEGER NOT NULL, bucket_ms INTEGER NOT NULL, n INTEGER NOT NULL, min REAL, max REAL, mean REAL,
  codec TEXT NOT NULL, present BLOB, data BLOB NOT NULL, checksum INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX chunk_column_key ON chunk_column (site, variable, interval_seconds, raw, bucket_ms);

-- Apart from the data, successive buckets side by side: a plot of years reads nothing else.
CREATE TABLE pyramid (
  site INTEGER NOT NULL, variable TEXT NOT NULL, interval_seconds INTEGER NOT NULL, raw INTEGER NOT NULL,
  bucket_ms INTEGER NOT NULL, data BLOB NOT NULL, checksum INTEGER NOT NULL,
  PRIMARY KEY (site, variable, interval_seconds, raw, bucket_ms)
) STRICT, WITHOUT ROWID;

-- What was asked and answered. fetched_at_ms NULL is final, else provisional.
CREATE TABLE extent (
  site INTEGER NOT NULL, variable TEXT NOT NULL, interval_seconds INTEGER NOT NULL, raw INTEGER NOT NULL,
  start_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL, fetched_at_ms INTEGER, checksum INTEGER NOT NULL,
  PRIMARY KEY (site, variable, interval_seconds, raw, start_ms)
) STRICT, WITHOUT ROWID;
`;

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

/** Adds the register and other checksums that detect rows of an older state. Does not decode values. */
function register(db: Db): void {
  db.exec(SQL);
  rebuildRegister(db);
}

/**
 * Storage used by each station, its last use and pin. Sizes are updated with every write: reading the lengths of all
 * blobs would read most of a large file.
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

/** Number of values of each chunk in an index: a calendar of a year of stations reads nothing else. */
const VALUE_COUNTS = `
CREATE INDEX chunk_column_count ON chunk_column (site, variable, interval_seconds, raw, bucket_ms, n);
`;

/** Changes no table: doubles are encoded in a way that earlier versions would take for damage. */
const SPLIT_DOUBLES = "";

/** In order; `user_version` of a file is the number of applied ones. Never change one, add one. */
export const CACHE_MIGRATIONS: readonly Migration[] = [CHUNKS, VALUE_COUNTS, SIZES, SPLIT_DOUBLES, register];
