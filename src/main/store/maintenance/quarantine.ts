import { existsSync, renameSync, rmSync, writeFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { QuarantinedFile } from "#shared/bridge/methods/cache.ts";
import { bytesOfFile } from "../database/statistics.ts";
import { attempt } from "#shared/fault.ts";
import { LOGS } from "../permission.ts";

const QUARANTINE_SUFFIX = /^\.damaged-[0-9TZ-]+$/;

/** Returns the quarantined files of a cache, newest first. */
export function quarantinedFiles(cachePath: string): readonly QuarantinedFile[] {
  const [folder, start] = [dirname(cachePath), basename(cachePath)];
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && QUARANTINE_SUFFIX.test(name.slice(start.length)))
    .flatMap((name) => {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found?.isFile()) return [];
      return [
        { name, path, bytes: found.size + bytesOfFile(`${path}-wal`), atMs: quarantinedAt(name) ?? found.mtimeMs },
      ];
    })
    .toSorted((a, b) => b.atMs - a.atMs);
}

/** Returns the time that `quarantine` wrote into the name, or null. */
function quarantinedAt(name: string): number | null {
  const [, day, hour, minute, second, ms] = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/.exec(name) ?? [];
  const moment = Date.parse(`${day}T${hour}:${minute}:${second}.${ms}Z`);
  return Number.isNaN(moment) ? null : moment;
}

/** Marks a file as damaged by another file beside it, because the damaged file itself cannot be trusted. */
export function markDamaged(path: string, reason: string): void {
  // If even that fails, the next reader finds the damage again.
  attempt(() => writeFileSync(markPathOf(path), `${reason}\n`, { mode: 0o600 }));
}

export function isMarkedDamaged(path: string): boolean {
  return existsSync(markPathOf(path));
}

/** Removes the mark of a file that is sound or was moved. */
export function clearMark(path: string): void {
  // A mark that stays costs only another check at the next opening.
  attempt(() => rmSync(markPathOf(path), { force: true }));
}

/**
 * Moves a file and its logs, if there are any, to a new name in the same folder.
 *
 * @param why part of the name: a file that was replaced may be sound
 * @returns the new path
 */
export function quarantine(path: string, why: "damaged" | "replaced" = "damaged"): string {
  const target = quarantinePathOf(path, why);
  for (const suffix of ["", ...LOGS]) if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
  clearMark(path);
  return target;
}

/** A free name for a file that is put aside, in the same folder. */
export function quarantinePathOf(path: string, why = "damaged"): string {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  let target = `${path}.${why}-${stamp}`;
  for (let n = 2; existsSync(target); n++) target = `${path}.${why}-${stamp}-${n}`;
  return target;
}

function markPathOf(path: string): string {
  return `${path}-damaged`;
}
