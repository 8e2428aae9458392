import { type Db, withDatabase } from "../database/database.ts";
import { attempt } from "#shared/fault.ts";
import { openReader } from "../database/readOnly.ts";
import { checksum } from "./keys.ts";
import { CACHE_FORM } from "./schema.ts";

/** Opens the settings of a cache. A damaged setting reads as if it was never set. */
export function settingTable(db: Db) {
  const select = db.prepare<[string], { value: string; checksum: number }>(
    "SELECT value, checksum FROM setting WHERE name = ?",
  );
  const insert = db.prepare<[string, string, number]>("INSERT OR REPLACE INTO setting VALUES (?, ?, ?)");
  const deleteOne = db.prepare<[string]>("DELETE FROM setting WHERE name = ?");
  return {
    get(name: string): string | null {
      const row = select.get(name);
      return row && row.checksum === checksum([name, row.value]) ? row.value : null;
    },
    set(name: string, value: string | null): void {
      if (value === null) deleteOne.run(name);
      else insert.run(name, value, checksum([name, value]));
    },
  };
}

/**
 * Returns a function that reads settings of a cache without opening it for writing; null for all settings of an
 * unreadable one.
 */
export function readSettings(path: string): (name: string) => string | null {
  return (name) => attempt(() => withDatabase(openReader(path, CACHE_FORM), (db) => settingTable(db).get(name)));
}
