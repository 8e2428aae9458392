import type { RebuiltCache } from "#shared/bridge/cache.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { salvage } from "../../store/index.ts";
import type { WorkPace } from "../../store/types.ts";
import type { Connections, OpenConnection } from "../connections.ts";

export interface RebuildContext {
  readonly connections: Pick<Connections, "reopen">;
  /** Downloads stand still meanwhile. */
  readonly queue: { suspend(): Promise<void>; resumeAll(): Promise<void> };
  readonly isExporting: (connectionId: string) => boolean;
}

/**
 * Puts a cache aside in which damage was found, begins a new one, and takes over what is still sound: the rest is asked
 * again when it is wanted again.
 *
 * @throws StoreError where the new file cannot be written
 */
export async function rebuildCache(
  { connections, queue, isExporting }: RebuildContext,
  connection: OpenConnection,
  pace: WorkPace,
): Promise<Result<RebuiltCache, AppFault>> {
  if (isExporting(connection.record.id))
    return failure(usageFault("An export reads this cache. Wait for its end, or cancel it, then begin a new one."));
  await queue.suspend();
  try {
    const opened = await connections.reopen(connection);
    const { cache } = opened;
    // It may have been put aside when it was opened.
    const aside = cache.quarantined ?? connection.cache.quarantined;
    if (aside === null) return success({ quarantinedPath: null, rows: 0, lostRows: 0 });
    const { rows, lostRows } = await salvage(aside, cache.path, pace);
    // From now on it is a cache like any other.
    if (cache.quarantined !== null) await connections.reopen(opened);
    return success({ quarantinedPath: aside, rows, lostRows });
  } finally {
    await queue.resumeAll();
  }
}
