import type { Db } from "../database/database.ts";
import type { SavedExportRecord } from "../types.ts";

export interface SavedExportTable {
  all(): SavedExportRecord[];
  put(record: SavedExportRecord): void;
  /** Puts the one and takes the other away, in one step. */
  rename(from: string, record: SavedExportRecord): void;
  drop(name: string): void;
}

export function savedExportTable(db: Db): SavedExportTable {
  const all = db.prepare<[], SavedExportRecord>(
    "SELECT name, connection_id AS connectionId, content FROM saved_export ORDER BY name",
  );
  const put = db.prepare<[SavedExportRecord]>(
    "INSERT OR REPLACE INTO saved_export VALUES (@name, @connectionId, @content)",
  );
  const drop = db.prepare<[string]>("DELETE FROM saved_export WHERE name = ?");
  const rename = db.transaction((from: string, record: SavedExportRecord) => {
    drop.run(from);
    put.run(record);
  });
  return {
    all: () => all.all(),
    put: (record) => void put.run(record),
    rename,
    drop: (name) => void drop.run(name),
  };
}
