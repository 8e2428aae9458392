import { dirname } from "node:path";
import { makeFolder } from "#formats/makeFolder.ts";
import type { Coverage } from "#shared/series/rows.ts";
import type { CatalogueStation, Network } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { removeCopy } from "../database/copy.ts";
import { toStoreError } from "../errors.ts";
import { type FileLock, shareFile } from "../fileLock.ts";
import { amendCoverage, writeResponse } from "../response/commit.ts";
import { createResponseWriter } from "../response/writer.ts";
import type { ForgetSelection, ResponseScope, SeriesPart } from "../types.ts";
import { type CacheAccess, type CacheWatch, createAccess } from "./access.ts";
import { cacheReader } from "./cacheReader.ts";
import { forgetInSteps, forgetSteps } from "./forget.ts";
import { cacheMaintenance } from "./maintenance.ts";
import { openOrReplace } from "./openFile.ts";

/**
 * Opens the cache file of a connection; creates it and its folder if missing. A damaged file is quarantined and
 * replaced by an empty one: `quarantined` has its new path. Several processes may have the same file open: each commit
 * is one transaction that merges with the data at that moment, and fails if the file is no longer at its path.
 *
 * @throws StoreError if the file cannot be opened, or is of a newer version or another program. So does every method;
 * damage that is found while reading leads to quarantine when the file is opened next.
 */
export function openCache(path: string, watch: CacheWatch = {}): Cache {
  try {
    makeFolder(dirname(path), 0o700);
    const lock = shareFile(path, watch);
    try {
      watch.confirm?.();
      return createCache(path, openOrReplace(path, lock), lock, watch);
    } catch (thrown) {
      lock.close();
      throw thrown;
    }
  } catch (thrown) {
    throw toStoreError(path, thrown);
  }
}

function createCache(
  path: string,
  { file, quarantined }: ReturnType<typeof openOrReplace>,
  lock: FileLock,
  watch: CacheWatch,
) {
  const access = createAccess(path, file, lock, watch);
  const { place, assertWritable, close } = access;
  // Of a compaction that was killed: one that runs keeps other processes out of the file.
  if (file.refusal === null) removeCopy(path);
  const { isForgetting, ...forgetting } = cacheForgetting(access);
  return {
    path,
    /** Why the file can only be read: its disk is full or read-only. Settings then last until it is closed. */
    refusal: file.refusal,
    assertWritable,
    /** Path to which a damaged file was moved when the cache was opened; null if it was sound. */
    quarantined,
    /** Keeps all other processes out of the file while work runs: see `FileLock`. */
    exclusively: lock.exclusively,
    /** Returns whether the open file is still the one at its path. If not, all writes throw. */
    isInPlace: place.isSame,
    ...cacheReader(access),
    ...cacheWriter(access),
    ...forgetting,
    ...cacheMaintenance(access, isForgetting),
    close,
  };
}

/** Stores responses, the catalogue, settings and pins. */
function cacheWriter({ file, run, read, write, lastUse, saveLastUse, assertWritable }: CacheAccess) {
  const { tables, refusal } = file;
  /** Settings of a file that can only be read last until it is closed. */
  const unsaved = new Map<string, string | null>();
  return {
    /** Returns a small value stored beside the data, for example the learned limits; null if it was never set. */
    setting: (name: string) => (unsaved.has(name) ? (unsaved.get(name) ?? null) : run(() => tables.settings.get(name))),
    setSetting(name: string, value: string | null): void {
      if (refusal !== null) unsaved.set(name, value);
      else write(() => tables.settings.set(name, value));
    },
    /** Returns the storage used by each station. Stations without data are included only if they are pinned. */
    sizes() {
      saveLastUse();
      return read(() => tables.maintenance.sizes());
    },
    replaceCatalogue: (
      stations: readonly CatalogueStation[],
      networks: readonly Network[],
      fetchedAtMs: UtcMs | null,
    ) => write(() => tables.catalogue.replace({ stations, withdrawn: [], networks, fetchedAtMs })),
    openResponse(scope: ResponseScope) {
      assertWritable();
      return createResponseWriter(scope, (normal, arrivals, judge) => {
        for (const id of scope.stationIds) lastUse.note(id);
        return write(() => writeResponse(tables, normal, arrivals, judge));
      });
    },
    /**
     * Replaces the coverage of parts of series, in one transaction.
     *
     * @param amend receives the coverage within and next to the part, and returns what replaces it
     */
    amendCoverage: (parts: readonly SeriesPart[], amend: (before: Coverage, part: SeriesPart) => Coverage) =>
      write(() => amendCoverage(tables, parts, amend)),
    /** Protects stations from automatic deletion, or ends that protection. */
    pin: (stationIds: readonly string[], isPinned: boolean) =>
      write(() => tables.maintenance.pin(stationIds, isPinned)),
  };
}

/** Deletes data of stations, ranges and variables. */
function cacheForgetting(access: CacheAccess) {
  const { write, lock, assertWritable } = access;
  const { tables } = access.file;
  let running = 0;
  return {
    isForgetting: (): boolean => running > 0,
    /**
     * Deletes rows and extents of the stations, the range and the variables (null: all).
     *
     * @returns the number of rows that were deleted or lost a variable
     * @throws StoreError `busy` if another process has the file open: it may be downloading, or exporting from it
     */
    forget(
      stationIds: readonly string[] | null,
      range: TimeRange | null,
      variables: readonly Variable[] | null = null,
    ): number {
      assertWritable();
      const release = lock.lockExclusively(FORGET);
      try {
        return write(() => {
          let rows = 0;
          for (const step of forgetSteps(tables, { stationIds, range, variables })) rows += step.rows;
          return rows;
        });
      } finally {
        release();
      }
    },
    /**
     * Deletes like `forget`, in small steps, so that other work gets its turn. If it is stopped, or the program ends, the
     * completed steps stay deleted, rows and extents together.
     *
     * @param onProgress receives the completed share of the chunks, 0 to 1
     */
    async forgetInSteps(
      forgetting: ForgetSelection,
      onProgress: (share: number) => void,
      signal: AbortSignal,
    ): Promise<number> {
      assertWritable();
      return lock.exclusively(FORGET, async () => {
        running++;
        try {
          return await forgetInSteps(access, forgetting, { onProgress, signal });
        } finally {
          running--;
        }
      });
    },
  };
}

/** A cache: one file per connection, replaceable. Single writer. */
export type Cache = ReturnType<typeof createCache>;

/** The part of a cache that changes no data. */
export type CacheReader = ReturnType<typeof cacheReader> & Pick<Cache, "setting" | "sizes">;

const FORGET = "forget data of the cache";
