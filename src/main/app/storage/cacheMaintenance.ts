import { statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import type { MovedCache, RebuiltCache, RepairedCache } from "#shared/bridge/methods/cache.ts";
import { type AppFault, usageFailure, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { demandFree, quarantinedFiles, salvage, type UserStore, type ConnectionRecord } from "../../store/index.ts";
import type { WorkPace } from "../../store/types.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { shareWarning } from "../../dataFolder.ts";
import type { OwnFiles } from "./ownFiles.ts";

interface MaintenanceContext {
  readonly connections: Pick<Connections, "relocate" | "reopen">;
  readonly queue: Pick<JobQueue, "suspend">;
  /** Whether an export reads the cache. */
  readonly isExporting: (connectionId: string) => boolean;
  readonly users: Pick<UserStore, "connections" | "putConnection">;
  readonly ownFiles: Pick<OwnFiles, "assertCachePathAllowed">;
}

/**
 * Long work on the cache of a connection, during which its downloads are suspended. Every function throws `StoreError`, and the
 * signal's reason once it has stopped.
 */
export class CacheMaintenance {
  readonly #context: MaintenanceContext;

  constructor(context: MaintenanceContext) {
    this.#context = context;
  }

  /**
   * Moves the cache to another file: copies it while it is in use, checks the copy, and only then switches to the copy and
   * deletes the old file. A failure before that leaves the old file in use.
   *
   * @param place absolute path: a folder, or a file that must not exist yet
   */
  async move(connection: OpenConnection, place: string, pace: WorkPace): Promise<Result<MovedCache, AppFault>> {
    if (!isAbsolute(place)) return usageFailure("Enter an absolute path for the new place.");
    const fault = this.#exportFault(connection, "move the cache");
    if (fault) return failure(fault);
    const { cache } = connection;
    const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
    const path = isFolder ? join(place, basename(cache.path)) : place;
    return this.#withoutDownloads(connection, async () => {
      demandFree(path);
      this.#context.ownFiles.assertCachePathAllowed(path);
      // Exclusive until the connection has its new path: other processes would write to the old file without effect.
      const oldLeftAt = await cache.exclusively("move the cache", async () => {
        this.#note(connection, { from: cache.path, to: path });
        await cache.copyTo(path, pace).catch((thrown: unknown) => {
          this.#note(connection, null);
          throw thrown;
        });
        return this.#context.connections.relocate(connection, path);
      });
      return success({ path, warning: shareWarning(path), oldLeftAt });
    });
  }

  /** Shrinks the file to its content. The cache remains readable; a stop or an error leaves the file unchanged. */
  compact(connection: OpenConnection, pace: WorkPace): Promise<void> {
    return this.#withoutDownloads(connection, () => connection.cache.compact(pace));
  }

  /**
   * Moves a damaged cache to quarantine and copies its intact rows into a new one. The rest is downloaded again when it is
   * needed.
   */
  async rebuild(connection: OpenConnection, pace: WorkPace): Promise<Result<RebuiltCache, AppFault>> {
    const fault = this.#exportFault(connection, "begin a new one");
    if (fault) return failure(fault);
    return this.#withoutDownloads(connection, async () => {
      const opened = await this.#context.connections.reopen(connection);
      const { cache } = opened;
      // It may have been moved to quarantine when it was opened.
      const quarantinedPath = cache.quarantined ?? connection.cache.quarantined;
      if (quarantinedPath === null) return success({ quarantinedPath: null, rows: 0, lostRows: 0 });
      const { rows, lostRows } = await salvage(quarantinedPath, cache.path, pace);
      // Reopened as an ordinary cache.
      if (cache.quarantined !== null) await this.#context.connections.reopen(opened);
      return success({ quarantinedPath, rows, lostRows });
    });
  }

  /** Removes damaged data and keeps the rest. If the file itself is broken, rebuilds the cache. */
  async repair(connection: OpenConnection, pace: WorkPace): Promise<Result<RepairedCache, AppFault>> {
    const fault = this.#exportFault(connection, "repair the cache");
    if (fault) return failure(fault);
    const findings = await this.#withoutDownloads(connection, () => connection.cache.repair(pace));
    if (findings.structure === null) return success({ findings, rebuilt: null });
    const rebuilt = await this.rebuild(connection, pace);
    return rebuilt.ok ? success({ findings, rebuilt: rebuilt.value }) : rebuilt;
  }

  /** Copies the intact rows of a quarantined file that the cache lacks. */
  async adoptQuarantined(
    connection: OpenConnection,
    name: string,
    pace: WorkPace,
  ): Promise<Result<RebuiltCache, AppFault>> {
    const { cache } = connection;
    cache.assertWritable();
    const file = quarantinedFiles(cache.path).find((one) => one.name === name);
    if (!file) return usageFailure(`This cache has no file named ${name} in quarantine.`);
    const { rows, lostRows } = await this.#withoutDownloads(connection, () => salvage(file.path, cache.path, pace));
    return success({ quarantinedPath: file.path, rows, lostRows });
  }

  async #withoutDownloads<T>({ record }: OpenConnection, work: () => Promise<T>): Promise<T> {
    const resume = await this.#context.queue.suspend(record.id);
    try {
      return await work();
    } finally {
      resume();
    }
  }

  /** @param then what to do after the export */
  #exportFault({ record }: OpenConnection, then: string): AppFault | null {
    if (!this.#context.isExporting(record.id)) return null;
    return usageFault(`An export reads this cache. Wait for its end, or cancel it, then ${then}.`);
  }

  /** Notes a move in the record of its connection, so that what a kill leaves is removed at the next start. */
  #note({ record }: OpenConnection, moving: ConnectionRecord["moving"]): void {
    const stored = this.#context.users.connections().find(({ id }) => id === record.id);
    if (stored) this.#context.users.putConnection({ ...stored, moving: moving ?? null });
  }
}
