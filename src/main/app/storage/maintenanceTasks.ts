import type { QuarantinedFile, RebuiltCache, RepairedCache } from "#shared/bridge/methods/cache.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { quarantinedFiles, salvage } from "../../store/index.ts";
import type { WorkPace } from "../../store/types.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";
import type { Events } from "../events.ts";
import { createThrottle } from "../pacing.ts";

interface RebuildContext {
  readonly connections: Pick<Connections, "reopen">;
  /** Suspends downloads during the task. */
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

interface CompactContext {
  /** Suspends downloads during the task. */
  readonly queue: { suspend(): Promise<void>; resumeAll(): Promise<void> };
}

/**
 * Compacts the cache of a connection, which remains readable.
 *
 * @throws StoreError, and the signal's reason once it has stopped; the file is unchanged then
 */
export async function compactCache(
  { queue }: CompactContext,
  { cache }: OpenConnection,
  pace: WorkPace,
): Promise<void> {
  await queue.suspend();
  try {
    await cache.compact(pace);
  } finally {
    await queue.resumeAll();
  }
}

/** Long-running maintenance of caches. Windows see its progress, and it continues when the window that started it closes. */
export interface MaintenanceTasks {
  /**
   * @param workId id in the events `workProgress`
   * @param callerSignal also stops the task, if it shall end with its caller
   */
  run<T>(
    task: { readonly workId: string; readonly connectionId: string | null; readonly callerSignal?: AbortSignal },
    work: (pace: WorkPace) => Promise<T>,
  ): Promise<T>;
  /** Stops a task, or all of a connection, and waits for the end. */
  stop(workOrConnectionId: string): Promise<void>;
  stopAll(): Promise<void>;
}

const EVENT_PAUSE_MS = 150;

interface Running {
  readonly names: readonly (string | null)[];
  readonly control: AbortController;
  readonly ended: Promise<unknown>;
}

export function createMaintenanceTasks(events: Events, clock: Clock): MaintenanceTasks {
  const running = new Set<Running>();

  async function stopAndWait(those: readonly Running[]): Promise<void> {
    for (const { control } of those) control.abort();
    await Promise.all(those.map((r) => r.ended));
  }

  return {
    async run({ workId, connectionId, callerSignal }, work) {
      let share = 0;
      const throttle = createThrottle(clock, EVENT_PAUSE_MS, () => events.emit("workProgress", { workId, share }));
      const onProgress = (now: number): void => {
        share = now;
        throttle.schedule();
      };
      const control = new AbortController();
      const signal = callerSignal ? AbortSignal.any([control.signal, callerSignal]) : control.signal;
      const result = work({ onProgress, signal });
      const entry = { names: [workId, connectionId], control, ended: result.catch(() => undefined) };
      running.add(entry);
      try {
        return await result;
      } finally {
        running.delete(entry);
        throttle.stop();
      }
    },
    stop: (id) => stopAndWait([...running].filter((r) => r.names.includes(id))),
    stopAll: () => stopAndWait([...running]),
  };
}
