import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { z } from "zod";
import type { RecentFile } from "#shared/file/opened.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { UserStore } from "../../store/index.ts";

const SETTING = "recentFiles";
const MAX_FILES = 8;
const recentSchema = z.array(z.object({ path: z.string(), openedAtMs: z.number().int() }));

/** Recently opened files, newest first, without copies of uploads. */
export class RecentFiles {
  readonly #users: Pick<UserStore, "setting" | "putSetting">;
  readonly #nowMs: () => UtcMs;

  constructor(users: Pick<UserStore, "setting" | "putSetting">, nowMs: () => UtcMs) {
    this.#users = users;
    this.#nowMs = nowMs;
  }

  note(path: string): void {
    const next = [{ path, openedAtMs: this.#nowMs() }, ...this.#kept().filter((file) => file.path !== path)];
    try {
      this.#users.putSetting(SETTING, JSON.stringify(next.slice(0, MAX_FILES)));
    } catch {
      // On a read-only disk, the file can still be read.
    }
  }

  /** Files that still exist. */
  async list(): Promise<RecentFile[]> {
    const found = await Promise.all(
      this.#kept().map(async ({ path, openedAtMs }) => {
        const isThere = await stat(path).then(
          (entry) => entry.isFile() || entry.isDirectory(),
          () => false,
        );
        return isThere ? [{ recentId: idOf(path), name: basename(path), folder: dirname(path), openedAtMs }] : [];
      }),
    );
    return found.flat();
  }

  /** Null if it is no longer in the list. */
  pathOf(recentId: string): string | null {
    return this.#kept().find(({ path }) => idOf(path) === recentId)?.path ?? null;
  }

  clear(): void {
    this.#users.putSetting(SETTING, "[]");
  }

  #kept() {
    return parseStored(recentSchema, this.#users.setting(SETTING)) ?? [];
  }
}

/** Pages refer to a recent file by this id, not by its path. */
function idOf(path: string): string {
  return createHash("sha256").update(path).digest("hex").slice(0, 32);
}
