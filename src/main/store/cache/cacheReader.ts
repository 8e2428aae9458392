import type { SeriesRows, SeriesSelection } from "#shared/series/rows.ts";
import { usedBytesOf } from "../maintenance/compact.ts";
import { countValues, readCounted } from "../read/counts.ts";
import type { Guard } from "./guard.ts";
import type { LastUse } from "./lastUse.ts";
import { EVERYTHING, type Scope } from "../maintenance/mend/heal.ts";
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
import type { CheckedFile } from "./checkedFile.ts";
import { statisticsOf } from "../database/statistics.ts";
import { newRoom, readRows, readStretch, reusedRoom, type Room, stretchesOf } from "../read/stretch.ts";
import { readRowTimes, readValueTimes } from "../read/times.ts";
import type { CacheReader } from "../types.ts";

export interface ReadAccess {
  /** Does one look at the file. */
  readonly run: Guard;
  /** Does several, as the file is at one moment; damage that is met in the scope is repaired, and the work done again. */
  readonly read: <T>(work: () => T, scope: Scope) => T;
  readonly used: LastUse;
}

/** All of a cache that is only read, but for the sizes, with which uses are written. */
export function cacheReader(
  path: string,
  { db, tables }: CheckedFile,
  { run, read, used }: ReadAccess,
): Omit<CacheReader, "sizes"> {
  function* blocks(selection: SeriesSelection, room: Room): IterableIterator<SeriesRows> {
    used.note(selection.stationId);
    for (const stretch of read(() => stretchesOf(tables, selection), of(selection))) {
      const rows = read(() => readStretch(tables, selection, stretch, room), of(selection));
      if (rows) yield rows;
    }
  }
  /** Rooms that no one uses now: a station after the other would ask for a megabyte each. */
  const rooms: Room[] = [];
  function* passing(selection: SeriesSelection): IterableIterator<SeriesRows> {
    const room = rooms.pop() ?? reusedRoom();
    try {
      yield* blocks(selection, room);
    } finally {
      rooms.push(room);
    }
  }
  return {
    catalogue: () => read(() => tables.catalogue.read(), EVERYTHING),
    station: (id) => read(() => tables.catalogue.find(id), EVERYTHING),
    coverage: (stationId, variable, mode) =>
      read(
        () => readCoverage(tables, { stationId, variables: [variable], ...mode }, variable),
        always({ stationId, variables: [variable], ...mode }),
      ),
    blocks: (selection) => blocks(selection, newRoom),
    passing,
    *satellites(selection) {
      used.note(selection.stationId);
      for (const startMs of read(() => bucketsOf(tables, selection), of(selection))) {
        const block = read(() => readSatelliteBlock(tables, selection, startMs), of(selection));
        if (block) yield { ...block, texts: () => run(() => block.texts()) };
      }
    },
    *times(selection) {
      for (const stretch of read(() => stretchesOf(tables, selection), of(selection))) {
        const times = read(() => readRowTimes(tables, selection, stretch), of(selection));
        if (times.total > 0) yield times;
      }
    },
    valueTimes: (selection, isKept = true) => read(() => readValueTimes(tables, selection, isKept), of(selection)),
    rows(selection, isUse = true) {
      if (isUse) used.note(selection.stationId);
      return read(() => readRows(tables, selection), of(selection));
    },
    counted: (selection, binMs) => read(() => readCounted(tables, selection, binMs), always(selection)),
    countValues: (selection) => read(() => countValues(tables, selection), of(selection)),
    countRows: (selection, enough = Infinity) => read(() => countRows(tables, selection, enough), of(selection)),
    countBlocks: (selection) => read(() => countBlocks(tables, selection), of(selection)),
    nearest: (selected, timeMs, window) =>
      read(() => readNearest(tables, selected, timeMs, window), of({ ...selected, range: window })),
    nearestEach: (selection) =>
      read(() => readNearestEach(tables, selection), { ...EVERYTHING, ...selection, mode: selection }),
    decimate(selection, columns, isUse = true) {
      if (isUse) used.note(selection.stationId);
      return read(() => readDecimated(tables, selection, columns), of(selection));
    },
    coveragesOf: (stationIds, variables, mode) =>
      read(
        () =>
          stationIds.map((stationId) =>
            variables.map((v) => readCoverage(tables, { stationId, variables, ...mode }, v)),
          ),
        { ...EVERYTHING, stationIds, variables, mode },
      ),
    coverages: (mode, variables, range) =>
      read(() => readCoverages(tables, mode, variables, range), { stationIds: null, variables, mode, range }),
    setting: (name) => run(() => tables.settings.get(name)),
    statistics: () => read(() => statisticsOf(path, db), EVERYTHING),
    usedBytes: () => run(() => usedBytesOf(db)),
  };
}

function of({ stationId, variables, intervalSeconds, raw, range }: SeriesSelection): Scope {
  return { stationIds: [stationId], variables, mode: { intervalSeconds, raw }, range };
}

function always(selection: Omit<SeriesSelection, "range">): Scope {
  return of({ ...selection, range: EVERYTHING.range });
}
