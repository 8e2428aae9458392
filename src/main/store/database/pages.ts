import { DamagedData } from "../errors.ts";
import type { Db } from "./database.ts";

/** Returns the damage of a file's pages, as SQLite describes it; null if they are sound. */
export function structureDamageOf(db: Db): string | null {
  const found = String(db.pragma("quick_check(1)", { simple: true }));
  return found === "ok" ? null : found;
}

/** @throws DamagedData */
export function checkPages(db: Db): void {
  const found = structureDamageOf(db);
  if (found !== null) throw new DamagedData(found);
}

/** Returns the bytes of all pages in use, without freed pages. */
export function usedBytesOf(db: Db): number {
  const pragma = (name: string): number => Number(db.pragma(name, { simple: true }));
  return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
}
