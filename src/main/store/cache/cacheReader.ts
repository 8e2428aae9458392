import type { CacheStatistics } from "#shared/series/cache.ts";
import type { SeriesMode, SeriesRows, SeriesSelection } from "#shared/series/rows.ts";
import type { SatelliteBlock } from "#shared/series/satelliteBlock.ts";
import type { Variable, VariableKind } from "#shared/service/variables.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import { foreignCommitsOf } from "../database/database.ts";
import { statisticsOf, usedBytesOf } from "../database/statistics.ts";
import { copyPart, partsToCopy, sizeOfParts } from "../read/copies.ts";
import { countBins, countValues, readRowTimes, readValueTimes } from "../read/times.ts";
import { readNearestEach } from "../read/nearestEach.ts";
import {
  bucketsOf,
  countBlocks,
  countRows,
  markOf,
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
import type { CacheAccess } from "./access.ts";

/** Creates the part of a cache that writes nothing. */
export function cacheReader(access: CacheAccess) {
  const { path, run, read, reading } = access;
  const { db, tables } = access.file;
  return {
    /** Changes with every commit of another process, or of another connection of this one, to the file. */
    foreignCommits: foreignCommitsOf(db),
    catalogue: () => read(() => tables.catalogue.read()),
    /** Returns a station of the catalogue; null if it has none of this id. */
    station: (id: string) => read(() => tables.catalogue.find(id)),
    coverage: reading(readCoverage),
    /** Returns the full coverage of some stations for each variable, read at the same moment. */
    coveragesOf: (stationIds: readonly string[], variables: readonly Variable[], mode: SeriesMode) =>
      read(() => stationIds.map((id) => variables.map((v) => readCoverage(tables, id, v, mode)))),
    /** Returns the coverage within the range of all stations that have any in the mode, by station and variable. */
    coverages: reading(readCoverages),
    /** Returns a number that differs once rows or coverage of a selection have changed. Reads no values. */
    mark: (selection: SeriesSelection) => read(() => markOf(tables, selection)),
    ...rowReader(access),
    ...valueReader(access),
    /**
     * Yields the buckets of a station that the ranges touch, cut to them, as changes that create them in another file;
     * means keep whole intervals. Buckets that come together are of one moment. `share` is that of the station.
     */
    *copies(stationId: string, kinds: readonly VariableKind[], ranges: RangeSet) {
      const parts = read(() => partsToCopy(tables, stationId, kinds, ranges));
      for (const [i, part] of parts.entries()) {
        const changes = read(() => copyPart(tables, part));
        if (changes.length > 0) yield { key: part.key, changes, share: (i + 1) / parts.length };
      }
    },
    /** Returns the approximate size of these copies, without reading values. */
    sizeOfCopies: (stationId: string, kinds: readonly VariableKind[], ranges: RangeSet) =>
      read(() => sizeOfParts(tables, partsToCopy(tables, stationId, kinds, ranges))),
    statistics: (): CacheStatistics => read(() => ({ ...statisticsOf(path, db), newestMs: tables.buckets.newestMs() })),
    /** Returns the used bytes of the file, without freed pages. */
    usedBytes: () => run(() => usedBytesOf(db)),
  };
}

/** Reads rows of one station. */
function rowReader({ file: { tables }, run, read, lastUse }: CacheAccess) {
  function* readBlocks(selection: SeriesSelection, allocate: Allocator): IterableIterator<SeriesRows> {
    lastUse.note(selection.stationId);
    for (const stretch of read(() => stretchesOf(tables, selection))) {
      const rows = read(() => readStretch(tables, selection, stretch, allocate));
      if (rows) yield rows;
    }
  }
  /** Buffers for reuse: otherwise each station would allocate a megabyte. */
  const allocators: Allocator[] = [];
  return {
    /**
     * Yields rows in order of time, in blocks of one or several stored buckets, cut to the range. Rows in which none of
     * the variables is present are omitted.
     */
    blocks: (selection: SeriesSelection) => readBlocks(selection, allocateNew),
    /**
     * Like `blocks`, in arrays that are reused: each block is valid only until the next one is requested, from this
     * iterator or another.
     */
    *reusedBlocks(selection: SeriesSelection) {
      const allocate = allocators.pop() ?? createReusingAllocator();
      try {
        yield* readBlocks(selection, allocate);
      } finally {
        allocators.push(allocate);
      }
    },
    /** Like `blocks`, for satellite variables only: as numbers where they are stored as numbers. */
    *satellites(selection: SeriesSelection): Generator<SatelliteBlock, void, void> {
      lastUse.note(selection.stationId);
      for (const startMs of read(() => bucketsOf(tables, selection))) {
        const block = read(() => readSatelliteBlock(tables, selection, startMs));
        if (block) yield { ...block, texts: () => run(() => block.texts()) };
      }
    },
    /** Returns all blocks joined. @param isUse whether this counts as a use of the station */
    rows(selection: SeriesSelection, isUse = true) {
      if (isUse) lastUse.note(selection.stationId);
      return read(() => readRows(tables, selection));
    },
  };
}

/** Counts, finds and summarizes values. */
function valueReader({ file: { tables }, read, reading, lastUse }: CacheAccess) {
  return {
    /** Yields only the times of the rows of `blocks`, block by block, mostly without decoding values. */
    *times(selection: SeriesSelection) {
      for (const stretch of read(() => stretchesOf(tables, selection))) {
        const times = read(() => readRowTimes(tables, selection, stretch));
        if (times.total > 0) yield times;
      }
    },
    /** Returns the times of the values of the selection's only variable. If they are kept, the next call is fast. */
    valueTimes: reading(readValueTimes),
    /**
     * Returns the coverage of the selection's only variable and the number of its values in each bin of `binMs`. If bins
     * are whole buckets, only the buckets at the ends of the range are decoded.
     */
    countBins: reading(countBins),
    /** Returns the number of values of the selection's only, scalar variable. Decodes only the buckets at its ends. */
    countValues: reading(countValues),
    /**
     * Returns the number of rows that `rows` would return. Decodes only the buckets at the ends of the range. If there
     * are more than `enough`, the result is any number above it.
     */
    countRows: reading(countRows),
    /**
     * Returns the number of rows block by block, so that a row can be found by its number. The ranges are in order and
     * contain all rows.
     */
    countBlocks: reading(countBlocks),
    /**
     * Returns the row nearest to `timeMs` within the window in which any variable has a value, the earlier one of two;
     * or null.
     */
    nearest: reading(readNearest),
    /** Finds the nearest value of each variable independently, for many stations and moments at once. */
    nearestEach: reading(readNearestEach),
    /**
     * Returns the scalar variables of the selection in columns of equal duration (see `DecimatedSeries`); `isUse` as in
     * `rows`.
     */
    decimate(selection: SeriesSelection, columns: number, isUse = true) {
      if (isUse) lastUse.note(selection.stationId);
      return read(() => readDecimated(tables, selection, columns));
    },
  };
}
