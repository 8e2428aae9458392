import { isAbsolute } from "node:path";
import type { MovedCache } from "#shared/bridge/methods/cache.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { demandFree, shareWarning } from "../../store/index.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";
import type { MoveNotes } from "./moveNotes.ts";
import type { OwnFiles } from "./ownFiles.ts";

export interface MoveContext {
  readonly connections: Pick<Connections, "relocate">;
  /** Downloads stand still meanwhile. */
  readonly queue: { suspend(): Promise<void>; resumeAll(): Promise<void> };
  /** Whether an export reads the cache. */
  readonly isExporting: (connectionId: string) => boolean;
  readonly notes: MoveNotes;
  readonly ownFiles: Pick<OwnFiles, "demandPlaceForCache">;
}

/**
 * Moves the cache of a connection to another file: copies it while it is in use, checks the copy, and only then works
 * with the copy and deletes the old one. Whatever stops it before that leaves the old one in use.
 *
 * @param path absolute; nothing may be there yet
 * @param onProgress share of the pages copied, 0 to 1
 * @throws StoreError where it cannot be copied
 */
export async function moveCache(
  { connections, queue, isExporting, notes, ownFiles }: MoveContext,
  connection: OpenConnection,
  path: string,
  onProgress: (share: number) => void = () => {},
): Promise<Result<MovedCache, AppFault>> {
  if (!isAbsolute(path)) return failure(usageFault("Choose the new place with its whole path, from the root on."));
  if (isExporting(connection.record.id))
    return failure(usageFault("An export reads this cache. Wait for its end, or cancel it, then move the cache."));
  await queue.suspend();
  const note = { from: connection.cache.path, to: path };
  try {
    notes.tidy();
    demandFree(path);
    ownFiles.demandPlaceForCache(path);
    // From before the copy until the connection knows its new place: whoever opened the old file would write in vain.
    const oldLeftAt = await connection.cache.exclusively("move the cache", async () => {
      notes.begin(note);
      await connection.cache.copyTo(path, onProgress).catch((thrown: unknown) => {
        notes.end(note);
        throw thrown;
      });
      return connections.relocate(connection, path);
    });
    // One that could not be deleted is tried again at the next start.
    if (oldLeftAt === null) notes.end(note);
    else notes.leave(note);
    return success({ path, warning: shareWarning(path), oldLeftAt });
  } finally {
    await queue.resumeAll();
  }
}
