import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { log } from "../../log/index.ts";
import { isCacheFile, lockFile, removeCopy, removeDatabase } from "../../store/index.ts";
import type { ConnectionRecord, UserStore } from "../../store/user/types.ts";

type Users = Pick<UserStore, "connections" | "putConnection" | "deleteConnection">;

/**
 * Completes what a killed process left of the caches of connections: half a copy of a moved cache or the file that it
 * replaced, and a connection to a session file whose data did not arrive. Errors are logged: leftovers must not prevent
 * the start.
 */
export function finishInterrupted(users: Users, dataFolder: string): void {
  try {
    const all = users.connections();
    for (const record of all) {
      if (record.damage !== undefined) continue;
      if (record.moving) finishMove(record, record.moving);
      else if (record.kind === "file" && isLost(record)) users.deleteConnection(record.id);
    }

    function finishMove(record: ConnectionRecord, { from, to }: NonNullable<ConnectionRecord["moving"]>): void {
      const current = resolve(dataFolder, record.cacheFile);
      const release = lockFile(current, "remove what is left of its move");
      try {
        const isUsed = all.some((other) => other.id !== record.id && resolve(dataFolder, other.cacheFile) === from);
        const isDone = removeCopy(to) && (current !== to || isUsed || !isCacheFile(from) || removeDatabase(from));
        if (isDone) users.putConnection({ ...record, moving: null });
      } finally {
        release();
      }
    }
  } catch (thrown) {
    log.warn("leftovers of a killed program remain", thrown);
  }

  /** Its file gets its name last. */
  function isLost({ cacheFile }: ConnectionRecord): boolean {
    return !isAbsolute(cacheFile) && !existsSync(resolve(dataFolder, cacheFile));
  }
}
