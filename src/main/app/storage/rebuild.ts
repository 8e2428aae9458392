import type { QuarantinedFile, RebuiltCache, RepairedCache } from "#shared/bridge/methods/cache.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { quarantinedFiles, salvage } from "../../store/index.ts";
import type { WorkPace } from "../../store/types.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";

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

/**
 * Leaves out what is damaged and keeps the rest. Where the file itself is broken, it is put aside for a new one with what
 * is sound.
 *
 * @throws StoreError, and the signal's reason once it has stopped for it
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

/** Takes over what is sound in a file that was put aside, as far as the cache lacks it. @throws StoreError */
export async function adoptQuarantined(
  { queue }: RebuildContext,
  { cache }: OpenConnection,
  name: string,
  pace: WorkPace,
): Promise<Result<RebuiltCache, AppFault>> {
  const file = quarantinedFiles(cache.path).find((one: QuarantinedFile) => one.name === name);
  if (!file) return failure(usageFault(`No file of the name ${name} was put aside for this cache.`));
  await queue.suspend();
  try {
    const { rows, lostRows } = await salvage(file.path, cache.path, pace);
    return success({ quarantinedPath: file.path, rows, lostRows });
  } finally {
    await queue.resumeAll();
  }
}
