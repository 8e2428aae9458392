import { APPLICATION_ID } from "../database/database.ts";
import type { FileForm } from "../database/form.ts";

/**
 * The tables of a cache file. `interval_seconds` 0 means every observation; `raw` is 0 or 1; times are UTC milliseconds.
 *
 * A row of `bucket` is all that the cache knows of one station, kind and mode in one bucket of time: see `bucketRow.ts`.
 * It names the rows of `bucket_column` and `pyramid` with their checksums; nothing else refers to them.
 */
export const CACHE_FORM: FileForm = {
  applicationId: APPLICATION_ID.cache,
  sql: `
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Stations and networks, as compressed JSON.
CREATE TABLE catalogue (
  only INTEGER PRIMARY KEY CHECK (only = 1), checksum INTEGER NOT NULL, content BLOB NOT NULL
) STRICT;

-- n repeats the number of rows in content, for statistics.
CREATE TABLE bucket (
  kind TEXT NOT NULL, interval_seconds INTEGER NOT NULL, raw INTEGER NOT NULL, station_id TEXT NOT NULL,
  bucket_ms INTEGER NOT NULL, n INTEGER NOT NULL, content BLOB NOT NULL,
  PRIMARY KEY (kind, interval_seconds, raw, station_id, bucket_ms)
) STRICT, WITHOUT ROWID;

-- Large blobs need the pages of a rowid table; the columns of one variable in one response are adjacent.
CREATE TABLE bucket_column (
  id INTEGER PRIMARY KEY, variable TEXT NOT NULL, codec TEXT NOT NULL, present BLOB, data BLOB NOT NULL
) STRICT;

-- Apart from the data, because a plot of years reads nothing else. The id is that of the column.
CREATE TABLE pyramid (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;

-- By the service's own id: a pin outlives the data of its station.
CREATE TABLE maintenance (
  station_id TEXT PRIMARY KEY, used_at_ms INTEGER, is_pinned INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
`,
};
