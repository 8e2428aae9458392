import { existsSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { sweepFolder } from "#formats/leftovers.ts";
import type { MovedCache } from "#shared/bridge/methods/cache.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { parseStored } from "#shared/storedJson.ts";
import { demandFree, isAlive, isCacheFile, removeCopy, removeDatabase, shareWarning } from "../../store/index.ts";
import type { UserStore } from "../../store/user/types.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";
import type { OwnFiles } from "./ownFiles.ts";

/** A cache that is being moved, or a file that is being written before it gets its final name. */
interface MoveEntry {
  /** Absolute path; the same as `to` for a new cache, null for an export or a session file. */
  readonly from: string | null;
  /** Absolute path. */
  readonly to: string;
}

/**
 * Journal of moves and writes in `user.db`, so that leftovers of a killed process are found again. Every function throws
 * `StoreError`.
 */
export interface MoveJournal {
  begin(entry: MoveEntry): void;
  /** Removes an entry without leftovers. */
  end(entry: MoveEntry): void;
  /** Leaves the leftovers of an entry to a later `tidy`. */
  leave(entry: MoveEntry): void;
  /** Deletes the leftovers of unfinished entries that no process is working on. */
  tidy(): void;
}

const SETTING = "moves";
const entriesSchema = z.array(z.object({ from: z.string().nullable(), to: z.string(), pid: z.int().optional() }));
/** An entry with the process that works on it. */
type StoredEntry = z.output<typeof entriesSchema>[number];

const isOther = (a: MoveEntry) => (b: MoveEntry) => a.from !== b.from || a.to !== b.to;

const isOfOtherProcess = ({ pid }: StoredEntry): boolean => pid !== undefined && pid !== process.pid && isAlive(pid);

export function createMoveJournal(
  users: Pick<UserStore, "setting" | "putSetting" | "connections">,
  dataFolder: string,
): MoveJournal {
  const read = (): StoredEntry[] => parseStored(entriesSchema, users.setting(SETTING)) ?? [];
  const write = (all: readonly StoredEntry[]): void =>
    users.putSetting(SETTING, all.length === 0 ? null : JSON.stringify(all));
  // Entries of this process must not be cleaned.
  let active: readonly MoveEntry[] = [];
  const leave = (entry: MoveEntry): void => void (active = active.filter(isOther(entry)));
  const isOurs = (entry: StoredEntry): boolean => active.some((own) => !isOther(own)(entry));
  return {
    begin(entry) {
      active = [...active, entry];
      write([...read().filter(isOther(entry)), { ...entry, pid: process.pid }]);
    },
    end(entry) {
      leave(entry);
      write(read().filter(isOther(entry)));
    },
    leave,
    tidy() {
      const all = read();
      if (all.length === 0) return;
      const inUse = new Set(users.connections().map((c) => resolve(dataFolder, c.cacheFile)));
      const clean = ({ from, to }: StoredEntry): boolean => {
        if (from === null) {
          sweepFolder(dirname(to));
          return removeCopy(to);
        }
        // Before the switch `to` is the copy, after it `from` is.
        const stale = inUse.has(to) ? from : to;
        return (
          removeCopy(to) && (inUse.has(stale) || !existsSync(stale) || !isCacheFile(stale) || removeDatabase(stale))
        );
      };
      write(all.filter((entry) => isOurs(entry) || isOfOtherProcess(entry) || !clean(entry)));
    },
  };
}

interface MoveContext {
  readonly connections: Pick<Connections, "relocate">;
  /** Suspends downloads during the task. */
  readonly queue: { suspend(): Promise<void>; resumeAll(): Promise<void> };
  /** Whether an export reads the cache. */
  readonly isExporting: (connectionId: string) => boolean;
  readonly journal: MoveJournal;
  readonly ownFiles: Pick<OwnFiles, "assertCachePathAllowed">;
}

/**
 * Moves the cache of a connection to another file: copies it while it is in use, checks the copy, and only then switches
 * to the copy and deletes the old file. A failure before that leaves the old file in use.
 *
 * @param path absolute; must not exist yet
 * @param onProgress share of the pages copied, 0 to 1
 * @throws StoreError if it cannot be copied
 */
export async function moveCache(
  { connections, queue, isExporting, journal, ownFiles }: MoveContext,
  connection: OpenConnection,
  path: string,
  onProgress: (share: number) => void = () => {},
): Promise<Result<MovedCache, AppFault>> {
  if (!isAbsolute(path)) return failure(usageFault("Give the new place as an absolute path."));
  if (isExporting(connection.record.id))
    return failure(usageFault("An export reads this cache. Wait for its end, or cancel it, then move the cache."));
  await queue.suspend();
  const entry = { from: connection.cache.path, to: path };
  try {
    journal.tidy();
    demandFree(path);
    ownFiles.assertCachePathAllowed(path);
    // Exclusive until the connection has its new path: other processes would write to the old file without effect.
    const oldLeftAt = await connection.cache.exclusively("move the cache", async () => {
      journal.begin(entry);
      await connection.cache.copyTo(path, onProgress).catch((thrown: unknown) => {
        journal.end(entry);
        throw thrown;
      });
      return connections.relocate(connection, path);
    });
    // If the old file could not be deleted, the next start tries again.
    if (oldLeftAt === null) journal.end(entry);
    else journal.leave(entry);
    return success({ path, warning: shareWarning(path), oldLeftAt });
  } finally {
    await queue.resumeAll();
  }
}
