import type { Db } from "../database/database.ts";

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
