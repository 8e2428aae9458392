import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { z } from "zod";
import type { RecentFile } from "#shared/file/opened.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { UserStore } from "../../store/index.ts";

/** Recently opened files, newest first, without copies of uploads. */
export interface RecentFiles {
  note(path: string): void;
  /** Files that still exist. */
  list(): Promise<RecentFile[]>;
  /** Null if it is no longer in the list. */
  pathOf(recentId: string): string | null;
  clear(): void;
}

const SETTING = "recentFiles";
const MAX_FILES = 8;
const recentSchema = z.array(z.object({ path: z.string(), openedAtMs: z.number().int() }));

export function createRecentFiles(users: Pick<UserStore, "setting" | "putSetting">, nowMs: () => UtcMs): RecentFiles {
  const kept = () => parseStored(recentSchema, users.setting(SETTING)) ?? [];
  return {
    note(path) {
      const next = [{ path, openedAtMs: nowMs() }, ...kept().filter((file) => file.path !== path)];
      try {
        users.putSetting(SETTING, JSON.stringify(next.slice(0, MAX_FILES)));
      } catch {
        // On a read-only disk, the file can still be read.
      }
    },
    async list() {
      const found = await Promise.all(
        kept().map(async ({ path, openedAtMs }) => {
          const isThere = await stat(path).then(
            (entry) => entry.isFile() || entry.isDirectory(),
            () => false,
          );
          return isThere ? [{ recentId: idOf(path), name: basename(path), folder: dirname(path), openedAtMs }] : [];
        }),
      );
      return found.flat();
    },
    pathOf: (recentId) => kept().find(({ path }) => idOf(path) === recentId)?.path ?? null,
    clear: () => users.putSetting(SETTING, "[]"),
  };
}

/** Pages refer to a recent file by this id, not by its path. */
function idOf(path: string): string {
  return createHash("sha256").update(path).digest("hex").slice(0, 32);
}
