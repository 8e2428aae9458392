import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { QuarantinedFile } from "#shared/bridge/methods/cache.ts";
import { removeDatabase } from "../database/copy.ts";
import { sizeOf } from "../database/statistics.ts";

const ASIDE = /^\.damaged-[0-9TZ-]+$/;

/** Damaged files that were put aside for a cache, the newest first. */
export function quarantinedFiles(cachePath: string): readonly QuarantinedFile[] {
  const [folder, start] = [dirname(cachePath), basename(cachePath)];
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && ASIDE.test(name.slice(start.length)))
    .flatMap((name) => {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found?.isFile()) return [];
      return [{ name, path, bytes: found.size + sizeOf(`${path}-wal`), atMs: momentOf(name) ?? found.mtimeMs }];
    })
    .toSorted((a, b) => b.atMs - a.atMs);
}

/** @returns whether nothing is left of it */
export function deleteQuarantined({ path }: QuarantinedFile): boolean {
  return removeDatabase(path);
}

/** The moment that `quarantine` wrote into the name. */
function momentOf(name: string): number | null {
  const [, day, hour, minute, second, ms] = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/.exec(name) ?? [];
  const moment = Date.parse(`${day}T${hour}:${minute}:${second}.${ms}Z`);
  return Number.isNaN(moment) ? null : moment;
}
