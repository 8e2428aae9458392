import { readdir } from "node:fs/promises";
import type { Dirent } from "node:fs";
import { join } from "node:path";
import type { UtcMs } from "#shared/time/utc.ts";

/** A calendar month in UTC. */
export interface Month {
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
 * Name of a partition's folder as Hive has it: `key=value`, with what file systems or tools do not take as `%XX`, which
 * all of them read back.
 */
export function partitionName(key: string, value: string): string {
  const escaped = encodeURIComponent(value.toWellFormed()).replaceAll(
    /[!'()*~]|\.$/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${key}=${escaped}`;
}

export const PART_NAME = "part-0.parquet";
/** Of a dataset that is kept up to date; engines ignore names that begin with an underscore. */
export const MANIFEST = "_manifest.json";
const LEVELS = [/^station_id=/, /^month=\d{4,6}-\d{2}$/, /^part-\d+\.parquet$/];

/** Whether a folder holds nothing but what an export as a dataset writes: only such a one is replaced by another. */
export async function isDataset(folder: string, level = 0): Promise<boolean> {
  const isLast = level === LEVELS.length - 1;
  const fits = (entry: Dirent): boolean =>
    (LEVELS[level]!.test(entry.name) && entry.isDirectory() !== isLast) || (level === 0 && entry.name === MANIFEST);
  const entries = await readdir(folder, { withFileTypes: true });
  if (!entries.every(fits)) return false;
  if (isLast) return true;
  for (const { name } of entries.filter((entry) => entry.isDirectory()))
    if (!(await isDataset(join(folder, name), level + 1))) return false;
  return true;
}
