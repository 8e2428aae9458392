import type { SeriesMode, SeriesRows, SeriesSelection } from "#shared/series/rows.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { foreignCommitsOf, statisticsOf, usedBytesOf } from "../database/database.ts";
import { countBins, countValues, readRowTimes, readValueTimes } from "../read/times.ts";
import { readNearestEach } from "../read/nearestEach.ts";
import {
  bucketsOf,
  countBlocks,
  countRows,
  readCoverage,
  readCoverages,
  readDecimated,
  readNearest,
} from "../read/reader.ts";
import { readSatelliteBlock } from "../read/satellites.ts";
import {
  allocateNew,
  type Allocator,
  createReusingAllocator,
  readRows,
  readStretch,
  stretchesOf,
} from "../read/stretch.ts";
import type { Tables } from "../tables/index.ts";
import { modeOf } from "../tables/keys.ts";
import type { CacheReader } from "../types.ts";
import type { Guard } from "./checks.ts";
import type { OpenCacheFile } from "./openFile.ts";

/** Minimum time between two writes of last uses along with other data. */
const WRITE_AFTER_MS = 60_000;

/**
 * Times at which stations were last read. They are kept in memory and written along with other data, so that reading
 * does not write.
 */
export function createLastUse(save: (usedAtMs: ReadonlyMap<string, UtcMs>) => void) {
  let noted = new Map<string, UtcMs>();
  let writtenMs = -Infinity;
  const write = (): void => {
    if (noted.size === 0) return;
    save(noted);
    noted = new Map();
    writtenMs = Date.now();
  };
  return {
    note: (stationId: string) => void noted.set(stationId, Date.now()),
    /** Writes the noted times if that is due. Must run in a write transaction. */
    writeWhenDue(): void {
      if (Date.now() - writtenMs > WRITE_AFTER_MS) write();
    },
    /** Writes the noted times. */
    write,
    hasAny: (): boolean => noted.size > 0,
  };
}

interface ReadAccess {
  /** Runs a single read. */
  readonly run: Guard;
  /** Runs several reads of the same snapshot. Damage is repaired, and the work repeated. */
  readonly read: <T>(work: () => T) => T;
  readonly lastUse: ReturnType<typeof createLastUse>;
}

/** Creates the read-only part of a cache, except `sizes`, which also writes the times of last use. */
export function cacheReader(
  path: string,
  { db, tables }: OpenCacheFile,
  { run, read, lastUse }: ReadAccess,
): Omit<CacheReader, "sizes"> {
  function* blocks(selection: SeriesSelection, allocate: Allocator): IterableIterator<SeriesRows> {
    lastUse.note(selection.stationId);
    for (const stretch of read(() => stretchesOf(tables, selection))) {
      const rows = read(() => readStretch(tables, selection, stretch, allocate));
      if (rows) yield rows;
    }
  }
  /** Buffers for reuse: otherwise each station would allocate a megabyte. */
  const allocators: Allocator[] = [];
  function* reusedBlocks(selection: SeriesSelection): IterableIterator<SeriesRows> {
    const allocate = allocators.pop() ?? createReusingAllocator();
    try {
      yield* blocks(selection, allocate);
    } finally {
      allocators.push(allocate);
    }
  }
  return {
    foreignCommits: foreignCommitsOf(db),
    catalogue: () => read(() => tables.catalogue.read()),
    station: (id) => read(() => tables.catalogue.find(id)),
    coverage: (stationId, variable, mode) =>
      read(() => readCoverage(tables, { stationId, variables: [variable], ...mode }, variable)),
    modesOf: (stationId) => read(() => modesOf(tables, stationId)),
    blocks: (selection) => blocks(selection, allocateNew),
    reusedBlocks,
    *satellites(selection) {
      lastUse.note(selection.stationId);
      for (const startMs of read(() => bucketsOf(tables, selection))) {
        const block = read(() => readSatelliteBlock(tables, selection, startMs));
        if (block) yield { ...block, texts: () => run(() => block.texts()) };
      }
    },
    *times(selection) {
      for (const stretch of read(() => stretchesOf(tables, selection))) {
        const times = read(() => readRowTimes(tables, selection, stretch));
        if (times.total > 0) yield times;
      }
    },
    valueTimes: (selection, isKept = true) => read(() => readValueTimes(tables, selection, isKept)),
    rows(selection, isUse = true) {
      if (isUse) lastUse.note(selection.stationId);
      return read(() => readRows(tables, selection));
    },
    countBins: (selection, binMs) => read(() => countBins(tables, selection, binMs)),
    countValues: (selection) => read(() => countValues(tables, selection)),
    countRows: (selection, enough = Infinity) => read(() => countRows(tables, selection, enough)),
    countBlocks: (selection) => read(() => countBlocks(tables, selection)),
    nearest: (selected, timeMs, window) => read(() => readNearest(tables, selected, timeMs, window)),
    nearestEach: (selection) => read(() => readNearestEach(tables, selection)),
    decimate(selection, columns, isUse = true) {
      if (isUse) lastUse.note(selection.stationId);
      return read(() => readDecimated(tables, selection, columns));
    },
    coveragesOf: (stationIds, variables, mode) =>
      read(() =>
        stationIds.map((stationId) => variables.map((v) => readCoverage(tables, { stationId, variables, ...mode }, v))),
      ),
    coverages: (mode, variables, range) => read(() => readCoverages(tables, mode, variables, range)),
    setting: (name) => run(() => tables.settings.get(name)),
    statistics: () => read(() => statisticsOf(path, db)),
    usedBytes: () => run(() => usedBytesOf(db)),
  };
}

function modesOf({ buckets }: Tables, stationId: string): SeriesMode[] {
  const modes = new Map(buckets.keysOf(stationId).map((key) => [`${key.interval} ${key.raw}`, modeOf(key)]));
  return [...modes.values()];
}
