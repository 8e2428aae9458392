import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { log } from "../../log/index.ts";
import {
  isCacheFile,
  lockFile,
  removeCopy,
  removeDatabase,
  removeLockFile,
  StoreError,
  type UserStore,
  type ConnectionRecord,
} from "../../store/index.ts";

/** A copy that did not get its name, or a lock for one. */
const UNFINISHED = /^(cache-.*\.db)(?:\.(unfinished)|-lock)$/;

type Users = Pick<UserStore, "connections" | "putConnection" | "deleteConnection">;

/**
 * Completes what a killed process left of the caches of connections: half a copy of a moved cache or the file that it
 * replaced, and a connection to a session file whose data did not arrive. Errors are logged: leftovers must not prevent
 * the start.
 */
export function finishInterrupted(users: Users, dataFolder: string): void {
  try {
    const all = users.connections();
    const moved = new Set(all.map(({ moving }) => moving?.to));
    for (const name of readdirSync(dataFolder)) {
      const [, target, kind] = UNFINISHED.exec(name) ?? [];
      if (target === undefined) continue;
      const path = join(dataFolder, target);
      // The lock of a file in use is left alone: another process may be opening it.
      if (!moved.has(path) && (kind === "unfinished" || !existsSync(path))) unlessHeld(path, removeCopy);
    }
    for (const record of all) {
      if (record.damage !== undefined || !record.moving) continue;
      if (record.moving.from === record.moving.to) finishArrival(record);
      else finishMove(record, record.moving);
    }

    /** The file of a session gets its name last. */
    function finishArrival(record: ConnectionRecord): void {
      unlessHeld(resolve(dataFolder, record.cacheFile), (path) => {
        removeCopy(path);
        if (existsSync(path)) users.putConnection({ ...record, moving: null });
        else users.deleteConnection(record.id);
      });
    }

    function finishMove(record: ConnectionRecord, { from, to }: NonNullable<ConnectionRecord["moving"]>): void {
      const current = resolve(dataFolder, record.cacheFile);
      unlessHeld(current, () => {
        const isUsed = all.some(
          (other) => other.id !== record.id && [from, to].includes(resolve(dataFolder, other.cacheFile)),
        );
        // The move was noted before anything was written to its target, which had to be free.
        const left = current === to ? from : to;
        const isDone = removeCopy(to) && (isUsed || !isCacheFile(left) || removeDatabase(left));
        if (isDone) users.putConnection({ ...record, moving: null });
      });
    }
  } catch (thrown) {
    log.warn("leftovers of a killed program remain", thrown);
  }
}

/** Runs work on what is left at the path of a cache, unless a running process works on it. */
function unlessHeld(path: string, work: (path: string) => void): void {
  let release: () => void;
  try {
    release = lockFile(path, "remove leftovers");
  } catch (thrown) {
    if (thrown instanceof StoreError && thrown.kind === "busy") return;
    throw thrown;
  }
  try {
    work(path);
  } finally {
    release();
    if (!existsSync(path)) removeLockFile(path);
  }
}
