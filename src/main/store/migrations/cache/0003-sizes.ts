/**
 * What the data of each station takes, and what the user wants of it. Sizes are added up while chunks are written: to
 * look at the lengths of all blobs would read most of a large file.
 */
export const SIZES = `
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
