import type Database from "better-sqlite3";
import { checksum } from "#main/store/tables/keys.ts";

/** Converts a cache file to the format before the register. */
export function toFormBefore(db: Database.Database): void {
  db.exec(`
    DROP TABLE register;
    CREATE TABLE tally (
      site INTEGER NOT NULL, kind TEXT NOT NULL, interval_seconds INTEGER NOT NULL, raw INTEGER NOT NULL,
      chunks INTEGER NOT NULL, n INTEGER NOT NULL, buckets INTEGER NOT NULL,
      PRIMARY KEY (site, kind, interval_seconds, raw)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER chunk_comes AFTER INSERT ON chunk BEGIN SELECT 1; END;
    CREATE TRIGGER chunk_changes AFTER UPDATE ON chunk BEGIN SELECT 1; END;
    CREATE TRIGGER chunk_goes AFTER DELETE ON chunk BEGIN SELECT 1; END;
    ALTER TABLE chunk DROP COLUMN parts;
    ALTER TABLE station DROP COLUMN fetched_at_ms;
    ALTER TABLE station DROP COLUMN checksum;
    ALTER TABLE network DROP COLUMN fetched_at_ms;
    ALTER TABLE network DROP COLUMN checksum;
    ALTER TABLE catalogue DROP COLUMN checksum;
    ALTER TABLE setting DROP COLUMN checksum;
  `);
  const key = "site, kind, interval_seconds, raw, bucket_ms";
  const heads = db
    .prepare<[], (string | number | Uint8Array)[]>(`SELECT ${key}, n, first_ms, last_ms, variables, times FROM chunk`)
    .raw()
    .all();
  const seal = db.prepare<unknown[]>(
    `UPDATE chunk SET checksum = ? WHERE site = ? AND kind = ? AND interval_seconds = ? AND raw = ? AND bucket_ms = ?`,
  );
  for (const head of heads) seal.run(checksum(head.slice(0, 9), head[9] as Uint8Array), ...head.slice(0, 5));
  db.pragma("user_version = 4");
}
