import { statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import type { MovedCache, RebuiltCache, RepairedCache } from "#shared/bridge/methods/cache.ts";
import { type AppFault, usageFailure, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { demandFree, quarantinedFiles, salvage, type UserStore } from "../../store/index.ts";
import type { WorkPace } from "../../store/types.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { shareWarning } from "./shareWarning.ts";
import type { ConnectionRecord } from "../../store/user/types.ts";
import type { OwnFiles } from "./ownFiles.ts";

/**
 * Long work on the cache of a connection, during which downloads are suspended. Every function throws `StoreError`, and the
 * signal's reason once it has stopped.
 */
export interface CacheMaintenance {
  /**
   * Moves the cache to another file: copies it while it is in use, checks the copy, and only then switches to the copy and
   * deletes the old file. A failure before that leaves the old file in use.
   *
   * @param place absolute path: a folder, or a file that must not exist yet
   * @param onProgress share of the pages copied, 0 to 1
   */
  move(
    connection: OpenConnection,
    place: string,
    onProgress?: (share: number) => void,
  ): Promise<Result<MovedCache, AppFault>>;
  /** Shrinks the file to its content. The cache remains readable; a stop or an error leaves the file unchanged. */
  compact(connection: OpenConnection, pace: WorkPace): Promise<void>;
  /**
   * Moves a damaged cache to quarantine and copies its sound rows into a new one. The rest is downloaded again when it is
   * needed.
   */
  rebuild(connection: OpenConnection, pace: WorkPace): Promise<Result<RebuiltCache, AppFault>>;
  /** Removes damaged data and keeps the rest. If the file itself is broken, rebuilds the cache. */
  repair(connection: OpenConnection, pace: WorkPace): Promise<Result<RepairedCache, AppFault>>;
  /** Copies the sound rows of a quarantined file that the cache lacks. */
  adoptQuarantined(connection: OpenConnection, name: string, pace: WorkPace): Promise<Result<RebuiltCache, AppFault>>;
}

interface MaintenanceContext {
  readonly connections: Pick<Connections, "relocate" | "reopen">;
  readonly queue: Pick<JobQueue, "suspend" | "resumeAll">;
  /** Whether an export reads the cache. */
  readonly isExporting: (connectionId: string) => boolean;
  readonly users: Pick<UserStore, "connections" | "putConnection">;
  readonly ownFiles: Pick<OwnFiles, "assertCachePathAllowed">;
}

export function createCacheMaintenance(context: MaintenanceContext): CacheMaintenance {
  const { connections, queue, isExporting, users, ownFiles } = context;

  /** Pieces of work without downloads, of any caches. */
  let running = 0;
  async function withoutDownloads<T>(work: () => Promise<T>): Promise<T> {
    running++;
    try {
      await queue.suspend();
      return await work();
    } finally {
      if (--running === 0) await queue.resumeAll();
    }
  }

  /** @param then what to do after the export */
  function exportFault({ record }: OpenConnection, then: string): AppFault | null {
    if (!isExporting(record.id)) return null;
    return usageFault(`An export reads this cache. Wait for its end, or cancel it, then ${then}.`);
  }

  async function rebuild(connection: OpenConnection, pace: WorkPace): Promise<Result<RebuiltCache, AppFault>> {
    const fault = exportFault(connection, "begin a new one");
    if (fault) return failure(fault);
    return withoutDownloads(async () => {
      const opened = await connections.reopen(connection);
      const { cache } = opened;
      // It may have been moved to quarantine when it was opened.
      const quarantinedPath = cache.quarantined ?? connection.cache.quarantined;
      if (quarantinedPath === null) return success({ quarantinedPath: null, rows: 0, lostRows: 0 });
      const { rows, lostRows } = await salvage(quarantinedPath, cache.path, pace);
      // Reopened as an ordinary cache.
      if (cache.quarantined !== null) await connections.reopen(opened);
      return success({ quarantinedPath, rows, lostRows });
    });
  }

  /** Notes a move in the record of its connection, so that what a kill leaves is removed at the next start. */
  function note({ record }: OpenConnection, moving: ConnectionRecord["moving"]): void {
    const stored = users.connections().find(({ id }) => id === record.id);
    if (stored) users.putConnection({ ...stored, moving: moving ?? null });
  }

  return {
    async move(connection, place, onProgress = () => {}) {
      if (!isAbsolute(place)) return usageFailure("Give the new place as an absolute path.");
      const fault = exportFault(connection, "move the cache");
      if (fault) return failure(fault);
      const { cache } = connection;
      const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
      const path = isFolder ? join(place, basename(cache.path)) : place;
      return withoutDownloads(async () => {
        demandFree(path);
        ownFiles.assertCachePathAllowed(path);
        // Exclusive until the connection has its new path: other processes would write to the old file without effect.
        const oldLeftAt = await cache.exclusively("move the cache", async () => {
          note(connection, { from: cache.path, to: path });
          await cache.copyTo(path, onProgress).catch((thrown: unknown) => {
            note(connection, null);
            throw thrown;
          });
          return connections.relocate(connection, path);
        });
        return success({ path, warning: shareWarning(path), oldLeftAt });
      });
    },
    compact: ({ cache }, pace) => withoutDownloads(() => cache.compact(pace)),
    rebuild,
    async repair(connection, pace) {
      const fault = exportFault(connection, "repair the cache");
      if (fault) return failure(fault);
      const findings = await withoutDownloads(() => connection.cache.repair(pace));
      if (findings.structure === null) return success({ findings, rebuilt: null });
      const rebuilt = await rebuild(connection, pace);
      return rebuilt.ok ? success({ findings, rebuilt: rebuilt.value }) : rebuilt;
    },
    async adoptQuarantined({ cache }, name, pace) {
      cache.assertWritable();
      const file = quarantinedFiles(cache.path).find((one) => one.name === name);
      if (!file) return usageFailure(`This cache has no file named ${name} in quarantine.`);
      const { rows, lostRows } = await withoutDownloads(() => salvage(file.path, cache.path, pace));
      return success({ quarantinedPath: file.path, rows, lostRows });
    },
  };
}
