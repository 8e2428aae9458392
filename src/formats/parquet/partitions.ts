import { readdir } from "node:fs/promises";
import type { Dirent } from "node:fs";
import { join } from "node:path";
import type { UtcMs } from "#shared/time/utc.ts";

/** A calendar month in UTC. */
interface Month {
  /** `2026-10` */
  readonly name: string;
  readonly endMs: UtcMs;
}

export function monthOf(moment: UtcMs): Month {
  const date = new Date(moment);
  return {
    name: date.toISOString().slice(0, 7),
    endMs: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1),
  };
}

/**
 * Returns the folder name of a Hive partition: `key=value`, with characters that file systems or tools do not accept
 * escaped as `%XX`.
 */
export function partitionName(key: string, value: string): string {
  const escaped = encodeURIComponent(value.toWellFormed()).replaceAll(
    /[!'()*~]|\.$/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${key}=${escaped}`;
}

export const PART_NAME = "part-0.parquet";
/** File of an updatable dataset; readers ignore names that start with an underscore. */
export const MANIFEST = "_manifest.json";
const LEVELS = [/^station_id=/, /^month=\d{4,6}-\d{2}$/, /^part-\d+\.parquet$/];

/** Whether a folder contains only a dataset written by an export, so that it may be replaced. */
export async function isDataset(folder: string, level = 0): Promise<boolean> {
  const isLast = level === LEVELS.length - 1;
  const fits = (entry: Dirent): boolean =>
    (LEVELS[level]?.test(entry.name) === true && entry.isDirectory() !== isLast) ||
    (level === 0 && entry.name === MANIFEST);
  const entries = await readdir(folder, { withFileTypes: true });
  if (!entries.every(fits)) return false;
  if (isLast) return true;
  for (const { name } of entries.filter((entry) => entry.isDirectory()))
    if (!(await isDataset(join(folder, name), level + 1))) return false;
  return true;
}
