import { isAbsolute } from "node:path";
import type { MovedCache } from "#shared/bridge/methods/cache.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { demandFree, shareWarning } from "../../store/index.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";
import type { MoveJournal } from "./moveJournal.ts";
import type { OwnFiles } from "./ownFiles.ts";

interface MoveContext {
  readonly connections: Pick<Connections, "relocate">;
  /** Downloads are suspended meanwhile. */
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
