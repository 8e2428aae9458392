import type { QuarantinedFile, RebuiltCache, RepairedCache } from "#shared/bridge/methods/cache.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { quarantinedFiles, salvage } from "../../store/index.ts";
import type { WorkPace } from "../../store/types.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";

interface RebuildContext {
  readonly connections: Pick<Connections, "reopen">;
  /** Downloads are suspended meanwhile. */
  readonly queue: { suspend(): Promise<void>; resumeAll(): Promise<void> };
  readonly isExporting: (connectionId: string) => boolean;
}

/**
 * Moves a damaged cache to quarantine and copies its sound rows into a new one. The rest is downloaded again when it is
 * needed.
 *
 * @throws StoreError if the new file cannot be written
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
    // It may have been moved to quarantine when it was opened.
    const quarantinedPath = cache.quarantined ?? connection.cache.quarantined;
    if (quarantinedPath === null) return success({ quarantinedPath: null, rows: 0, lostRows: 0 });
    const { rows, lostRows } = await salvage(quarantinedPath, cache.path, pace);
    // Reopened as an ordinary cache.
    if (cache.quarantined !== null) await connections.reopen(opened);
    return success({ quarantinedPath, rows, lostRows });
  } finally {
    await queue.resumeAll();
  }
}

/**
 * Removes damaged data and keeps the rest. If the file itself is broken, rebuilds the cache.
 *
 * @throws StoreError, and the signal's reason once it has stopped
 */
export async function repairCache(
  context: RebuildContext,
  connection: OpenConnection,
  pace: WorkPace,
): Promise<Result<RepairedCache, AppFault>> {
  if (context.isExporting(connection.record.id))
    return failure(usageFault("An export reads this cache. Wait for its end, or cancel it, then repair the cache."));
  const findings = await repairAlone(context, connection, pace);
  if (findings.structure === null) return success({ findings, rebuilt: null });
  const rebuilt = await rebuildCache(context, connection, pace);
  return rebuilt.ok ? success({ findings, rebuilt: rebuilt.value }) : rebuilt;
}

async function repairAlone({ queue }: RebuildContext, { cache }: OpenConnection, pace: WorkPace) {
  await queue.suspend();
  try {
    return await cache.repair(pace);
  } finally {
    await queue.resumeAll();
  }
}

/** Copies the sound rows of a quarantined file that the cache lacks. @throws StoreError */
export async function adoptQuarantined(
  { queue }: RebuildContext,
  { cache }: OpenConnection,
  name: string,
  pace: WorkPace,
): Promise<Result<RebuiltCache, AppFault>> {
  cache.assertLasting();
  const file = quarantinedFiles(cache.path).find((one: QuarantinedFile) => one.name === name);
  if (!file) return failure(usageFault(`This cache has no file named ${name} in quarantine.`));
  await queue.suspend();
  try {
    const { rows, lostRows } = await salvage(file.path, cache.path, pace);
    return success({ quarantinedPath: file.path, rows, lostRows });
  } finally {
    await queue.resumeAll();
  }
}
