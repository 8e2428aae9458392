import type { Db } from "../database/database.ts";
import { checksum } from "./keys.ts";

export interface SettingTable {
  get(name: string): string | null;
  set(name: string, value: string | null): void;
}

export function settingTable(db: Db): SettingTable {
  const get = db.prepare<[string], string>("SELECT value FROM setting WHERE name = ?").pluck();
  const put = db.prepare<[string, string]>("INSERT OR REPLACE INTO setting VALUES (?, ?)");
  const drop = db.prepare<[string]>("DELETE FROM setting WHERE name = ?");
  return {
    get: (name) => get.get(name) ?? null,
    set: (name, value) => void (value === null ? drop.run(name) : put.run(name, value)),
  };
}

export interface SealedSettingTable extends SettingTable {
  /** Gives all that is there its checksum. */
  seal(): void;
}

/** Settings of a cache: one that is damaged is as if it was never set. */
export function sealedSettingTable(db: Db): SealedSettingTable {
  const get = db.prepare<[string], { value: string; checksum: number | null }>(
    "SELECT value, checksum FROM setting WHERE name = ?",
  );
  const all = db.prepare<[], { name: string; value: string }>("SELECT name, value FROM setting");
  const put = db.prepare<[string, string, number]>("INSERT OR REPLACE INTO setting VALUES (?, ?, ?)");
  const drop = db.prepare<[string]>("DELETE FROM setting WHERE name = ?");
  const write = (name: string, value: string): void => void put.run(name, value, checksum([name, value]));
  return {
    get(name) {
      const row = get.get(name);
      return row && row.checksum === checksum([name, row.value]) ? row.value : null;
    },
    set: (name, value) => (value === null ? void drop.run(name) : write(name, value)),
    seal() {
      for (const { name, value } of all.all()) write(name, value);
    },
  };
}
