import { readdir } from "node:fs/promises";
import type { Dirent } from "node:fs";
import { join } from "node:path";
import { monthOf, type TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** The partition of a station and a UTC month. */
interface Partition {
  /** Its folder. */
  readonly name: string;
  /** `YYYY-MM` */
  readonly month: string;
  readonly range: TimeRange;
}

/** Returns the partition of a station and the UTC month of a moment. */
export function partitionOf(stationId: string, moment: UtcMs): Partition {
  const month = new Date(moment).toISOString().slice(0, 7);
  const name = `${partitionName("station_id", stationId)}/${partitionName("month", month)}`;
  return { name, month, range: monthOf(moment) };
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
